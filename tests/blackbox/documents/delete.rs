//! `DELETE /documents/{id}`.

use tests::{document::Document, ids, server::Server};

use crate::schema_checks;

#[tokio::test]
async fn a_deleted_document_has_its_deletion_time_and_can_be_read() {
    let server = Server::shared().await;
    let document = Document::create(&server.client()).await;
    let before = document.get("").await.data(200);
    let deleted = document.delete().await.data(200)["document"].clone();
    schema_checks::is_document(&deleted);
    schema_checks::is_time(&deleted["deleted_at"]);
    let after = document.get("").await.data(200);
    assert_eq!((&after["document"], &after["version"]), (&deleted, &before["version"]));
}

#[tokio::test]
async fn deleting_twice_changes_nothing() {
    let server = Server::shared().await;
    let document = Document::create(&server.client()).await;
    let first = document.delete().await.data(200);
    assert_eq!(document.delete().await.data(200), first);
}

#[tokio::test]
async fn an_unknown_document_cannot_be_deleted() {
    let server = Server::shared().await;
    let client = server.client();
    let delete = async |id: &str| client.send(&client.request("DELETE", &format!("/documents/{id}"))).await;
    delete(&ids::fresh()).await.refusal("DOCUMENT_NOT_FOUND");
    delete("nonsense").await.refusal("INVALID_INPUT");
}
