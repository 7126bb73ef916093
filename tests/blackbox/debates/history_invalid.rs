//! Rows that somebody changed behind the server: what does not hold is not served, and nothing is built on it.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    client::Client,
    debate::{Debate, text},
    issue_changes::raise,
    request_bodies::{self, with},
    server::{Server, Settings},
};

use crate::websocket::viewer::Viewer;

/// The title of the debate that is changed.
const TITLE: &str = "The one that is changed";

/// A debate with an issue, an APPEAL with options at 3, its RULING at 4, and two more arguments.
async fn with_ruling(client: &Client) -> Debate {
    let body = with(with(request_bodies::creation(), "title", TITLE), "max_rounds", 5);
    let mut debate = Debate::create_with(client, &body).await;
    debate.claim_with("opponent", json!([raise("high", "No limit")])).await;
    let options = json!([{"label": "Per shard"}, {"label": "Global"}]);
    debate.write("appeal", &with(request_bodies::answer_to(debate.newest()), "options", options)).await;
    debate.write("ruling", &with(request_bodies::decision(), "chosen_option", 0)).await;
    debate.claim("proposer").await;
    debate.claim("opponent").await;
    debate
}

/// A server that was started again after the SQL changed the first of two debates.
async fn after(sql: &str) -> (Server, Debate, Debate) {
    let mut server = Server::with(Settings::new().restartable()).await;
    let client = server.client();
    let (changed, other) = (with_ruling(&client).await, Debate::create(&client).await);
    server.terminate();
    server.wait_for_exit().await;
    let of_changed = format!("debate_id = (SELECT id FROM debates WHERE title = '{TITLE}')");
    let sql = sql.replace("OF_CHANGED", &of_changed).replace("CHANGED", &format!("title = '{TITLE}'"));
    server.store().run(&sql);
    server.restart().await;
    (server, changed, other)
}

/// Checks that an error names this debate and this `seq`, and tells nothing of how the server is built.
#[track_caller]
fn names(error: &Value, debate: &Debate, seq: Option<u64>) {
    assert_eq!(error["code"], "HISTORY_INVALID", "{error}");
    assert_eq!(error["debate_id"], debate.id, "{error}");
    assert_eq!(error.get("seq").and_then(Value::as_u64), seq, "{error}");
    let said = format!("{} {}", text(&error["message"]), text(&error["suggestion"]));
    assert!(["table", "column", "hash", "SELECT"].iter().all(|word| !said.contains(word)), "{said}");
}

#[rstest]
#[case::content("UPDATE arguments SET content = 'Other.' WHERE OF_CHANGED AND seq = 4", Some(4))]
#[case::chosen_option("UPDATE arguments SET chosen_option = 1 WHERE OF_CHANGED AND seq = 4", Some(4))]
#[case::close("UPDATE arguments SET close = TRUE WHERE OF_CHANGED AND seq = 4", Some(4))]
#[case::options(
    "UPDATE arguments SET options = replace(options, 'shard', 'node') WHERE OF_CHANGED AND seq = 3",
    Some(3)
)]
#[case::issue_changes(
    "UPDATE arguments SET issue_changes = replace(issue_changes, 'high', 'low') WHERE OF_CHANGED AND seq = 2",
    Some(2)
)]
#[case::no_issue_changes("UPDATE arguments SET issue_changes = NULL WHERE OF_CHANGED AND seq = 2", Some(2))]
#[case::role("UPDATE arguments SET role = 'nobody' WHERE OF_CHANGED AND seq = 2", Some(2))]
#[case::other_role("UPDATE arguments SET role = 'proposer' WHERE OF_CHANGED AND seq = 6", Some(6))]
#[case::argument_type("UPDATE arguments SET argument_type = 'RESOLUTION' WHERE OF_CHANGED AND seq = 5", Some(5))]
#[case::time("UPDATE arguments SET created_at = created_at + 1 WHERE OF_CHANGED AND seq = 5", Some(5))]
#[case::request_id("UPDATE arguments SET client_request_id = 'other' WHERE OF_CHANGED AND seq = 5", Some(5))]
#[case::hash(
    "UPDATE arguments SET hash = (SELECT hash FROM arguments WHERE OF_CHANGED AND seq = 2) WHERE OF_CHANGED AND seq = 4",
    Some(4)
)]
#[case::no_hash("UPDATE arguments SET hash = NULL WHERE OF_CHANGED AND seq = 4", Some(4))]
#[case::a_lost_argument("DELETE FROM arguments WHERE OF_CHANGED AND seq = 5", Some(5))]
#[case::a_lost_ruling("DELETE FROM arguments WHERE OF_CHANGED AND seq = 4", Some(4))]
#[case::another_seq("UPDATE arguments SET seq = 9 WHERE OF_CHANGED AND seq = 5", Some(5))]
#[case::title("UPDATE debates SET title = 'Another' WHERE CHANGED", Some(1))]
#[case::debate_type("UPDATE debates SET debate_type = 'general_debate' WHERE CHANGED", Some(1))]
#[case::created_at("UPDATE debates SET created_at = created_at + 1 WHERE CHANGED", Some(1))]
#[case::max_rounds("UPDATE debates SET max_rounds = NULL WHERE CHANGED", Some(1))]
#[case::head("UPDATE debates SET head = (SELECT hash FROM arguments WHERE OF_CHANGED AND seq = 2) WHERE CHANGED", None)]
#[case::fewer_arguments("UPDATE debates SET last_seq = last_seq - 1 WHERE CHANGED", None)]
#[case::more_arguments("UPDATE debates SET last_seq = last_seq + 1 WHERE CHANGED", Some(7))]
#[case::state("UPDATE debates SET state = 'OPEN' WHERE CHANGED", None)]
#[tokio::test]
async fn what_does_not_hold_is_not_served_and_other_debates_are(#[case] sql: &str, #[case] seq: Option<u64>) {
    let (server, changed, other) = after(sql).await;
    let client = server.client();
    names(&client.get(&changed.path("")).await.refusal("HISTORY_INVALID"), &changed, seq);
    let record = client.get(&changed.path("/record")).await.refusal("HISTORY_INVALID");
    assert_eq!(record["debate_id"], changed.id, "{record}");
    other.stored().await;
    client.get(&other.path("/record")).await.data(200);
    // A debate whose row cannot be one is left out of lists, any other is listed.
    for q in ["", "?q=e", "?limit=1", "?state=AWAITING_OPPONENT"] {
        let listed = client.get(&format!("/debates{q}")).await.data(200);
        assert!(!listed["debates"].as_array().unwrap().is_empty(), "{q}: {listed}");
    }
    let (fine, said) = server.verify();
    assert!(!fine && said.contains(&changed.id) && !said.contains(&other.id), "{said}");
}

