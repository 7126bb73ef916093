//! The link that a server prints on its terminal, and what it opens.

use serde_json::{Value, json};
use tests::{
    debate::{Debate, Situation},
    polling, request_bodies,
    server::{Server, Settings},
};

fn judged() -> Settings {
    Settings::new().env("DEBATE_AUTH_TOKEN", "agents").env("DEBATE_ARBITRATOR_TOKEN", "judge").env("RUST_LOG", "trace")
}

/// The link that a server on a terminal prints: the address of the page, and the code.
async fn link(server: &Server) -> (String, String) {
    let link = polling::until("the server prints a link", || {
        let printed = server.printed();
        let (_, rest) =
            printed.split_once("http://").filter(|_| printed.contains("#sign-in="))?.1.split_once("http://")?;
        rest.split_once('\r').map(|(link, _)| link.to_owned())
    })
    .await;
    let (page, code) = link.split_once("/#sign-in=").expect("a code after the page");
    (page.to_owned(), code.to_owned())
}

async fn exchange(server: &Server, code: &str) -> tests::api_response::ApiResponse {
    server.client().post("/sign-in", &json!({"code": code})).await
}

#[tokio::test]
async fn the_link_signs_in_once_and_for_everything() {
    let server = Server::with(judged().on_a_terminal()).await;
    let (page, code) = link(&server).await;
    assert_eq!(page, server.address().to_string());
    exchange(&server, "wrong").await.refusal("AUTH_FAILED");
    let data = exchange(&server, &code).await.data(200);
    let token = tests::debate::text(&data["token"]);
    assert!(token.len() >= 32 && token != code && token != "judge", "{data}");
    exchange(&server, &code).await.refusal("AUTH_FAILED");

    let signed_in = server.client().with_token(&token);
    let mut debate = Debate::in_situation(&signed_in, Situation::Appealed).await;
    debate.rule(false).await;
    debate.intervene().await;
    // The code itself is no token.
    server.client().with_token(&code).get("/debates").await.refusal("AUTH_FAILED");
    let log = server.log();
    assert!(!log.is_empty(), "trace logs something");
    for secret in [&code, &token] {
        assert!(!log.contains(secret.as_str()), "the log has {secret}");
    }
}

#[tokio::test]
async fn no_link_is_printed_where_nobody_looks_or_nobody_needs_one() {
    // (The harness checks that a server away from a terminal prints one line.)
    let server = Server::with(judged()).await;
    exchange(&server, "").await.refusal("AUTH_FAILED");
    let open = Server::with(Settings::new().on_a_terminal()).await;
    assert!(!open.printed().contains("sign-in"), "{}", open.printed());
}

#[tokio::test]
async fn what_is_no_code_is_refused_in_the_contracts_words() {
    let server = Server::with(judged()).await;
    for body in [json!({}), json!({"code": 1}), json!({"code": Value::Null}), json!([])] {
        server.client().post("/sign-in", &body).await.refusal("INVALID_INPUT");
    }
    let huge = request_bodies::with(json!({}), "code", "x".repeat(20_000_000));
    server.client().post("/sign-in", &huge).await.refusal("CONTENT_TOO_LARGE");
    let form = server.client().write("/sign-in", "code=1").header("Content-Type", &["text/plain"]);
    server.client().send(&form).await.refusal("UNSUPPORTED_MEDIA_TYPE");
}
