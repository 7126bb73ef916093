//! More connections or held waits than the server is set to hold.

use std::time::Duration;

use tests::{
    debate::Debate,
    server::{Server, Settings},
};
use tokio::time::timeout;

/// Far less than a wait is held for.
const AT_ONCE: Duration = Duration::from_secs(10);

/// Holds two waits, and gives what a third caller is told.
async fn third(server: &Server, path_of_third: &str) -> tests::api_response::ApiResponse {
    let debate = Debate::create(&server.client()).await;
    server.wait_for_connections(0).await;
    for _ in 0..2 {
        let (client, path) = (server.client(), debate.path("/wait?role=proposer&timeout=60"));
        tokio::spawn(async move { client.response(&client.request("GET", &path)).await });
    }
    server.wait_for_connections(2).await;
    let path = path_of_third.replace("{id}", &debate.id);
    let answer = timeout(AT_ONCE, server.client().get(&path)).await;
    answer.expect("one too many is told so at once, not left waiting")
}

#[tokio::test]
async fn one_wait_too_many_is_told_to_come_again_and_everything_else_goes_on() {
    let server = Server::with(Settings::new().args(&["--max-waits", "2"])).await;
    let error = third(&server, "/debates/{id}/wait?role=proposer").await.refusal("OVERLOADED");
    assert!(error["retry_after"].as_f64().is_some_and(|seconds| seconds > 0.0), "{error}");
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    // What need not be held is answered.
    assert_eq!(debate.wait("role=proposer").await.data(200)["has_new_argument"], true);
}

#[tokio::test]
async fn one_connection_too_many_is_told_to_come_again() {
    let server = Server::with(Settings::new().args(&["--max-connections", "2"])).await;
    let error = third(&server, "/debates").await.refusal("OVERLOADED");
    assert!(error["retry_after"].as_f64().is_some_and(|seconds| seconds > 0.0), "{error}");
}
