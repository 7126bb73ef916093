//! `GET /documents/{id}`.

use rstest::rstest;
use tests::{document::Document, ids, server::Server};

#[tokio::test]
async fn an_unknown_document_or_version_is_not_found() {
    let server = Server::shared().await;
    let document = Document::create(&server.client()).await;
    for version in ["2", "9223372036854775807"] {
        let error = document.get(&format!("version={version}")).await.refusal("DOCUMENT_NOT_FOUND");
        assert!(error["message"].as_str().unwrap().contains(version), "{error}");
    }
    let id = ids::fresh();
    let error = server.client().get(&format!("/documents/{id}")).await.refusal("DOCUMENT_NOT_FOUND");
    assert!(error["message"].as_str().unwrap().contains(&id), "{error}");
}

#[rstest]
#[tokio::test]
async fn an_invalid_version_is_refused(
    #[values("0", "-1", "1.0", "v1", "", "9223372036854775808", "1&version=1")] version: &str,
) {
    let server = Server::shared().await;
    let document = Document::create(&server.client()).await;
    let error = document.get(&format!("version={version}")).await.refusal("INVALID_INPUT");
    assert_eq!(error["field"], "version");
}

#[tokio::test]
async fn any_spelling_of_the_id_is_accepted() {
    let server = Server::shared().await;
    let document = Document::create(&server.client()).await;
    for id in [document.id.to_uppercase(), document.id.replace('-', "")] {
        let data = server.client().get(&format!("/documents/{id}")).await.data(200);
        assert_eq!(data["document"]["id"], document.id.as_str());
    }
    server.client().get("/documents/nonsense").await.refusal("INVALID_INPUT");
}
