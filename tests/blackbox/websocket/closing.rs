//! Connections that the server closes: failures and shutdown.

use std::time::{Duration, Instant};

use tests::{
    debate::Debate,
    server::{Server, Settings},
};

use super::viewer::Viewer;

#[tokio::test]
async fn a_viewer_of_a_damaged_debate_gets_the_close_code_1008_and_the_id_under_which_the_log_has_the_cause() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let debate = Debate::create(&server.client()).await;
    server.terminate();
    server.wait_for_exit().await;
    server.store().corrupt("AWAITING_OPPONENT", "AWAITING_OPPONENX");
    server.restart().await;

    let client = server.client();
    let request = client.request("GET", &debate.path("")).header("X-Request-Id", &["reader"]);
    let error = client.send(&request).await.refusal("HISTORY_INVALID");
    assert!(!error.to_string().contains("AWAITING_OPPONENX"), "{error}");
    let headers = [("x-request-id", "viewer")];
    let mut viewer = Viewer::connect(server.address(), &format!("/ws?debate_id={}", debate.id), &headers).await;
    let error = viewer.expect("error").await;
    assert_eq!((error["code"].as_str(), error["log_id"].as_str()), (Some("HISTORY_INVALID"), Some("viewer")));
    assert_eq!(viewer.closed().await.code, 1008);

    // With the id that the client was told, the log has the cause.
    for id in ["reader", "viewer"] {
        let about = format!("\"request_id\":\"{id}\"");
        let log = server.log();
        let cause = log.lines().find(|line| line.contains(&about) && line.contains("inconsistent row"));
        assert!(cause.is_some_and(|line| line.contains(&debate.id)), "{id}: {log}");
    }
}

#[tokio::test]
async fn a_shutdown_closes_all_viewers_with_1001_and_exits_0() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let mut debate = Debate::create(&server.client()).await;
    let mut viewers = Vec::new();
    for _ in 0..20 {
        viewers.push(Viewer::of_debate(&server, &debate.id).await.0);
        viewers.push(Viewer::of_list(&server).await.0);
    }
    let start = Instant::now();
    server.terminate();
    for viewer in viewers {
        let closed = viewer.closed().await;
        assert_eq!((closed.code, closed.before.len()), (1001, 0), "{closed:?}");
    }
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(10), "the server exited after {:?}", start.elapsed());

    server.restart().await;
    let (mut viewer, state) = Viewer::of_debate(&server, &debate.id).await;
    assert_eq!(state["debate"]["last_seq"], 1);
    debate.claim("opponent").await;
    viewer.expect("new_argument").await;
}

#[tokio::test]
async fn an_action_right_before_a_shutdown_is_never_accepted_without_being_stored() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let debate = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    viewer.act("submit_intervention", serde_json::json!({"debate_id": debate.id})).await;
    server.terminate();
    let closed = viewer.closed().await;
    assert_eq!(closed.code, 1001, "{closed:?}");
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    server.restart().await;
    let told = closed.before.iter().any(|event| event.name == "accepted");
    let stored = debate.stored().await["debate"]["last_seq"] == 2;
    // An action that was stored without a response can be repeated under its request id.
    assert!(stored || !told, "accepted: {told}, stored: {stored}");
}
