//! `GET /debates/{id}/wait`.

use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    api_response::ApiResponse,
    client::Client,
    debate::{Debate, Situation, text},
    ids, polling, request_bodies,
    server::Server,
};
use tokio::task::{JoinHandle, JoinSet};

use crate::schema_checks;

/// The deadline of a response that must not be held.
const AT_ONCE: Duration = Duration::from_secs(10);

/// Panics unless the response is a time-out.
#[track_caller]
fn is_timeout(data: &Value, debate: &Debate, seen: usize) {
    assert_eq!((&data["has_new_argument"], &data["debate_id"]), (&json!(false), &json!(debate.id)), "{data}");
    assert_eq!(data["last_seen_seq"], seen, "{data}");
    schema_checks::has_keys(data, &["debate_state", "action"]);
}

/// Panics unless the response has these arguments, the newest last.
#[track_caller]
fn is_news(data: &Value, debate: &Debate, arguments: &[usize]) {
    let (newest, earlier) = arguments.split_last().expect("at least one argument");
    schema_checks::has_keys(data, &["action", "debate_state"]);
    assert_eq!(data["has_new_argument"], true, "{data}");
    schema_checks::is_argument(&data["argument"]);
    assert_eq!(data["argument"]["seq"], *newest, "{data}");
    let got: Vec<&Value> = data["earlier"].as_array().expect("a list").iter().map(|other| &other["seq"]).collect();
    assert_eq!(json!(got), json!(earlier), "{data}");
    assert_eq!(data["next_argument_id_to_wait"], debate.newest(), "{data}");
}

/// Starts a wait, besides `others`, and returns once the server holds it.
async fn held(server: &Server, others: usize, debate: &Debate, query: &str) -> JoinHandle<ApiResponse> {
    let client = server.client();
    let path = debate.path(&format!("/wait?{query}"));
    let wait = tokio::spawn(async move { client.get(&path).await });
    server.wait_for_held_waits(others + 1).await;
    wait
}

async fn answered_at_once(debate: &Debate, query: &str) -> Value {
    let start = Instant::now();
    let data = debate.wait(query).await.data(200);
    assert!(start.elapsed() < AT_ONCE, "?{query} was held for {:?}: {data}", start.elapsed());
    data
}

#[tokio::test]
async fn joining_returns_the_newest_argument_without_history() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    is_news(&answered_at_once(&debate, "role=opponent").await, &debate, &[1]);
    debate.intervene().await;
    debate.rule(false).await;
    for query in ["role=opponent", "role=opponent&argument_id="] {
        is_news(&answered_at_once(&debate, query).await, &debate, &[3]);
    }
}

#[tokio::test]
async fn a_held_wait_is_woken_by_others_and_not_by_the_waiters_own_role() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    let wait = held(&server, 0, &debate, &format!("role=proposer&argument_id={}", debate.newest())).await;
    let other = held(&server, 1, &debate, &format!("role=opponent&argument_id={}", debate.newest())).await;
    debate.claim("proposer").await;
    is_news(&other.await.unwrap().data(200), &debate, &[3]);
    // The same claim has reached both waits.
    assert!(!wait.is_finished(), "the wait was woken by an argument of its own role");
    debate.claim("opponent").await;
    let data = wait.await.unwrap().data(200);
    is_news(&data, &debate, &[4]);
    assert_eq!((&data["action"], &data["debate_state"]), (&json!("respond"), &json!("AWAITING_PROPOSER")));
}

#[rstest]
#[case::intervention("intervention", false, "wait_for_ruling")]
#[case::closing_ruling("ruling", true, "debate_closed")]
#[tokio::test]
async fn the_arbitrator_wakes_both_sides(#[case] verb: &str, #[case] close: bool, #[case] action: &str) {
    let server = Server::start().await;
    let start = if close { Situation::CompletionRequested } else { Situation::AwaitingProposer };
    let mut debate = Debate::in_situation(&server.client(), start).await;
    let mut waits = Vec::new();
    for role in ["proposer", "opponent", "opponent"] {
        waits.push(held(&server, waits.len(), &debate, &format!("role={role}&argument_id={}", debate.newest())).await);
    }
    debate.write(verb, &request_bodies::with(request_bodies::decision(), "close", close)).await;
    for wait in waits {
        let data = wait.await.unwrap().data(200);
        assert_eq!((&data["has_new_argument"], &data["action"]), (&json!(true), &json!(action)), "{data}");
        assert_eq!(data["argument"]["id"], debate.newest());
    }
}

