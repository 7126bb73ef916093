//! `GET /documents/{id}/versions`.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    document::Document,
    ids,
    request_bodies::{self, with},
    server::Server,
};

use crate::schema_checks;

async fn numbers(document: &Document, query: &str) -> Vec<u64> {
    let data = document.history(query).await.data(200);
    assert_eq!(data["total"], 7, "{data}");
    data["versions"].as_array().unwrap().iter().map(|version| version["version"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn versions_are_listed_newest_first_without_contents() {
    let server = Server::shared().await;
    let document = Document::create(&server.client()).await;
    for number in 2..=7 {
        let summary = format!("number {number}");
        document.submit(&with(request_bodies::document(&"long ".repeat(1000)), "summary", summary)).await;
    }
    assert_eq!(numbers(&document, "").await, [7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(numbers(&document, "limit=3").await, [7, 6, 5]);
    assert_eq!(numbers(&document, "limit=3&offset=3").await, [4, 3, 2]);
    assert_eq!(numbers(&document, "limit=3&offset=6").await, [1]);
    for offset in ["7", "8", "9223372036854775807"] {
        assert_eq!(numbers(&document, &format!("offset={offset}")).await, [0; 0]);
    }
    let data = document.history("").await.data(200);
    schema_checks::is_document(&data["document"]);
    for version in data["versions"].as_array().unwrap() {
        schema_checks::is_version_entry(version);
        assert!(version.get("content").is_none() && version.get("metadata").is_none(), "{version}");
    }
    assert_eq!(data["versions"][2]["summary"], "number 5");
}

#[tokio::test]
async fn the_default_page_has_50_versions_of_bounded_size() {
    let server = Server::start().await;
    let document = Document::create(&server.client()).await;
    let mut weights = Vec::new();
    for versions in [60, 300] {
        while document.history("limit=1").await.data(200)["total"].as_u64() < Some(versions) {
            document.submit(&request_bodies::document("x")).await;
        }
        let page = document.history("").await.data(200);
        let versions: &Vec<Value> = page["versions"].as_array().unwrap();
        weights.push((versions.len(), page["versions"].to_string().len()));
    }
    // Only version numbers with more digits may make a page larger.
    assert_eq!(weights.iter().map(|(versions, _)| *versions).collect::<Vec<_>>(), [50, 50]);
    assert!(weights[1].1 - weights[0].1 <= 100, "{weights:?}");
}

#[rstest]
#[case("limit", "0")]
#[case("limit", "201")]
#[case("limit", "abc")]
#[case("offset", "-1")]
#[case("offset", "9223372036854775808")]
#[tokio::test]
async fn a_value_out_of_its_range_is_refused_and_never_clamped(#[case] field: &str, #[case] value: &str) {
    let server = Server::shared().await;
    let document = Document::create(&server.client()).await;
    let error = document.history(&format!("{field}={value}")).await.refusal("INVALID_INPUT");
    assert_eq!(error["field"], field);
}

#[tokio::test]
async fn an_unknown_document_is_not_found() {
    let server = Server::shared().await;
    let path = format!("/documents/{}/versions", ids::fresh());
    server.client().get(&path).await.refusal("DOCUMENT_NOT_FOUND");
}

#[tokio::test]
async fn a_deleted_document_keeps_its_versions() {
    let server = Server::start().await;
    let document = Document::create(&server.client()).await;
    let before = document.history("").await.data(200);
    document.delete().await.data(200);
    let after = document.history("").await.data(200);
    assert_eq!(after["versions"], before["versions"]);
    assert_eq!((&after["total"], after["document"]["deleted_at"].is_null()), (&json!(1), false));
}
