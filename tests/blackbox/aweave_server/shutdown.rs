//! Graceful shutdown.

use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::json;
use tests::{
    debate::Debate,
    ids, os,
    server::{Server, Settings},
};

#[rstest]
#[case::terminated(os::terminate)]
#[case::interrupted(os::interrupt)]
#[tokio::test]
async fn a_shutdown_answers_held_waits_at_once_and_exits_0(#[case] signal: fn(u32)) {
    let mut server = Server::start().await;
    let debate = Debate::create(&server.client()).await;
    let waits: Vec<_> = (0..20)
        .map(|_| {
            let (client, path) = (server.client(), debate.path("/wait?role=proposer&timeout=60"));
            tokio::spawn(async move { client.get(&path).await })
        })
        .collect();
    server.wait_for_held_waits(20).await;
    let start = Instant::now();
    signal(server.pid());
    for wait in waits {
        let data = wait.await.unwrap().data(200);
        assert_eq!((&data["has_new_argument"], &data["last_seen_seq"]), (&json!(false), &json!(0)), "{data}");
        assert_eq!((&data["action"], &data["debate_id"]), (&json!("wait_for_opponent"), &json!(debate.id)));
    }
    assert!(start.elapsed() < Duration::from_secs(3), "the waits were answered after {:?}", start.elapsed());
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(10), "it ended after {:?}", start.elapsed());
}

#[tokio::test]
async fn a_shutdown_ends_waits_for_an_opening_and_for_rulings_as_on_a_timeout() {
    let mut server = Server::start().await;
    let id = ids::fresh();
    let waits = [
        format!("/debates/{id}/wait?role=opponent&until_opened=true"),
        "/wait?role=arbitrator".to_owned(),
        format!("/wait?role=arbitrator&debate_id={id}"),
    ];
    let waits = waits.map(|path| {
        let client = server.client();
        tokio::spawn(async move { client.get(&path).await })
    });
    server.wait_for_held_waits(3).await;
    let start = Instant::now();
    server.terminate();
    let [opening, any, named] = waits;
    opening.await.unwrap().refusal("DEBATE_NOT_FOUND");
    for wait in [any, named] {
        assert_eq!(wait.await.unwrap().data(200), json!({"debates": [], "total": 0}));
    }
    assert!(start.elapsed() < Duration::from_secs(3), "the waits were answered after {:?}", start.elapsed());
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
}

#[tokio::test]
async fn a_silent_client_does_not_delay_a_shutdown() {
    let mut server = Server::start().await;
    server.wait_for_connections(0).await;
    let silent = tests::raw_http::open(server.address()).await.unwrap();
    server.wait_for_connections(1).await;
    let start = Instant::now();
    server.terminate();
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(10), "it ended after {:?}", start.elapsed());
    drop(silent);
}

#[tokio::test]
async fn debates_survive_a_restart() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    let before = debate.stored().await;
    server.terminate();
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    server.restart().await;
    assert_eq!(debate.stored().await, before);
    debate.claim("proposer").await;
}
