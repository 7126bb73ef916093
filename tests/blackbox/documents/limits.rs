//! The size limits of documents.

use rstest::rstest;
use serde_json::json;
use tests::{
    document::Document,
    request_bodies::{self, with},
    server::{Server, Settings},
};

const MIB: usize = 1 << 20;

#[rstest]
#[case::plain("x", MIB)]
#[case::many_bytes_a_character("ệ", MIB / 3)]
#[case::many_units_a_character("🙂", MIB / 4)]
#[case::escaped("\n", MIB)]
#[tokio::test]
async fn a_content_has_at_most_1_mib(#[case] character: &str, #[case] times: usize) {
    let server = Server::start().await;
    let fits = character.repeat(times) + &"x".repeat(MIB - times * character.len());
    let document = Document::create_with(&server.client(), &request_bodies::document(&fits)).await;
    assert!(document.newest().await["content"] == fits.as_str());
    let over = request_bodies::document(&(fits + "x"));
    for answer in [server.client().post("/documents", &over).await, document.attempt(&over).await] {
        let error = answer.refusal("CONTENT_TOO_LARGE");
        assert_eq!((&error["limit"], &error["actual"]), (&json!(MIB), &json!(MIB + 1)));
        assert_eq!(error["field"], "content");
    }
    assert_eq!(document.history("").await.data(200)["total"], 1);
}

#[tokio::test]
async fn the_longest_content_may_be_fully_escaped() {
    let server = Server::shared().await;
    let client = server.client();
    let body = request_bodies::document("HERE").to_string().replace("HERE", &r"\u0009".repeat(MIB));
    let data = client.send(&client.write("/documents", body)).await.data(201);
    assert!(data["version"]["content"] == "\t".repeat(MIB));
}

#[rstest]
#[case::flag(Settings::new().args(&["--max-document-bytes", "10485760"]))]
#[case::environment(Settings::new().env("DEBATE_MAX_DOCUMENT_BYTES", "10485760"))]
#[tokio::test]
async fn the_limit_can_be_raised(#[case] settings: Settings) {
    let server = Server::with(settings).await;
    let fits = "đ".repeat(5 * MIB);
    let document = Document::create_with(&server.client(), &request_bodies::document(&fits)).await;
    assert!(document.newest().await["content"] == fits.as_str());
    let error = document.attempt(&request_bodies::document(&(fits + "x"))).await.refusal("CONTENT_TOO_LARGE");
    assert_eq!((&error["limit"], &error["actual"]), (&json!(10 * MIB), &json!(10 * MIB + 1)));
    // The limit of arguments is unchanged.
    let debate = tests::debate::Debate::create(&server.client()).await;
    let long = with(request_bodies::claim("opponent", debate.newest()), "content", "x".repeat(10_241));
    debate.attempt("arguments", &long).await.refusal("CONTENT_TOO_LARGE");
}

#[tokio::test]
async fn the_limit_can_be_lowered() {
    let server = Server::with(Settings::new().args(&["--max-document-bytes", "10"])).await;
    let document = Document::create_with(&server.client(), &request_bodies::document("0123456789")).await;
    let over = with(request_bodies::document("0123456789a"), "metadata", json!({"a": "x".repeat(60_000)}));
    let error = document.attempt(&over).await.refusal("CONTENT_TOO_LARGE");
    assert_eq!((&error["limit"], &error["actual"]), (&json!(10), &json!(11)));
}

#[tokio::test]
async fn a_huge_content_is_refused_with_its_size() {
    let server = Server::shared().await;
    let document = Document::create(&server.client()).await;
    let error = document.attempt(&request_bodies::document(&"x".repeat(30 * MIB))).await.refusal("CONTENT_TOO_LARGE");
    assert!(error["actual"].as_u64() > Some(30 * MIB as u64), "{error}");
    assert!(error["limit"].as_u64() < error["actual"].as_u64(), "{error}");
}

#[tokio::test]
async fn a_summary_has_at_most_500_characters() {
    let server = Server::shared().await;
    for character in ["x", "ệ", "🙂"] {
        let fits = with(request_bodies::document(""), "summary", character.repeat(500));
        Document::create_with(&server.client(), &fits).await;
        let over = with(request_bodies::document(""), "summary", character.repeat(501));
        let error = server.client().post("/documents", &over).await.refusal("CONTENT_TOO_LARGE");
        assert_eq!((&error["limit"], &error["actual"]), (&json!(500), &json!(501)));
        assert_eq!(error["field"], "summary");
    }
}

#[tokio::test]
async fn metadata_has_at_most_65_536_bytes() {
    let server = Server::shared().await;
    let metadata = |bytes: usize| json!({"a": "x".repeat(bytes - 8)});
    let fits = with(request_bodies::document(""), "metadata", metadata(65_536));
    Document::create_with(&server.client(), &fits).await;
    let over = with(request_bodies::document(""), "metadata", metadata(65_537));
    let error = server.client().post("/documents", &over).await.refusal("CONTENT_TOO_LARGE");
    assert_eq!((&error["limit"], &error["actual"]), (&json!(65_536), &json!(65_537)));
    assert_eq!(error["field"], "metadata");
}
