//! The order in which faults of a request are reported.

use tests::{
    document::Document,
    ids,
    raw_http::Request,
    request_bodies::{self, with},
    server::{Server, Settings},
};

/// The faults of a new version in the order of their precedence, with their codes.
const FAULTS: [(&str, &str); 11] = [
    ("host", "FORBIDDEN"),
    ("path", "NOT_FOUND"),
    ("method", "METHOD_NOT_ALLOWED"),
    ("token", "AUTH_FAILED"),
    ("media type", "UNSUPPORTED_MEDIA_TYPE"),
    ("size", "CONTENT_TOO_LARGE"),
    ("shape", "INVALID_INPUT"),
    ("id", "INVALID_INPUT"),
    ("document", "DOCUMENT_NOT_FOUND"),
    ("request id", "IDEMPOTENCY_CONFLICT"),
    ("deleted", "DOCUMENT_NOT_FOUND"),
];

#[tokio::test]
async fn a_new_version_with_several_faults_is_refused_for_the_first() {
    let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "agents")).await;
    let client = server.client().with_token("agents");
    let (document, used) = (Document::create(&client).await, request_bodies::document("x"));
    document.submit(&used).await;
    document.delete().await.data(200);
    for first in 0..FAULTS.len() {
        let has = |fault: &str| FAULTS[first..].iter().any(|(name, _)| *name == fault);
        let id = match (has("id"), has("document")) {
            (true, _) => "no-id".to_owned(),
            (false, true) => ids::fresh(),
            (false, false) => document.id.clone(),
        };
        let path = format!("/documents/{id}/{}", if has("path") { "nonsense" } else { "versions" });
        let mut body = request_bodies::document("y");
        if has("request id") {
            body = with(body, "client_request_id", used["client_request_id"].clone());
        }
        if has("size") {
            body = with(body, "content", "x".repeat(1_048_577));
        }
        if has("shape") {
            body = with(body, "summary", 7);
        }
        let caller = if has("token") { server.client().with_token("wrong") } else { client.clone() };
        let request = caller.write(&path, body.to_string());
        let method = if has("method") { "PUT".to_owned() } else { request.method.clone() };
        let request = Request { method, ..request };
        let request = if has("media type") { request.header("Content-Type", &["text/plain"]) } else { request };
        let request = if has("host") { request.header("Host", &["evil.example"]) } else { request };
        let (fault, code) = FAULTS[first];
        assert_eq!(client.send(&request).await.code(), code, "{fault}");
    }
}
