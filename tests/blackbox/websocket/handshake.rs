//! The WebSocket handshake: tokens, origins and query parameters.

use rstest::rstest;
use serde_json::json;
use tests::{
    debate::{Debate, Situation},
    server::{Server, Settings},
};

use super::viewer::{Viewer, handshake};

const SECRET: &str = "secret/with=odd+chars~";
const IN_QUERY: &str = "secret/with%3Dodd%2Bchars~";

async fn server_with_token() -> Server {
    Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", SECRET)).await
}

async fn server_with_both_tokens() -> Server {
    Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "agents").env("DEBATE_ARBITRATOR_TOKEN", "judge")).await
}

#[tokio::test]
async fn the_token_is_read_from_the_header_or_the_query() {
    let server = server_with_token().await;
    let debate = Debate::create(&server.client().with_token(SECRET)).await;
    let header = format!("Bearer {SECRET}");
    for path in ["/ws".to_owned(), format!("/ws?debate_id={}", debate.id)] {
        let mut viewer = Viewer::connect(server.address(), &path, &[("Authorization", &header)]).await;
        viewer.expect("initial_state").await;
        let and = if path.contains('?') { '&' } else { '?' };
        Viewer::at(&server, &format!("{path}{and}token={IN_QUERY}")).await;
    }
}

#[rstest]
#[tokio::test]
async fn without_the_right_token_the_handshake_is_refused(#[values("/ws", "/ws?debate_id=ID")] path: &str) {
    let server = server_with_token().await;
    let debate = Debate::create(&server.client().with_token(SECRET)).await;
    let path = path.replace("ID", &debate.id);
    let and = if path.contains('?') { '&' } else { '?' };
    let request = handshake(&server.client(), &path);
    server.client().send(&request).await.refusal("AUTH_FAILED");
    for header in ["Bearer wrong", "Bearer ", "Bearer secret/with=odd+chars", SECRET] {
        server.client().send(&request.clone().header("Authorization", &[header])).await.refusal("AUTH_FAILED");
    }
    for token in ["wrong", "", "secret/with%3Dodd%2Bchars"] {
        let request = handshake(&server.client(), &format!("{path}{and}token={token}"));
        server.client().send(&request).await.refusal("AUTH_FAILED");
    }
}

#[tokio::test]
async fn the_agents_token_can_watch_but_not_rule() {
    let server = server_with_both_tokens().await;
    let mut debate = Debate::in_situation(&server.client().with_token("agents"), Situation::Appealed).await;
    let (mut viewer, before) = Viewer::at(&server, &format!("/ws?debate_id={}&token=agents", debate.id)).await;
    for action in ["submit_ruling", "submit_intervention"] {
        let request_id = viewer.act(action, json!({"debate_id": debate.id, "content": "Mine."})).await;
        let error = viewer.expect("error").await;
        assert_eq!((&error["code"], &error["request_id"]), (&json!("FORBIDDEN"), &json!(request_id)));
    }
    // Invalid input is reported before the missing permission.
    viewer.act("submit_ruling", json!({"debate_id": debate.id, "content": ""})).await;
    assert_eq!(viewer.expect("error").await["code"], "INVALID_INPUT");
    assert_eq!(debate.stored().await["debate"], before["debate"]);

    let (mut judge, _) = Viewer::at(&server, &format!("/ws?debate_id={}&token=judge", debate.id)).await;
    judge.act("submit_ruling", json!({"debate_id": debate.id, "content": "Mine."})).await;
    let [accepted, _, _] = judge.expect_all(["accepted", "new_argument", "state_changed"]).await;
    assert_eq!(viewer.expect("new_argument").await, accepted["argument"]);
    debate.arguments.push(accepted["argument"]["id"].as_str().unwrap().to_owned());
    debate.claim("proposer").await;
    let mut judge = Viewer::connect(server.address(), "/ws", &[("Authorization", "Bearer judge")]).await;
    judge.expect("initial_state").await;
    judge.act("submit_intervention", json!({"debate_id": debate.id})).await;
    judge.expect_all(["accepted", "debate_changed"]).await;
}

#[tokio::test]
async fn with_only_an_arbitrator_token_everybody_watches_and_the_arbitrator_rules() {
    let server = Server::with(Settings::new().env("DEBATE_ARBITRATOR_TOKEN", "judge")).await;
    let debate = Debate::in_situation(&server.client(), Situation::Appealed).await;
    let (mut viewer, _) = Viewer::of_list(&server).await;
    viewer.act("submit_ruling", json!({"debate_id": debate.id, "content": "Mine."})).await;
    assert_eq!(viewer.expect("error").await["code"], "FORBIDDEN");
    let (mut judge, _) = Viewer::at(&server, "/ws?token=judge").await;
    judge.act("submit_ruling", json!({"debate_id": debate.id, "content": "Mine."})).await;
    judge.expect_all(["accepted", "debate_changed"]).await;
}

#[tokio::test]
async fn other_origins_and_hosts_are_refused() {
    let server = Server::start().await;
    let own = format!("http://localhost:{}", server.address().port());
    let mut viewer = Viewer::connect(server.address(), "/ws", &[("Origin", &own)]).await;
    viewer.expect("initial_state").await;
    let request = handshake(&server.client(), "/ws");
    for origin in ["http://evil.example", "http://localhost", "null", "file://", "http://localhost:1"] {
        server.client().send(&request.clone().header("Origin", &[origin])).await.refusal("FORBIDDEN");
    }
    for host in ["evil.example", "127.0.0.1", "evil.example:1"] {
        server.client().send(&request.clone().header("Host", &[host])).await.refusal("FORBIDDEN");
    }
    // A forwarded port, with a page that came over it and with one that did not.
    let forwarded = request.header("Host", &["localhost:1"]);
    let headers = [("host", "localhost:1"), ("origin", "http://localhost:1")];
    Viewer::connect(server.address(), "/ws", &headers).await.expect("initial_state").await;
    server.client().send(&forwarded.header("Origin", &[&own])).await.refusal("FORBIDDEN");
}

#[rstest]
#[case("debate_id=nonsense", "debate_id")]
#[case("debate_id=", "debate_id")]
#[case("debate_id=00000000-0000-4000-8000-000000000000&limit=-1", "limit")]
#[case("debate_id=00000000-0000-4000-8000-000000000000&after_seq=x", "after_seq")]
#[case("limit=0", "limit")]
#[case("limit=201", "limit")]
#[case("limit=1&limit=2", "limit")]
#[tokio::test]
async fn an_invalid_query_is_refused_at_the_handshake(#[case] query: &str, #[case] field: &str) {
    let server = Server::shared().await;
    let answer = server.client().send(&handshake(&server.client(), &format!("/ws?{query}"))).await;
    assert_eq!(answer.refusal("INVALID_INPUT")["field"], field);
}

#[tokio::test]
async fn a_plain_request_is_refused() {
    let server = Server::shared().await;
    server.client().get("/ws").await.refusal("INVALID_INPUT");
    server.client().post("/ws", &json!({})).await.refusal("METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn a_token_in_the_query_is_never_logged() {
    let settings = Settings::new().env("DEBATE_AUTH_TOKEN", "secret-of-viewers").env("RUST_LOG", "trace");
    let server = Server::with(settings).await;
    Viewer::at(&server, "/ws?token=secret-of-viewers").await;
    let wrong = handshake(&server.client(), "/ws?token=secret-of-strangers");
    server.client().send(&wrong).await.refusal("AUTH_FAILED");
    let log = server.log();
    assert!(!log.is_empty(), "the trace log is not empty");
    assert_eq!(log.lines().find(|line| line.contains("secret-of")), None);
}
