//! `GET /metrics`, and the dashboard that reads it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tests::{
    client::Client,
    debate::{Debate, Situation},
    document::Document,
    polling, request_bodies,
    server::{Server, Settings},
};

use crate::websocket::viewer::Viewer;

/// All metrics of the contract: name, type, labels.
const METRICS: [(&str, &str, &[&str]); 12] = [
    ("aweave_http_requests_total", "counter", &["method", "route", "status"]),
    ("aweave_http_request_seconds", "histogram", &["route"]),
    ("aweave_writes_total", "counter", &["outcome", "type"]),
    ("aweave_history_faults_total", "counter", &[]),
    ("aweave_unreadable_rows_total", "counter", &[]),
    ("aweave_log_lines_lost_total", "counter", &[]),
    ("aweave_commit_writes", "histogram", &[]),
    ("aweave_commit_seconds", "histogram", &[]),
    ("aweave_held_waits", "gauge", &[]),
    ("aweave_viewers", "gauge", &[]),
    ("aweave_debates", "gauge", &["state"]),
    ("aweave_store_up", "gauge", &[]),
];

const DASHBOARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../packaging/grafana.json");

/// One line of the metrics.
#[derive(Debug)]
struct Sample {
    name: String,
    labels: BTreeMap<String, String>,
    value: f64,
}

/// The answer to `GET /metrics`.
struct Metrics {
    text: String,
    samples: Vec<Sample>,
}

impl Metrics {
    async fn of(client: &Client) -> Self {
        let response = client.response(&client.request("GET", "/metrics")).await.unwrap();
        assert_eq!(response.status, 200);
        assert_eq!(response.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
        let text = String::from_utf8(response.body).unwrap();
        let samples = text.lines().filter(|line| !line.starts_with('#')).map(parse).collect();
        Self { text, samples }
    }

    /// The value of the sample with this name and exactly these labels.
    fn value(&self, name: &str, labels: &[(&str, &str)]) -> Option<f64> {
        let labels = labels.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut found = self.samples.iter().filter(|sample| sample.name == name && sample.labels == labels);
        let value = found.next().map(|sample| sample.value);
        assert!(found.next().is_none(), "{name} {labels:?} occurs twice");
        value
    }

    fn writes(&self, write_type: &str, outcome: &str) -> f64 {
        let value = self.value("aweave_writes_total", &[("type", write_type), ("outcome", outcome)]);
        value.unwrap_or_else(|| panic!("no {write_type} {outcome}"))
    }
}

fn parse(line: &str) -> Sample {
    let (series, value) = line.rsplit_once(' ').expect("a sample has a value");
    let value = value.replace("+Inf", "inf").parse().expect("a number");
    let (name, labels) = series
        .split_once('{')
        .map_or((series, ""), |(name, labels)| (name, labels.strip_suffix('}').expect("closed braces")));
    let pairs = labels.split("\",").filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once("=\"").expect("a label has a value");
        (name.to_owned(), value.trim_end_matches('"').to_owned())
    });
    Sample { name: name.to_owned(), labels: pairs.collect(), value }
}

/// The metric that a sample belongs to: a histogram has three kinds of samples.
fn metric(sample: &str) -> &'static (&'static str, &'static str, &'static [&'static str]) {
    let of_histogram = ["_bucket", "_sum", "_count"].iter().find_map(|suffix| sample.strip_suffix(suffix));
    METRICS
        .iter()
        .find(|(name, kind, _)| *name == sample && *kind != "histogram" || of_histogram == Some(*name))
        .unwrap_or_else(|| panic!("{sample} is not in the contract"))
}

#[tokio::test]
async fn metrics_have_the_names_and_labels_of_the_contract() {
    let server = Server::start().await;
    let debate = Debate::in_situation(&server.client(), Situation::Closed).await;
    server.client().get("/debates/nonsense").await.refusal("INVALID_INPUT");
    server.client().get("/nonsense").await.refusal("NOT_FOUND");
    let metrics = Metrics::of(&server.client()).await;
    let types = metrics.text.lines().filter_map(|line| line.strip_prefix("# TYPE ")).map(str::to_owned);
    let expected = METRICS.iter().map(|(name, kind, _)| format!("{name} {kind}"));
    assert_eq!(types.collect::<BTreeSet<_>>(), expected.collect());
    for sample in &metrics.samples {
        let (_, _, labels) = metric(&sample.name);
        let given: Vec<&str> = sample.labels.keys().map(String::as_str).filter(|label| *label != "le").collect();
        assert_eq!(given, *labels, "{sample:?}");
        for value in sample.labels.values() {
            assert!(!value.contains(&debate.id[..8]) && !value.contains("nonsense"), "{sample:?}");
        }
    }
}

