//! Who waits at one server is told by the others.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::{
    api_response::ApiResponse,
    debate::Debate,
    server::{Server, Settings},
};
use tokio::{task::JoinHandle, time::timeout};

use super::several;
use crate::websocket::viewer::Viewer;

/// How soon a viewer at another server is told.
const SOON: Duration = Duration::from_secs(1);

/// Who still waits after its wait has ended, since it usually waits again at once.
const GRACE_PERIOD: Duration = Duration::from_secs(2);

pub(super) fn wait(server: &Server, debate: &Debate, role: &str) -> JoinHandle<ApiResponse> {
    let path = debate.path(&format!("/wait?role={role}&timeout=60&argument_id={}", debate.newest()));
    let client = server.client();
    tokio::spawn(async move { client.get(&path).await })
}

pub(super) fn roles(presence: &Value) -> Vec<&str> {
    presence["waiting"].as_array().unwrap().iter().map(|one| one["role"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_viewer_sees_within_a_second_who_waits_at_another_server() {
    let servers = several(2).await;
    let mut debate = Debate::create(&servers[0].client()).await;
    let (mut viewer, _) = Viewer::of_debate(&servers[1], &debate.id).await;
    let start = Instant::now();
    let held = wait(&servers[0], &debate, "proposer");
    let told = viewer.expect("presence").await;
    assert!(start.elapsed() < SOON, "it was told after {:?}", start.elapsed());
    assert_eq!(roles(&told), ["proposer"]);

    // A viewer that joins later is told at once, with the same time; and one who waits there sees it, but not itself.
    let (mut late, _) = Viewer::of_debate(&servers[1], &debate.id).await;
    assert_eq!(late.expect("presence").await, told);
    let path = format!("role=opponent&timeout=1&argument_id={}", debate.newest());
    let timed_out = debate.by(&servers[1].client()).wait(&path).await.data(200);
    assert_eq!(timed_out["waiting"], told["waiting"]);
    for expected in [&["proposer", "opponent"][..], &["proposer"]] {
        assert_eq!(roles(&viewer.expect("presence").await), expected);
    }

    debate.claim("opponent").await;
    held.await.unwrap().data(200);
    let start = Instant::now();
    loop {
        let event = viewer.next().await;
        if event.name == "presence" {
            assert_eq!(event.data["waiting"], json!([]));
            break;
        }
    }
    assert!(start.elapsed() < SOON, "it was told after {:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_starts_later_learns_who_waits_already() {
    let first = Server::start().await;
    let debate = Debate::create(&first.client()).await;
    let held = wait(&first, &debate, "opponent");
    first.wait_for_connections(1).await;
    let second = Server::on_store(Settings::new(), first.store()).await;
    let (mut viewer, _) = Viewer::of_debate(&second, &debate.id).await;
    let told = timeout(SOON, viewer.expect("presence")).await.expect("a viewer is told in time");
    assert_eq!(roles(&told), ["opponent"]);
    held.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_role_that_waits_on_at_another_server_waits_since_it_began() {
    let servers = several(2).await;
    let debate = Debate::create(&servers[0].client()).await;
    let (mut viewer, _) = Viewer::of_debate(&servers[0], &debate.id).await;
    let first = wait(&servers[0], &debate, "proposer");
    let told = viewer.expect("presence").await;
    let (mut elsewhere, _) = Viewer::of_debate(&servers[1], &debate.id).await;
    assert_eq!(elsewhere.expect("presence").await, told);
    let second = wait(&servers[1], &debate, "proposer");
    servers[1].wait_for_held_waits(1).await;
    // Time for both servers to tell each other, which changes nothing, and for the first wait to be forgotten.
    tokio::time::sleep(SOON).await;
    first.abort();
    tokio::time::sleep(GRACE_PERIOD + SOON).await;
    let (mut late, _) = Viewer::of_debate(&servers[0], &debate.id).await;
    assert_eq!(late.expect("presence").await, told);
    second.abort();
    let told = viewer.expect("presence").await;
    assert_eq!(told["waiting"], json!([]), "nothing was told in between");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_waits_at_a_server_that_has_stopped() {
    let mut servers = several(2).await;
    let debate = Debate::create(&servers[0].client()).await;
    let (mut viewer, _) = Viewer::of_debate(&servers[1], &debate.id).await;
    let held = wait(&servers[0], &debate, "proposer");
    assert_eq!(roles(&viewer.expect("presence").await), ["proposer"]);
    servers[0].terminate();
    assert_eq!(servers[0].wait_for_exit().await.code(), Some(0));
    held.await.unwrap().data(200);
    let gone = timeout(2 * SOON, viewer.expect("presence")).await.expect("a viewer is told in time");
    assert_eq!(gone["waiting"], json!([]));
}
