//! More connections or held waits than `--max-connections` and `--max-waits` allow.

use std::time::Duration;

use serde_json::json;
use tests::{
    debate::Debate,
    ids,
    server::{Server, Settings},
};
use tokio::time::timeout;

/// Much shorter than a wait is held.
const REFUSED_WITHIN: Duration = Duration::from_secs(10);

/// Sends two waits in a new debate.
async fn two_waits(server: &Server) -> Debate {
    let debate = Debate::create(&server.client()).await;
    server.wait_for_connections(0).await;
    for _ in 0..2 {
        let (client, wait) = (server.client(), debate.path("/wait?role=proposer&timeout=60"));
        tokio::spawn(async move { client.response(&client.request("GET", &wait)).await });
    }
    debate
}

/// The response to a request over a limit.
async fn third_response(server: &Server, path: &str) -> tests::api_response::ApiResponse {
    let answer = timeout(REFUSED_WITHIN, server.client().get(path)).await;
    answer.expect("a request over the limit is refused, not held")
}

#[tokio::test]
async fn a_wait_over_the_limit_is_overloaded_and_other_requests_are_served() {
    let server = Server::with(Settings::new().args(&["--max-waits", "2"])).await;
    let debate = two_waits(&server).await;
    server.wait_for_held_waits(2).await;
    let error = third_response(&server, &debate.path("/wait?role=proposer")).await.refusal("OVERLOADED");
    assert!(error["retry_after"].as_f64().is_some_and(|seconds| seconds > 0.0), "{error}");
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    // A wait that need not be held is answered.
    assert_eq!(debate.wait("role=proposer").await.data(200)["has_new_argument"], true);
}

#[tokio::test]
async fn a_wait_without_time_is_not_held() {
    let server = Server::with(Settings::new().args(&["--max-waits", "0"])).await;
    let client = server.client();
    let debate = Debate::create(&client).await;
    debate.wait("role=proposer").await.refusal("OVERLOADED");
    assert_eq!(debate.wait("role=proposer&timeout=0").await.data(200)["has_new_argument"], false);
    let unopened = format!("/debates/{}/wait?role=opponent&until_opened=true&timeout=0", ids::fresh());
    client.get(&unopened).await.refusal("DEBATE_NOT_FOUND");
    assert_eq!(client.get("/wait?role=arbitrator&timeout=0").await.data(200)["debates"], json!([]));
}

#[tokio::test]
async fn a_connection_over_the_limit_is_overloaded() {
    let server = Server::with(Settings::new().args(&["--max-connections", "2"])).await;
    two_waits(&server).await;
    server.wait_for_connections(2).await;
    let error = third_response(&server, "/debates").await.refusal("OVERLOADED");
    assert!(error["retry_after"].as_f64().is_some_and(|seconds| seconds > 0.0), "{error}");
}
