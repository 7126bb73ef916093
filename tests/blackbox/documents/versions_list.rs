//! `GET /documents/{id}/versions`.

use rstest::rstest;
use serde_json::Value;
use tests::{document::Document, ids, request_bodies, server::Server};

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

#[tokio::test]
async fn after_the_oldest_version_there_is_none() {
    let server = Server::shared().await;
    let document = Document::create(&server.client()).await;
    for offset in ["1", "9223372036854775807"] {
        let page = document.history(&format!("offset={offset}")).await.data(200);
        assert_eq!((&page["versions"], &page["total"]), (&Value::Array(Vec::new()), &1.into()));
    }
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
