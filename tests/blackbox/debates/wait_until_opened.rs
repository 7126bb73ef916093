//! `GET /debates/{id}/wait` with `until_opened`.

use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::json;
use tests::{
    api_response::ApiResponse,
    client::Client,
    debate::Debate,
    ids, polling,
    request_bodies::{self, with},
    server::{Server, Settings},
};
use tokio::task::{JoinHandle, JoinSet};

/// The deadline of a response that must not be held.
const AT_ONCE: Duration = Duration::from_secs(10);

fn path(id: &str, query: &str) -> String {
    format!("/debates/{id}/wait?until_opened=true&{query}")
}

fn wait(client: &Client, id: &str, query: &str) -> JoinHandle<ApiResponse> {
    let (client, path) = (client.clone(), path(id, query));
    tokio::spawn(async move { client.get(&path).await })
}

async fn open(client: &Client, id: &str) -> Debate {
    Debate::create_with(client, &with(request_bodies::creation(), "debate_id", id)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_waiters_are_woken_by_one_creation() {
    let server = Server::start().await;
    let id = ids::fresh();
    let waits: Vec<_> = (0..50).map(|_| wait(&server.client(), &id, "role=opponent")).collect();
    server.wait_for_held_waits(50).await;
    let client = server.client();
    // A reader that finds nothing, and the creation of another debate, wake nobody.
    client.get(&format!("/debates/{id}")).await.refusal("DEBATE_NOT_FOUND");
    Debate::create(&client).await;
    assert!(waits.iter().all(|wait| !wait.is_finished()), "a wait was woken before the debate was opened");
    let start = Instant::now();
    let debate = open(&client, &id).await;
    for wait in waits {
        let data = wait.await.unwrap().data(200);
        assert_eq!((&data["has_new_argument"], &data["action"]), (&json!(true), &json!("respond")), "{data}");
        assert_eq!((&data["argument"]["id"], &data["argument"]["type"]), (&json!(debate.newest()), &json!("MOTION")));
        assert_eq!((&data["earlier"], &data["last_seen_seq"]), (&json!([]), &json!(0)), "{data}");
    }
    assert!(start.elapsed() < AT_ONCE, "the last was woken after {:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_wake_up_is_lost_between_concurrent_waits_and_the_creation() {
    let server = Server::shared().await;
    let client = server.client();
    for _ in 0..40 {
        let id = ids::fresh();
        let (mut waits, mut opening) = (JoinSet::new(), None);
        for turn in 0..16 {
            let (waiting, path) = (client.clone(), path(&id, "role=opponent&timeout=30"));
            waits.spawn(async move { waiting.get(&path).await });
            if turn == 8 {
                let (client, id) = (client.clone(), id.clone());
                opening = Some(tokio::spawn(async move { open(&client, &id).await }));
            }
            tokio::task::yield_now().await;
        }
        let debate = opening.expect("it was sent").await.unwrap();
        let start = Instant::now();
        for answer in waits.join_all().await {
            assert_eq!(answer.data(200)["argument"]["id"], debate.newest());
        }
        assert!(start.elapsed() < AT_ONCE, "woken after {:?}", start.elapsed());
    }
}

#[tokio::test]
async fn once_opened_the_wait_goes_on_as_usual() {
    let server = Server::start().await;
    let (client, id) = (server.client(), ids::fresh());
    let proposer = wait(&client, &id, "role=proposer");
    let arbitrator = wait(&client, &id, "role=arbitrator");
    server.wait_for_held_waits(2).await;
    let mut debate = open(&client, &id).await;
    // Both are shown as waiting now, and held: the motion is the proposer's own and asks for no ruling.
    let start = Instant::now();
    loop {
        let seen = format!("role=opponent&timeout=0&argument_id={}", debate.newest());
        let data = debate.wait(&seen).await.data(200);
        if data["waiting"].as_array().expect("a list").len() == 2 {
            break;
        }
        assert!(start.elapsed() < polling::DEADLINE, "they are not shown as waiting: {data}");
        tokio::task::yield_now().await;
    }
    assert!(!proposer.is_finished() && !arbitrator.is_finished(), "the motion ended a wait");
    debate.claim("opponent").await;
    let data = proposer.await.unwrap().data(200);
    assert_eq!((&data["argument"]["seq"], &data["action"]), (&json!(2), &json!("respond")), "{data}");
    assert!(!arbitrator.is_finished(), "a claim ended the arbitrator's wait");
    debate.appeal().await;
    assert_eq!(arbitrator.await.unwrap().data(200)["action"], "rule");
}

#[tokio::test]
async fn on_an_open_debate_it_changes_nothing() {
    let server = Server::shared().await;
    for query in ["role=opponent&timeout=0", "role=proposer&timeout=0", "role=arbitrator&timeout=0"] {
        // Who waited in the same debate would be told to the others for a while.
        let debate = Debate::create(&server.client()).await;
        for more in ["", "&argument_id="] {
            let query = format!("{query}{more}");
            let plain = debate.wait(&query).await.data(200);
            assert_eq!(debate.wait(&format!("{query}&until_opened=true")).await.data(200), plain, "{query}");
            assert_eq!(debate.wait(&format!("{query}&until_opened=false")).await.data(200), plain, "{query}");
        }
    }
}

#[tokio::test]
async fn a_debate_that_is_never_opened_is_not_found_when_the_timeout_is_over() {
    let server = Server::shared().await;
    let (client, id) = (server.client(), ids::fresh());
    let start = Instant::now();
    let error = client.get(&path(&id, "role=opponent&timeout=1")).await.refusal("DEBATE_NOT_FOUND");
    let took = start.elapsed();
    assert!(took >= Duration::from_millis(900) && took < AT_ONCE, "timeout=1 took {took:?}");
    assert!(error["message"].as_str().unwrap().contains(&id), "{error}");
    let start = Instant::now();
    client.get(&path(&id, "role=opponent&timeout=0")).await.refusal("DEBATE_NOT_FOUND");
    assert!(start.elapsed() < AT_ONCE, "timeout=0 took {:?}", start.elapsed());
    // Without it nothing is held.
    let start = Instant::now();
    client.get(&format!("/debates/{id}/wait?role=opponent&until_opened=false")).await.refusal("DEBATE_NOT_FOUND");
    assert!(start.elapsed() < AT_ONCE, "until_opened=false took {:?}", start.elapsed());
}

#[tokio::test]
async fn the_opening_does_not_extend_the_timeout() {
    let server = Server::start().await;
    let (client, id) = (server.client(), ids::fresh());
    let start = Instant::now();
    let proposer = wait(&client, &id, "role=proposer&timeout=4");
    // The end of this wait is when the debate is opened.
    client.get(&path(&ids::fresh(), "role=proposer&timeout=3")).await.refusal("DEBATE_NOT_FOUND");
    open(&client, &id).await;
    let data = proposer.await.unwrap().data(200);
    assert_eq!((&data["has_new_argument"], &data["action"]), (&json!(false), &json!("wait_for_opponent")), "{data}");
    let took = start.elapsed();
    assert!(took >= Duration::from_millis(3_900) && took < Duration::from_millis(6_500), "it took {took:?}");
}

#[rstest]
#[case("until_opened=yes&role=opponent")]
#[case("until_opened=&role=opponent")]
#[case("until_opened=True&role=opponent")]
#[case("until_opened=1&role=opponent")]
#[case("until_opened=true&until_opened=true&role=opponent")]
#[case("until_opened=true&role=opponent&argument_id=00000000-0000-4000-8000-000000000000")]
#[tokio::test]
async fn an_invalid_until_opened_is_refused_by_its_name(#[case] query: &str) {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    for id in [&debate.id, &ids::fresh()] {
        let error = server.client().get(&format!("/debates/{id}/wait?{query}")).await.refusal("INVALID_INPUT");
        assert_eq!(error["field"], "until_opened", "{error}");
    }
}

#[tokio::test]
async fn a_seen_argument_is_refused_even_if_the_debate_has_it() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let query = format!("role=opponent&argument_id={}", debate.newest());
    debate.wait(&format!("{query}&until_opened=true")).await.refusal("INVALID_INPUT");
    debate.wait(&format!("{query}&until_opened=false&timeout=0")).await.data(200);
}

#[tokio::test]
async fn waits_for_the_opening_count_as_held() {
    let server = Server::with(Settings::new().args(&["--max-waits", "1"])).await;
    let (client, id) = (server.client(), ids::fresh());
    let first = wait(&client, &id, "role=proposer");
    server.wait_for_held_waits(1).await;
    client.get(&path(&ids::fresh(), "role=opponent")).await.refusal("OVERLOADED");
    // The held wait keeps its place when the debate is opened.
    let mut debate = open(&client, &id).await;
    client.get(&path(&ids::fresh(), "role=opponent")).await.refusal("OVERLOADED");
    assert_eq!(debate.wait("role=opponent").await.data(200)["argument"]["seq"], 1);
    debate.claim("opponent").await;
    assert_eq!(first.await.unwrap().data(200)["argument"]["seq"], 2);
}
