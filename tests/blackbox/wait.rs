//! `GET /wait`: the debates in which a ruling is due.

use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    api_response::ApiResponse,
    client::Client,
    debate::{Debate, Situation, text},
    ids,
    request_bodies::{self, with},
    server::{Server, Settings},
};
use tokio::task::JoinHandle;

use crate::schema_checks;

/// The deadline of a response that must not be held.
const AT_ONCE: Duration = Duration::from_secs(10);

/// The query that names these debates.
fn naming<'d>(debates: impl IntoIterator<Item = &'d Debate>) -> String {
    debates.into_iter().map(|debate| format!("&debate_id={}", debate.id)).collect()
}

fn wait(client: &Client, query: &str) -> JoinHandle<ApiResponse> {
    let (client, path) = (client.clone(), format!("/wait?role=arbitrator{query}"));
    tokio::spawn(async move { client.get(&path).await })
}

/// The answer to a wait that must not be held.
async fn due_now(client: &Client, query: &str) -> Value {
    let start = Instant::now();
    let data = wait(client, query).await.unwrap().data(200);
    assert!(start.elapsed() < AT_ONCE, "{query} was held for {:?}: {data}", start.elapsed());
    data
}

/// Panics unless the answer has these debates in this order, and `total` says so.
#[track_caller]
fn has(data: &Value, debates: &[&Debate]) {
    let due = data["debates"].as_array().expect("a list");
    due.iter().for_each(schema_checks::is_debate);
    let ids: Vec<_> = due.iter().map(|debate| text(&debate["id"])).collect();
    assert_eq!(ids, debates.iter().map(|debate| debate.id.as_str()).collect::<Vec<_>>(), "{data}");
    assert_eq!(data["total"], debates.len(), "{data}");
}

#[tokio::test]
async fn the_debates_are_ordered_by_when_their_ruling_became_due() {
    let server = Server::start().await;
    let client = server.client();
    for situation in [Situation::AwaitingOpponent, Situation::AwaitingProposer, Situation::Closed] {
        Debate::in_situation(&client, situation).await;
    }
    // The order of the requests differs from that of the creations.
    let mut third = Debate::in_situation(&client, Situation::AwaitingProposer).await;
    let mut ruled = Debate::in_situation(&client, Situation::Appealed).await;
    let mut first = Debate::in_situation(&client, Situation::OpponentInterrupted).await;
    let mut second = Debate::in_situation(&client, Situation::CompletionRequested).await;
    third.appeal().await;
    has(&due_now(&client, "").await, &[&ruled, &first, &second, &third]);

    // Late deliveries, on both sides, change the debates but not the order.
    let mut fourth = Debate::in_situation(&client, Situation::ProposerInterrupted).await;
    let mut fifth = Debate::in_situation(&client, Situation::AwaitingProposer).await;
    fifth.request_completion().await;
    let late = request_bodies::claim("opponent", &first.arguments[0]);
    first.write("arguments", &late).await;
    let late = request_bodies::answer_to(&fourth.arguments[1]);
    fourth.write("appeal", &late).await;
    ruled.rule(false).await;
    let data = due_now(&client, "").await;
    has(&data, &[&first, &second, &third, &fourth, &fifth]);
    for (due, debate) in data["debates"].as_array().unwrap().iter().zip([&first, &second, &third, &fourth, &fifth]) {
        assert_eq!(*due, debate.stored().await["debate"], "as elsewhere");
    }

    // Whoever asks again is the last one.
    ruled.request_completion().await;
    second.rule(true).await;
    has(&due_now(&client, "").await, &[&first, &third, &fourth, &fifth, &ruled]);
    has(&due_now(&client, &naming([&ruled, &fifth, &second, &first])).await, &[&first, &fifth, &ruled]);
}

#[tokio::test]
async fn only_the_named_debates_are_returned() {
    let server = Server::shared().await;
    let client = server.client();
    let first = Debate::in_situation(&client, Situation::Appealed).await;
    let second = Debate::in_situation(&client, Situation::LateDelivered).await;
    Debate::in_situation(&client, Situation::Appealed).await;
    let other = Debate::in_situation(&client, Situation::AwaitingProposer).await;
    has(&due_now(&client, &naming([&second, &other, &first])).await, &[&first, &second]);
    has(&due_now(&client, &naming([&second, &second])).await, &[&second]);
    let spelled = format!("&debate_id={}", first.id.to_uppercase().replace('-', ""));
    has(&due_now(&client, &spelled).await, &[&first]);
    // A hundred may be named, also some that are not open yet.
    let unknown: String = (0..99).map(|_| format!("&debate_id={}", ids::fresh())).collect();
    has(&due_now(&client, &(unknown + &naming([&first]))).await, &[&first]);
}

#[rstest]
#[tokio::test]
async fn a_wait_is_held_until_a_ruling_is_due(
    #[values("appeal", "resolution", "intervention")] verb: &str,
    #[values(true, false)] named: bool,
) {
    let server = Server::start().await;
    let client = server.client();
    let mut debate = Debate::in_situation(&client, Situation::AwaitingProposer).await;
    let query = if named { naming([&debate]) } else { String::new() };
    let held: Vec<_> = (0..3).map(|_| wait(&client, &query)).collect();
    server.wait_for_held_waits(3).await;
    debate.claim("proposer").await;
    debate.claim("opponent").await;
    assert!(held.iter().all(|wait| !wait.is_finished()), "a claim ended a wait");
    let start = Instant::now();
    let body = match verb {
        "intervention" => request_bodies::decision(),
        _ => request_bodies::answer_to(debate.newest()),
    };
    debate.write(verb, &body).await;
    for wait in held {
        has(&wait.await.unwrap().data(200), &[&debate]);
    }
    assert!(start.elapsed() < AT_ONCE, "woken after {:?}", start.elapsed());
}