#[tokio::test]
async fn no_way_to_read_serves_a_changed_argument() {
    let (server, changed, mut other) =
        after("UPDATE arguments SET content = 'Other.' WHERE OF_CHANGED AND seq IN (2, 4)").await;
    let client = server.client();
    let motion = &changed.arguments[0];
    for (path, seq) in [
        ("".to_owned(), 2),
        ("?limit=1".to_owned(), 4),
        ("?after_seq=3&limit=3".to_owned(), 4),
        ("?before_seq=3".to_owned(), 2),
        (format!("/wait?role=proposer&argument_id={motion}"), 2),
        ("/wait?role=arbitrator&timeout=0&argument_id=SECOND".replace("SECOND", &changed.arguments[2]), 4),
        ("/issues?history=true".to_owned(), 2),
        ("/record".to_owned(), 2),
    ] {
        names(&client.get(&changed.path(&path)).await.refusal("HISTORY_INVALID"), &changed, Some(seq));
    }
    let closed = Viewer::connect(server.address(), &format!("/ws?debate_id={}", changed.id), &[]).await.closed().await;
    assert_eq!(closed.code, 1008);
    let [error] = &closed.before[..] else { panic!("{:?}", closed.before) };
    names(&error.data, &changed, Some(2));
    // Nothing is built on what was found not to hold.
    let claim = request_bodies::claim("proposer", changed.newest());
    let refused = changed.attempt("arguments", &claim).await.refusal("HISTORY_INVALID");
    assert_eq!(refused["debate_id"], changed.id, "{refused}");
    let free = client.request("DELETE", &changed.path("/seats/opponent"));
    client.send(&free).await.refusal("HISTORY_INVALID");
    // Everything else is as before, and metrics count what was refused.
    other.claim("opponent").await;
    let metrics = client.response(&client.request("GET", "/metrics")).await.unwrap();
    let metrics = String::from_utf8(metrics.body).unwrap();
    let counted = metrics.lines().find_map(|line| line.strip_prefix("aweave_history_faults_total ")).unwrap();
    assert!(counted.parse::<f64>().unwrap() >= 11.0, "{counted}");
}

#[tokio::test]
async fn a_repeated_write_is_not_answered_with_a_changed_argument() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let mut debate = Debate::create(&server.client()).await;
    let claim = request_bodies::claim("opponent", debate.newest());
    debate.write("arguments", &claim).await;
    debate.claim("proposer").await;
    server.terminate();
    server.wait_for_exit().await;
    // The other row keeps its content, so the repetition is the only read of the changed one.
    server.store().run("UPDATE arguments SET created_at = created_at + 1 WHERE seq = 2");
    server.restart().await;
    let repeated = debate.attempt("arguments", &claim).await.refusal("HISTORY_INVALID");
    names(&repeated, &debate, Some(2));
}
