//! The sign-in link that a server prints on a terminal.

use serde_json::{Value, json};
use tests::{
    debate::{Debate, Situation},
    polling, request_bodies,
    server::{Server, Settings},
};

fn settings_with_tokens() -> Settings {
    Settings::new().env("DEBATE_AUTH_TOKEN", "agents").env("DEBATE_ARBITRATOR_TOKEN", "judge").env("RUST_LOG", "trace")
}

/// The host and the code in the printed link.
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
async fn the_sign_in_link_works_once_and_gives_all_rights() {
    let server = Server::with(settings_with_tokens().on_a_terminal()).await;
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
    // The code is not a token.
    server.client().with_token(&code).get("/debates").await.refusal("AUTH_FAILED");
    let log = server.log();
    assert!(!log.is_empty(), "the trace log is not empty");
    for secret in [&code, &token] {
        assert!(!log.contains(secret.as_str()), "the log contains {secret}");
    }
}

#[tokio::test]
async fn no_link_is_printed_without_a_terminal_or_without_tokens() {
    // The harness checks that a server without a terminal prints exactly one line.
    let server = Server::with(settings_with_tokens()).await;
    exchange(&server, "").await.refusal("AUTH_FAILED");
    let open = Server::with(Settings::new().on_a_terminal()).await;
    assert!(!open.printed().contains("sign-in"), "{}", open.printed());
}

#[tokio::test]
async fn invalid_sign_in_requests_are_refused() {
    let server = Server::with(settings_with_tokens()).await;
    for body in [json!({}), json!({"code": 1}), json!({"code": Value::Null}), json!([])] {
        server.client().post("/sign-in", &body).await.refusal("INVALID_INPUT");
    }
    let huge = request_bodies::with(json!({}), "code", "x".repeat(20_000_000));
    server.client().post("/sign-in", &huge).await.refusal("CONTENT_TOO_LARGE");
    let form = server.client().write("/sign-in", "code=1").header("Content-Type", &["text/plain"]);
    server.client().send(&form).await.refusal("UNSUPPORTED_MEDIA_TYPE");
}
