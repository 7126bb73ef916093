//! Who waits, as others see it.

use serde_json::json;
use tests::{debate::Debate, server::Server};
use tokio::task::JoinHandle;

use super::viewer::Viewer;

/// Waits over REST until there is news, or until this is aborted.
fn wait(server: &Server, debate: &Debate, role: &str) -> JoinHandle<tests::api_response::ApiResponse> {
    let (client, path) = (server.client(), debate.path(&format!("/wait?role={role}&timeout=60")));
    let path = format!("{path}&argument_id={}", debate.newest());
    tokio::spawn(async move { client.get(&path).await })
}

#[tokio::test]
async fn a_wait_shows_as_long_as_it_is_held_and_goes_with_its_answer() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let held = wait(&server, &debate, "proposer");
    let told = viewer.expect("presence").await;
    assert_eq!((&told["debate_id"], &told["waiting"][0]["role"]), (&json!(debate.id), &json!("proposer")));
    assert_eq!(told["waiting"].as_array().unwrap().len(), 1, "{told}");

    // One who comes later is told as well.
    let (mut late, _) = Viewer::of_debate(&server, &debate.id).await;
    assert_eq!(late.expect("presence").await, told);

    // A second wait of the same role changes nothing that could be told, one of another role does.
    let again = wait(&server, &debate, "proposer");
    server.wait_for_connections(4).await;
    let arbitrator = wait(&server, &debate, "arbitrator");
    let both = viewer.expect("presence").await;
    assert_eq!(both["waiting"][0], told["waiting"][0]);
    assert_eq!((&both["waiting"][1]["role"], both["waiting"].as_array().unwrap().len()), (&json!("arbitrator"), 2));

    debate.claim("opponent").await;
    held.await.unwrap().data(200);
    again.await.unwrap().data(200);
    let [_, _, left] = viewer.expect_all(["new_argument", "state_changed", "presence"]).await;
    assert_eq!(left["waiting"], json!([both["waiting"][1]]));
    arbitrator.abort();
}

#[tokio::test]
async fn one_who_hangs_up_is_gone() {
    let server = Server::start().await;
    let debate = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let held = wait(&server, &debate, "opponent");
    assert_eq!(viewer.expect("presence").await["waiting"][0]["role"], "opponent");
    held.abort();
    assert_eq!(viewer.expect("presence").await["waiting"], json!([]));
}

#[tokio::test]
async fn nobody_is_told_who_waits_elsewhere() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    let mut other = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let (mut list, _) = Viewer::of_list(&server).await;
    let (mut witness, _) = Viewer::of_debate(&server, &other.id).await;
    let held = wait(&server, &other, "proposer");
    witness.expect("presence").await;
    debate.claim("opponent").await;
    viewer.expect("new_argument").await;
    list.expect("debate_changed").await;
    other.claim("opponent").await;
    held.await.unwrap().data(200);
}
