//! Every answer names its request in `x-request-id`.

use std::collections::BTreeSet;

use rstest::rstest;
use tests::{
    client::Client,
    debate::Debate,
    ids,
    raw_http::{self, Request},
    server::{Server, Settings},
};
use tokio::io::AsyncWriteExt;

use crate::websocket::viewer::handshake;

const X_REQUEST_ID: &str = "x-request-id";

/// The id in the answer to a request.
async fn answered(client: &Client, request: &Request) -> (u16, String) {
    let mut stream = raw_http::open(client.address()).await.unwrap();
    stream.write_all(&request.bytes()).await.unwrap();
    // The head alone, since a WebSocket stays open.
    let response = raw_http::read_response_to("HEAD", &mut stream).await.unwrap();
    let id = response.header(X_REQUEST_ID).unwrap_or_else(|| panic!("no id: {} {}", request.method, request.path));
    (response.status, id.to_owned())
}

#[tokio::test]
async fn every_answer_names_its_request_by_the_callers_id_or_a_new_one() {
    let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "agents").args(&["--max-waits", "0"])).await;
    let (client, stranger) = (server.client().with_token("agents"), server.client());
    let debate = Debate::create(&client).await;
    let get = |path: &str| client.request("GET", path);
    let missing = format!("/debates/{}", ids::fresh());
    let requests = [
        (200, get("/health")),
        (200, get("/info")),
        (200, get("/metrics")),
        (200, get("/openapi.json")),
        (200, get("/asyncapi.yaml")),
        (200, get("/")),
        (200, get("/d/x")),
        (200, get(&debate.path(""))),
        (200, get(&debate.path("/wait?role=opponent"))),
        (101, handshake(&client, "/ws")),
        (201, client.write("/documents", tests::request_bodies::document("text").to_string())),
        (400, client.write("/documents", "{")),
        (400, get("/debates?limit=many")),
        (400, get("/ws")),
        (401, stranger.request("GET", "/metrics")),
        (401, stranger.request("GET", "/debates")),
        (403, get("/debates").header("Host", &["evil.example"])),
        (403, get("/debates").header("Origin", &["http://evil.example"])),
        (404, get(&missing)),
        (404, get("/nonsense")),
        (404, get("/_next/static/missing.js")),
        (405, client.request("DELETE", "/health")),
        (413, get("/health").header("X-Long", &[&"x".repeat(9_000)])),
        (415, client.write("/documents", "{}").header("Content-Type", &["text/plain"])),
        (503, get(&debate.path("/wait?role=proposer"))),
    ];
    let mut made = BTreeSet::new();
    for (at, (status, request)) in requests.iter().enumerate() {
        let (answer, id) = answered(&client, request).await;
        assert_eq!(answer, *status, "{} {}", request.method, request.path);
        assert!(uuid::Uuid::parse_str(&id).is_ok(), "{id}");
        made.insert(id);
        let given = format!("aZ.09_:-{at}");
        assert_eq!(answered(&client, &request.clone().header("X-Request-Id", &[&given])).await.1, given);
    }
    assert_eq!(made.len(), requests.len(), "each request has an id of its own");
}

#[rstest]
#[case::empty(&[""])]
#[case::space(&["a b"])]
#[case::slash(&["a/b"])]
#[case::quote(&["a\"b"])]
#[case::letter(&["ä"])]
#[case::too_long(&["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"])]
#[case::two(&["one", "two"])]
#[tokio::test]
async fn another_id_than_one_of_the_form_is_replaced(#[case] given: &[&str]) {
    let server = Server::shared().await;
    let request = server.client().request("GET", "/health").header("X-Request-Id", given);
    let (_, id) = answered(&server.client(), &request).await;
    assert!(uuid::Uuid::parse_str(&id).is_ok(), "{given:?} is answered with {id}");
}

#[tokio::test]
async fn the_longest_id_is_kept() {
    let server = Server::shared().await;
    let longest = "x".repeat(128);
    let request = server.client().request("GET", "/health").header("X-Request-Id", &[&longest]);
    assert_eq!(answered(&server.client(), &request).await.1, longest);
}

#[tokio::test]
async fn a_connection_over_the_limit_is_named_and_logged_too() {
    let server = Server::with(Settings::new().args(&["--max-connections", "1"])).await;
    server.wait_for_connections(0).await;
    let holding = raw_http::open(server.address()).await.unwrap();
    server.wait_for_connections(1).await;
    let request = server.client().request("GET", "/debates").header("X-Request-Id", &["one-too-many"]);
    let (status, id) = answered(&server.client(), &request).await;
    assert_eq!((status, id.as_str()), (503, "one-too-many"));
    drop(holding);
    tests::polling::until("the rejected request in the log", || server.log().contains("one-too-many").then_some(()))
        .await;
}
