//! `GET /documents`.

use rstest::rstest;
use serde_json::Value;
use tests::{
    client::Client,
    debate::text,
    document::Document,
    request_bodies::{self, with},
    server::Server,
};

use crate::schema_checks;

async fn about(client: &Client, summary: &str) -> Document {
    Document::create_with(client, &with(request_bodies::document("x"), "summary", summary)).await
}

async fn list(client: &Client, query: &str) -> (Vec<Value>, u64) {
    let data = client.get(&format!("/documents?{query}")).await.data(200);
    (data["documents"].as_array().unwrap().clone(), data["total"].as_u64().unwrap())
}

/// The summaries that match `q`, sorted.
async fn summaries(client: &Client, q: &str) -> Vec<String> {
    let q: String = q.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let (documents, total) = list(client, &format!("q={q}")).await;
    assert_eq!(documents.len() as u64, total);
    let mut summaries: Vec<_> = documents.iter().map(|document| text(&document["summary"])).collect();
    summaries.sort();
    summaries
}

#[tokio::test]
async fn documents_are_sorted_by_their_last_change() {
    let server = Server::start().await;
    let client = server.client();
    let (first, second) = (about(&client, "first").await, about(&client, "second").await);
    let ids = async || list(&client, "").await.0.iter().map(|document| text(&document["id"])).collect::<Vec<_>>();
    assert_eq!(ids().await, [second.id.as_str(), &first.id]);
    let six_bytes = "ngắn";
    first.submit(&request_bodies::document(six_bytes)).await;
    assert_eq!(ids().await, [first.id.as_str(), &second.id]);
    let (documents, total) = list(&client, "").await;
    documents.iter().for_each(schema_checks::is_document);
    assert_eq!(total, 2);
    let mut document = first.get("").await.data(200)["document"].clone();
    document["content_bytes"] = 6.into();
    assert_eq!(documents[0], document, "the list and the document tell the same, but for the size");
}

#[tokio::test]
async fn q_finds_a_part_of_the_title_or_the_latest_summary_with_letters_in_either_case() {
    let server = Server::start().await;
    let client = server.client();
    let moved = about(&client, "Old Plan").await;
    for summary in ["Đề xuất", "đề xuất", "100% of it", "1000 of it", "a_b", "aXb"] {
        about(&client, summary).await;
    }
    for summary in ["In between", "New way"] {
        moved.submit(&with(request_bodies::document("x"), "summary", summary)).await;
    }
    assert_eq!(summaries(&client, "oLD pLAN").await, ["New way"], "the title stays");
    assert_eq!(summaries(&client, "nEW").await, ["New way"]);
    assert_eq!(summaries(&client, "between").await, [""; 0], "neither the title nor the latest summary");
    assert_eq!(summaries(&client, "ĐỀ").await, ["Đề xuất", "đề xuất"]);
    assert_eq!(summaries(&client, "ề XU").await, ["Đề xuất", "đề xuất"]);
    assert_eq!(summaries(&client, "0%").await, ["100% of it"]);
    assert_eq!(summaries(&client, "A_b").await, ["a_b"]);
}

#[tokio::test]
async fn q_finds_a_document_by_the_beginning_of_its_id() {
    let server = Server::start().await;
    let client = server.client();
    let document = about(&client, "one").await;
    about(&client, "two").await;
    for prefix in [&document.id[..8], &document.id[..8].to_uppercase(), &document.id[..13], &document.id] {
        assert_eq!(summaries(&client, prefix).await, ["one"], "{prefix}");
    }
    assert_eq!(summaries(&client, &document.id[9..]).await, [""; 0], "a prefix, not a part");
}

#[rstest]
#[case("limit", "0")]
#[case("limit", "201")]
#[case("limit", "abc")]
#[case("offset", "-1")]
#[case("q", "%00")]
#[tokio::test]
async fn an_invalid_value_is_refused(#[case] field: &str, #[case] value: &str) {
    let server = Server::shared().await;
    let error = server.client().get(&format!("/documents?{field}={value}")).await.refusal("INVALID_INPUT");
    assert_eq!(error["field"], field);
}