#[tokio::test]
async fn the_arbitrator_is_held_until_a_ruling_is_due() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    let wait = held(&server, 0, &debate, &format!("role=arbitrator&argument_id={}", debate.newest())).await;
    let other = held(&server, 1, &debate, &format!("role=proposer&argument_id={}", debate.newest())).await;
    debate.claim("opponent").await;
    is_news(&other.await.unwrap().data(200), &debate, &[2]);
    // The same claim has reached both waits.
    assert!(!wait.is_finished(), "the arbitrator's wait was woken by a claim");
    debate.appeal().await;
    let data = wait.await.unwrap().data(200);
    assert_eq!((&data["action"], &data["debate_state"]), (&json!("rule"), &json!("AWAITING_ARBITRATOR")));
    assert_eq!((&data["has_new_argument"], &data["argument"]["id"]), (&json!(true), &json!(debate.newest())));
    assert_eq!(data["next_argument_id_to_wait"], debate.newest());
}

#[tokio::test]
async fn the_arbitrator_is_woken_by_an_intervention_and_by_the_closing() {
    let server = Server::start().await;
    let mut debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let wait = held(&server, 0, &debate, "role=arbitrator").await;
    debate.intervene().await;
    assert_eq!(wait.await.unwrap().data(200)["action"], "rule");
    debate.rule(true).await;
    assert_eq!(answered_at_once(&debate, "role=arbitrator").await["action"], "debate_closed");
}

#[rstest]
#[tokio::test]
async fn the_arbitrators_wait_returns_at_once_when_a_ruling_is_due(
    #[values(Situation::Appealed, Situation::CompletionRequested, Situation::ProposerInterrupted)] situation: Situation,
) {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), situation).await;
    for (query, news) in [
        ("role=arbitrator".to_owned(), true),
        (format!("role=arbitrator&argument_id={}", debate.arguments[1]), true),
        (format!("role=arbitrator&argument_id={}", debate.newest()), false),
    ] {
        let data = answered_at_once(&debate, &query).await;
        assert_eq!((&data["action"], &data["has_new_argument"]), (&json!("rule"), &json!(news)), "{query}: {data}");
        assert_eq!(data["argument"]["id"], debate.newest(), "{query}");
    }
}

#[rstest]
#[tokio::test]
async fn waits_on_a_closed_debate_return_at_once(#[values("proposer", "opponent", "arbitrator")] role: &str) {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), Situation::Closed).await;
    for (query, news) in [
        (format!("role={role}"), true),
        (format!("role={role}&argument_id={}", debate.arguments[0]), true),
        (format!("role={role}&argument_id={}", debate.newest()), false),
    ] {
        let data = answered_at_once(&debate, &query).await;
        assert_eq!(
            (&data["action"], &data["debate_state"], &data["has_new_argument"]),
            (&json!("debate_closed"), &json!("CLOSED"), &json!(news)),
            "{query}: {data}"
        );
        assert_eq!(data["argument"]["id"], debate.newest(), "{query}");
    }
}

#[tokio::test]
async fn a_wait_lasts_as_long_as_its_timeout() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let query = format!("role=proposer&argument_id={}", debate.newest());
    let start = Instant::now();
    let data = debate.wait(&format!("{query}&timeout=1")).await.data(200);
    is_timeout(&data, &debate, 1);
    let took = start.elapsed();
    assert!(took >= Duration::from_millis(900) && took < AT_ONCE, "timeout=1 took {took:?}");
    let start = Instant::now();
    is_timeout(&debate.wait(&format!("{query}&timeout=0")).await.data(200), &debate, 1);
    assert!(start.elapsed() < AT_ONCE, "timeout=0 took {:?}", start.elapsed());
}