#[tokio::test]
async fn a_wait_for_named_debates_is_not_woken_by_others_and_they_need_not_be_open() {
    let server = Server::start().await;
    let client = server.client();
    let id = ids::fresh();
    let named = wait(&client, &format!("&debate_id={}&debate_id={id}", ids::fresh()));
    let any = wait(&client, "");
    server.wait_for_held_waits(2).await;
    let other = Debate::in_situation(&client, Situation::Appealed).await;
    has(&any.await.unwrap().data(200), &[&other]);
    assert!(!named.is_finished(), "another debate ended the wait");
    let mut debate = Debate::create_with(&client, &with(request_bodies::creation(), "debate_id", id)).await;
    assert!(!named.is_finished(), "the opening ended the wait");
    debate.intervene().await;
    has(&named.await.unwrap().data(200), &[&debate]);
}

#[tokio::test]
async fn a_ruling_that_was_submitted_meanwhile_is_not_due() {
    let server = Server::start().await;
    let client = server.client();
    let mut debate = Debate::in_situation(&client, Situation::Appealed).await;
    has(&due_now(&client, "").await, &[&debate]);
    debate.rule(false).await;
    let held = wait(&client, "");
    server.wait_for_held_waits(1).await;
    debate.claim("proposer").await;
    assert!(!held.is_finished());
    debate.intervene().await;
    has(&held.await.unwrap().data(200), &[&debate]);
}

#[tokio::test]
async fn a_timeout_has_no_debates() {
    let server = Server::start().await;
    let client = server.client();
    let debate = Debate::in_situation(&client, Situation::AwaitingProposer).await;
    for query in [String::new(), naming([&debate])] {
        let start = Instant::now();
        let data = wait(&client, &format!("{query}&timeout=1")).await.unwrap().data(200);
        assert_eq!(data, json!({"debates": [], "total": 0}));
        let took = start.elapsed();
        assert!(took >= Duration::from_millis(900) && took < AT_ONCE, "timeout=1 took {took:?}");
        let start = Instant::now();
        assert_eq!(wait(&client, &format!("{query}&timeout=0")).await.unwrap().data(200)["total"], 0);
        assert!(start.elapsed() < AT_ONCE, "timeout=0 took {:?}", start.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_most_200_debates_are_returned_and_the_total_counts_all() {
    const DUE: usize = 205;
    let server = Server::start().await;
    let client = server.client();
    let mut debates = Vec::new();
    for number in 0..DUE {
        let situation = [Situation::Appealed, Situation::OpponentInterrupted, Situation::LateDelivered][number % 3];
        debates.push(Debate::in_situation(&client, situation).await);
    }
    let data = due_now(&client, "").await;
    assert_eq!(data["total"], DUE);
    let due: Vec<_> = data["debates"].as_array().unwrap().iter().map(|debate| text(&debate["id"])).collect();
    let first: Vec<_> = debates[..200].iter().map(|debate| debate.id.clone()).collect();
    assert_eq!(due, first, "the first 200 in order");
}

#[rstest]
#[case("", "role")]
#[case("role=", "role")]
#[case("role=proposer", "role")]
#[case("role=opponent", "role")]
#[case("role=ARBITRATOR", "role")]
#[case("role=arbitrator&role=arbitrator", "role")]
#[case("role=arbitrator&debate_id=nonsense", "debate_id")]
#[case("role=arbitrator&debate_id=", "debate_id")]
#[case("role=arbitrator&debate_id=00000000-0000-4000-8000-000000000000&debate_id=7", "debate_id")]
#[case("role=arbitrator&timeout=61", "timeout")]
#[case("role=arbitrator&timeout=-1", "timeout")]
#[case("role=arbitrator&timeout=x", "timeout")]
#[tokio::test]
async fn an_invalid_parameter_is_refused_by_its_name(#[case] query: &str, #[case] field: &str) {
    let server = Server::shared().await;
    let error = server.client().get(&format!("/wait?{query}")).await.refusal("INVALID_INPUT");
    assert_eq!(error["field"], field, "{error}");
}

#[tokio::test]
async fn more_than_100_named_debates_are_refused() {
    let server = Server::shared().await;
    let query: String = (0..101).map(|_| format!("&debate_id={}", ids::fresh())).collect();
    let error = wait(&server.client(), &query).await.unwrap().refusal("INVALID_INPUT");
    assert_eq!(error["field"], "debate_id", "{error}");
}

#[tokio::test]
async fn waits_for_rulings_count_as_held() {
    let server = Server::with(Settings::new().args(&["--max-waits", "1"])).await;
    let client = server.client();
    let mut debate = Debate::create(&client).await;
    let first = wait(&client, "");
    server.wait_for_held_waits(1).await;
    wait(&client, &naming([&debate])).await.unwrap().refusal("OVERLOADED");
    debate.intervene().await;
    has(&first.await.unwrap().data(200), &[&debate]);
    // A wait that need not be held is answered.
    has(&due_now(&client, "").await, &[&debate]);
}
