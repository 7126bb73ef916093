//! Numbers and times out of range, in options, in answers and in the files that `aw` keeps: an error or an answer, never a panic.

use std::fs;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{
    cli::{Agent, Run},
    debate::{Debate, text},
    document::Document,
    request_bodies,
    server::Server,
    stub_server::{Reply, StubServer},
};

/// What is put in place of `N`.
const NUMBERS: [&str; 9] = [
    "-1",
    "0",
    "4294967295",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e309",
    "٣",
];

/// Times that no calendar of the command line needs to know.
const TIMES: [&str; 4] = ["-262144-01-01T00:00:00Z", "+262143-12-31T23:59:60Z", "9999999999-99-99T99:99:99Z", "T"];

/// Every option of a command of debates and documents that takes a number, of `D` and `DOC`.
const COMMANDS: [&str; 23] = [
    "debate list --limit N",
    "debate list --offset N",
    "debate search plan --limit N",
    "debate search plan --offset N",
    "debate get-context --debate-id D --limit N",
    "debate get-context --debate-id D --role arbitrator --limit N",
    "debate get-context --debate-id D --max-chars N",
    "debate show --debate-id D --argument-id #N",
    "debate wait --debate-id D --role opponent --timeout N",
    "debate wait --debate-id D --role opponent --max-chars N",
    "debate wait --debate-id D --role opponent --argument-id #N --timeout 0",
    "debate plan --debate-id D --version N",
    "debate plan --debate-id D --since N",
    "debate plan --debate-id D --lines N-N",
    "debate plan --debate-id D --lines 1-N",
    "debate ruling --debate-id D --content x --choose N",
    "docs list --limit N",
    "docs list --offset N",
    "docs get DOC --version N",
    "docs get DOC --lines N-N",
    "docs diff DOC --from N --to N",
    "docs history DOC --limit N",
    "docs history DOC --offset N",
];

#[track_caller]
fn assert_ended(run: &Run) {
    assert!((0..=7).contains(&run.exit) && !run.stderr.contains("panicked"), "{run:?}");
}

/// A debate about a plan, and the plan's document.
async fn debate_and_document(server: &Server) -> (Debate, Document) {
    let document = Document::create(&server.client()).await;
    let mut body = request_bodies::creation();
    body["motion_content"] = format!("Cited: doc_id={} v1", document.id).into();
    (Debate::create_with(&server.client(), &body).await, document)
}

#[tokio::test]
async fn a_number_that_is_out_of_range_is_an_error_or_answered() {
    let server = Server::shared().await;
    let (debate, document) = debate_and_document(&server).await;
    let agent = Agent::new(&server.url());
    for command in COMMANDS {
        let runs = NUMBERS.map(|number| {
            let words = command.split(' ').map(|word| match word {
                "D" => debate.id.clone(),
                "DOC" => document.id.clone(),
                word => word.replace('N', number),
            });
            let words: Vec<String> = words.collect();
            let agent = &agent;
            async move { agent.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).await }
        });
        join_all(runs).await.iter().for_each(assert_ended);
    }
    for seconds in NUMBERS {
        let agent = Agent::new(&server.url()).env("DEBATE_WAIT_DEADLINE", seconds);
        assert_ended(&agent.run(&["debate", "wait", "--debate-id", &debate.id, "--role", "opponent"]).await);
        assert_ended(&agent.run(&["debate", "get-context", "--debate-id", &debate.id, "--role", "opponent"]).await);
    }
}

/// The value with every number, or every time, replaced.
fn replaced(value: &Value, number: Option<u64>, time: Option<&str>) -> Value {
    match value {
        Value::Number(_) => number.map_or_else(|| value.clone(), Value::from),
        Value::String(text) if text.ends_with('Z') => time.map_or_else(|| value.clone(), Value::from),
        Value::Array(list) => list.iter().map(|one| replaced(one, number, time)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (name.clone(), replaced(field, number, time))).collect()
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

#[tokio::test]
async fn an_answer_with_such_numbers_and_times_is_shown_or_refused() {
    let server = Server::shared().await;
    let (debate, document) = debate_and_document(&server).await;
    let (debate, document) = (&*debate.id, &*document.id);
    let answers = [
        (format!("/debates/{debate}"), vec!["debate", "get-context", "--debate-id", debate, "--role", "arbitrator"]),
        (format!("/debates/{debate}"), vec!["debate", "export", "--debate-id", debate]),
        (format!("/debates/{debate}/issues"), vec!["debate", "issues", "--debate-id", debate]),
        (
            format!("/debates/{debate}/wait?role=opponent"),
            vec!["debate", "wait", "--debate-id", debate, "--role", "opponent"],
        ),
        ("/debates?limit=2".to_owned(), vec!["debate", "list", "--offset", "18446744073709551615"]),
        ("/search?q=plan".to_owned(), vec!["debate", "search", "plan"]),
        ("/documents?limit=2".to_owned(), vec!["docs", "list"]),
        (format!("/documents/{document}"), vec!["docs", "get", document]),
        (format!("/documents/{document}/versions"), vec!["docs", "history", document]),
    ];
    for (path, command) in answers {
        let data = server.client().get(&path).await.data(200);
        let numbers = [0, 1 << 32, 1 << 53, 1 << 63, u64::MAX].map(|number| replaced(&data, Some(number), None));
        let times = TIMES.map(|time| replaced(&data, None, Some(time)));
        for answer in numbers.into_iter().chain(times) {
            let stub = StubServer::start(vec![Reply::Succeed(200, answer)]).await;
            let agent = Agent::new(&stub.url());
            for format in ["json", "markdown"] {
                assert_ended(&agent.run(&[&command[..], &["--format", format]].concat()).await);
            }
        }
    }
}

#[tokio::test]
async fn a_hash_that_was_kept_under_such_a_number_is_told_and_a_pid_is_no_process() {
    let server = Server::shared().await;
    let (debate, _) = debate_and_document(&server).await;
    for number in ["18446744073709551615", "9223372036854775808", "9223372036854775807"] {
        let agent = Agent::new(&server.url());
        let folder = agent.home().join(".aweave/heads");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(&debate.id), format!("{number} ab\n")).unwrap();
        let run = agent.run(&["debate", "get-context", "--debate-id", &debate.id]).await;
        let warning = text(&run.document()["metadata"]["warning"]);
        assert!(run.exit == 0 && warning.contains(&format!("had {number}")), "{run:?}");
    }
    for number in NUMBERS {
        let agent = Agent::new(&server.url());
        fs::create_dir(agent.home().join(".aweave")).unwrap();
        agent.file(".aweave/server.pid", number);
        agent.file(".aweave/server.port", number);
        assert_eq!(agent.run(&["down"]).await.data(), json!({"stopped": false, "pid": null}));
    }
}