#[rstest]
#[case("argument_id=nonsense&role=proposer", "argument_id")]
#[case("argument_id=%7B%7D&role=proposer", "argument_id")]
#[case("role=PROPOSER", "role")]
#[case("role=judge", "role")]
#[case("role=", "role")]
#[case("", "role")]
#[case("role=proposer&timeout=-1", "timeout")]
#[case("role=proposer&timeout=61", "timeout")]
#[case("role=proposer&timeout=1.5", "timeout")]
#[case("role=proposer&timeout=abc", "timeout")]
#[case("role=proposer&timeout=18446744073709551616", "timeout")]
#[tokio::test]
async fn an_invalid_parameter_is_refused_by_its_name(#[case] query: &str, #[case] field: &str) {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let error = debate.wait(query).await.refusal("INVALID_INPUT");
    assert!(error.to_string().contains(field), "{field} is not named: {error}");
}

#[tokio::test]
async fn a_wait_after_an_argument_of_another_debate_is_refused() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let other = Debate::create(&server.client()).await;
    for unknown in [other.newest(), &ids::fresh(), &debate.id] {
        for role in ["proposer", "opponent", "arbitrator"] {
            let error = debate.wait(&format!("role={role}&argument_id={unknown}")).await.refusal("INVALID_INPUT");
            assert!(error.to_string().contains("argument_id"), "argument_id is not named: {error}");
        }
    }
}

#[tokio::test]
async fn a_wait_on_an_unknown_debate_is_not_held() {
    let server = Server::start().await;
    let path = format!("/debates/{}/wait?role=opponent", ids::fresh());
    server.client().get(&path).await.refusal("DEBATE_NOT_FOUND");
    server.client().get("/debates/nonsense/wait?role=opponent").await.refusal("INVALID_INPUT");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_wake_up_is_lost_between_concurrent_waits_and_writes() {
    let server = Server::shared().await;
    let mut races = JoinSet::new();
    for _ in 0..4 {
        races.spawn(race_waits_and_writes(server.client()));
    }
    races.join_all().await;
}

/// Sends a claim between many waits, so that some of them meet it at every stage of their processing.
async fn race_waits_and_writes(client: Client) {
    let mut debate = Debate::create(&client).await;
    for round in 0..60 {
        let (writer, waiter) = if round % 2 == 0 { ("opponent", "proposer") } else { ("proposer", "opponent") };
        let path = debate.path(&format!("/wait?role={waiter}&argument_id={}&timeout=30", debate.newest()));
        let body = request_bodies::claim(writer, debate.newest());
        let mut waits = JoinSet::new();
        let mut write = None;
        for turn in 0..16 {
            let (waiting, path) = (client.clone(), path.clone());
            waits.spawn(async move { waiting.get(&path).await });
            if turn == 8 {
                let (writing, path, body) = (client.clone(), debate.path("/arguments"), body.clone());
                write = Some(tokio::spawn(async move { writing.post(&path, &body).await }));
            }
            tokio::task::yield_now().await;
        }
        let written = write.expect("it was sent").await.unwrap().data(201);
        debate.arguments.push(text(&written["argument"]["id"]));
        let start = Instant::now();
        for answer in waits.join_all().await {
            is_news(&answer.data(200), &debate, &[debate.arguments.len()]);
        }
        assert!(start.elapsed() < AT_ONCE, "round {round}: woken after {:?}", start.elapsed());
    }
}

#[tokio::test]
async fn a_timeout_tells_what_the_caller_may_submit_and_which_other_roles_wait() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let newest = debate.newest().to_owned();
    let (client, path) =
        (server.client(), debate.path(&format!("/wait?role=proposer&argument_id={newest}&timeout=60")));
    let proposer = tokio::spawn(async move { client.get(&path).await.data(200) });
    let start = Instant::now();
    let data = loop {
        let query = format!("role=opponent&argument_id={newest}&timeout=0");
        let data = debate.wait(&query).await.data(200);
        if data["waiting"][0]["role"] == "proposer" {
            break data;
        }
        assert!(start.elapsed() < polling::DEADLINE, "the proposer is not shown as waiting: {data}");
        tokio::task::yield_now().await;
    };
    assert_eq!((&data["allowed"], &data["action"]), (&json!(["CLAIM"]), &json!("respond")));
    assert_eq!(data["waiting"].as_array().map(Vec::len), Some(1), "without the caller's own wait: {data}");
    debate.claim("opponent").await;
    let news = proposer.await.unwrap();
    assert_eq!(news["allowed"], json!(["CLAIM", "APPEAL", "RESOLUTION"]));
    assert_eq!(news.get("waiting"), None, "{news}");
}