#[tokio::test]
async fn requests_and_writes_are_counted() {
    let server = Server::start().await;
    let client = server.client();
    let mut debate = Debate::in_situation(&client, Situation::AwaitingProposer).await;
    let claim = request_bodies::claim("proposer", debate.newest());
    debate.attempt("arguments", &claim).await.data(201);
    debate.attempt("arguments", &claim).await.data(200);
    debate.attempt("ruling", &request_bodies::decision()).await.refusal("ACTION_NOT_ALLOWED");
    debate.intervene().await;
    let document = Document::create(&client).await;
    document.submit(&request_bodies::document("Two.\n")).await;
    document.delete().await.data(200);
    document.delete().await.data(200);

    let metrics = Metrics::of(&client).await;
    for (write_type, outcome, count) in [
        ("MOTION", "stored", 1.0),
        ("CLAIM", "stored", 2.0),
        ("CLAIM", "replayed", 1.0),
        ("RULING", "refused", 1.0),
        ("RULING", "stored", 0.0),
        ("INTERVENTION", "stored", 1.0),
        ("APPEAL", "stored", 0.0),
        ("RESOLUTION", "failed", 0.0),
        ("DOCUMENT", "stored", 1.0),
        ("DOCUMENT_VERSION", "stored", 1.0),
        ("DOCUMENT_DELETION", "stored", 1.0),
        ("DOCUMENT_DELETION", "replayed", 1.0),
    ] {
        assert_eq!(metrics.writes(write_type, outcome), count, "{write_type} {outcome}");
    }
    assert_eq!(metrics.value("aweave_commit_writes_sum", &[]), Some(7.0), "what was stored");
    assert_eq!(metrics.value("aweave_commit_seconds_count", &[]), metrics.value("aweave_commit_writes_count", &[]));
    let request = |method, route, status| {
        metrics.value("aweave_http_requests_total", &[("method", method), ("route", route), ("status", status)])
    };
    assert_eq!(request("POST", "/debates/{id}/arguments", "201"), Some(2.0));
    assert_eq!(request("POST", "/debates/{id}/arguments", "200"), Some(1.0));
    assert_eq!(request("POST", "/debates/{id}/ruling", "403"), Some(1.0));
    assert_eq!(request("DELETE", "/documents/{id}", "200"), Some(2.0));
    let route = [("route", "/debates/{id}/arguments")];
    assert_eq!(metrics.value("aweave_http_request_seconds_count", &route), Some(3.0));
}

#[tokio::test]
async fn waits_viewers_and_states_are_as_they_are_now() {
    let server = Server::start().await;
    let client = server.client();
    Debate::in_situation(&client, Situation::Closed).await;
    let debate = Debate::create(&client).await;
    let states = ["AWAITING_OPPONENT", "AWAITING_PROPOSER", "AWAITING_ARBITRATOR", "INTERVENTION_PENDING", "CLOSED"];
    let metrics = Metrics::of(&client).await;
    let counts = states.map(|state| metrics.value("aweave_debates", &[("state", state)]));
    assert_eq!(counts, [1.0, 0.0, 0.0, 0.0, 1.0].map(Some));
    assert_eq!(metrics.value("aweave_store_up", &[]), Some(1.0));

    let gauges = async |waits: f64, viewers: f64| loop {
        let metrics = Metrics::of(&client).await;
        let now = ["aweave_held_waits", "aweave_viewers"].map(|name| metrics.value(name, &[]).unwrap());
        if now == [waits, viewers] {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    };
    let within = |gauges| tokio::time::timeout(polling::DEADLINE, gauges);
    within(gauges(0.0, 0.0)).await.expect("nobody waits");
    let wait = tokio::spawn({
        let (client, path) = (client.clone(), debate.path("/wait?role=proposer"));
        async move { client.get(&path).await }
    });
    let (viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    within(gauges(1.0, 1.0)).await.expect("one waits and one watches");
    drop(viewer);
    let mut debate = debate;
    debate.claim("opponent").await;
    wait.await.unwrap().data(200);
    within(gauges(0.0, 0.0)).await.expect("both are gone");
}

#[tokio::test]
async fn metrics_need_the_token_as_everything_else_does() {
    let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "agents")).await;
    server.client().get("/metrics").await.refusal("AUTH_FAILED");
    Metrics::of(&server.client().with_token("agents")).await;
}

/// The metric names in a query, and the labels that it uses.
fn used(query: &str) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let names = query.split(|character| !is_word(character)).filter(|word| word.starts_with("aweave_")).collect();
    let between = |open: &'static str, close: char| {
        query.split(open).skip(1).filter_map(move |rest| rest.split_once(close)).map(|(inside, _)| inside)
    };
    let grouped = between("by (", ')').flat_map(|inside| inside.split(','));
    let matched = between("{", '}').flat_map(|inside| inside.split(','));
    let label = |part: &str| part.trim().chars().take_while(|character| is_word(*character)).count();
    (names, grouped.chain(matched).map(|part| &part.trim()[..label(part)]).collect())
}

#[tokio::test]
async fn every_query_of_the_dashboard_asks_for_what_there_is() {
    let server = Server::start().await;
    Debate::in_situation(&server.client(), Situation::Closed).await;
    let metrics = Metrics::of(&server.client()).await;
    let dashboard: Value = serde_json::from_str(&std::fs::read_to_string(DASHBOARD).unwrap()).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    assert_eq!(panels.len(), 6);
    let mut shown = BTreeSet::new();
    for target in panels.iter().flat_map(|panel| panel["targets"].as_array().unwrap()) {
        let query = target["expr"].as_str().unwrap();
        let (names, labels) = used(query);
        assert!(!names.is_empty(), "{query} names no metric");
        for name in names {
            let sample = metrics.samples.iter().find(|sample| sample.name == name);
            let sample = sample.unwrap_or_else(|| panic!("{query}: /metrics has no {name}"));
            for label in &labels {
                assert!(sample.labels.contains_key(*label), "{query}: {name} has no label {label}");
            }
            shown.insert(metric(name).0);
        }
    }
    assert_eq!(shown, METRICS.iter().map(|(name, _, _)| *name).collect(), "all metrics are shown");
}
