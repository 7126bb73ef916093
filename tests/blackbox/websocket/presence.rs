//! Presence events: which roles are waiting.

use serde_json::json;
use tests::{
    debate::Debate,
    fault_injector::{Fault, FaultInjector},
    server::{Server, Settings},
    store::Store,
};
use tokio::task::JoinHandle;

use super::viewer::Viewer;

/// Waits over REST until a new argument comes or the task is aborted.
fn wait(server: &Server, debate: &Debate, role: &str) -> JoinHandle<tests::api_response::ApiResponse> {
    let (client, path) = (server.client(), debate.path(&format!("/wait?role={role}&timeout=60")));
    let path = format!("{path}&argument_id={}", debate.newest());
    tokio::spawn(async move { client.get(&path).await })
}

#[tokio::test]
async fn presence_shows_a_role_while_its_wait_is_held() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let held = wait(&server, &debate, "proposer");
    let told = viewer.expect("presence").await;
    assert_eq!((&told["debate_id"], &told["waiting"][0]["role"]), (&json!(debate.id), &json!("proposer")));
    assert_eq!(told["waiting"].as_array().unwrap().len(), 1, "{told}");

    // A viewer that joins later is told too.
    let (mut late, _) = Viewer::of_debate(&server, &debate.id).await;
    assert_eq!(late.expect("presence").await, told);

    // A second wait of the same role causes no event, a wait of another role does.
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
async fn presence_ends_when_the_waiter_disconnects() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let held = wait(&server, &debate, "opponent");
    assert_eq!(viewer.expect("presence").await["waiting"][0]["role"], "opponent");
    held.abort();
    assert_eq!(viewer.expect("presence").await["waiting"], json!([]));
}

#[tokio::test]
async fn presence_is_only_sent_to_viewers_of_the_debate() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    let mut other = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let (mut list, _) = Viewer::of_list(&server).await;
    let (mut other_viewer, _) = Viewer::of_debate(&server, &other.id).await;
    let held = wait(&server, &other, "proposer");
    other_viewer.expect("presence").await;
    debate.claim("opponent").await;
    viewer.expect("new_argument").await;
    list.expect("debate_changed").await;
    other.claim("opponent").await;
    held.await.unwrap().data(200);
}

#[tokio::test]
async fn a_side_whose_turn_it_is_is_silent_after_ten_minutes_without_a_word() {
    let home = tempfile::TempDir::new().unwrap();
    let store = Store::fresh(home.path());
    let injector = FaultInjector::for_store(&store);
    let server = Server::on_store(injector.apply_to(Settings::new()), &store).await;
    let mut debate = Debate::create(&server.client()).await;
    let opened = debate.stored().await["debate"]["updated_at"].clone();
    injector.set_faults(&[Fault::ClockOffset(11 * 60)]);
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let silent = json!([{"role": "opponent", "since": opened}]);
    let told = viewer.expect("presence").await;
    assert_eq!((&told["waiting"], &told["silent"]), (&json!([]), &silent));

    // The proposer waits, which changes nothing, since it is not its turn. Then the opponent is heard of.
    let held = wait(&server, &debate, "proposer");
    let told = viewer.expect("presence").await;
    assert_eq!((&told["waiting"][0]["role"], &told["silent"]), (&json!("proposer"), &silent));
    let waits = wait(&server, &debate, "opponent");
    assert_eq!(viewer.expect("presence").await["silent"], json!([]));
    waits.abort();
    let left = viewer.expect("presence").await;
    assert_eq!((left["waiting"].as_array().unwrap().len(), &left["silent"]), (1, &json!([])));
    injector.set_faults(&[Fault::ClockOffset(22 * 60)]);
    let (mut late, _) = Viewer::of_debate(&server, &debate.id).await;
    let told = late.expect("presence").await;
    assert_eq!(told["silent"][0]["role"], "opponent", "{told}");
    assert_ne!(told["silent"][0]["since"], opened, "it has waited meanwhile");

    // A claim ends the silence, and the proposer's wait.
    debate.claim("opponent").await;
    held.await.unwrap().data(200);
    loop {
        let event = late.next().await;
        if event.name == "presence" && event.data["waiting"] == json!([]) && event.data["silent"] == json!([]) {
            break;
        }
    }
}
