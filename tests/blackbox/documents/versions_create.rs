//! `POST /documents/{id}/versions`.

use serde_json::json;
use tests::{
    document::Document,
    ids,
    request_bodies::{self, with},
    server::Server,
};
use tokio::task::JoinSet;

use crate::schema_checks;

#[tokio::test]
async fn a_new_version_leaves_earlier_ones_unchanged() {
    let server = Server::shared().await;
    let document = Document::create(&server.client()).await;
    let first = document.newest().await;
    let body = with(request_bodies::document("Two.\r\n"), "summary", "Plan: no budget");
    let data = document.submit(&body).await;
    schema_checks::is_document(&data["document"]);
    schema_checks::is_version(&data["version"]);
    assert_eq!((&data["document"]["latest_version"], &data["version"]["version"]), (&json!(2), &json!(2)));
    assert_eq!(data["document"]["summary"], "Plan: no budget", "the latest one");
    assert_eq!(data["document"]["title"], first["summary"], "that of version 1");
    assert_eq!(data["document"]["created_at"], first["created_at"]);
    assert_eq!(data["document"]["updated_at"], data["version"]["created_at"]);
    assert_eq!(document.newest().await, data["version"]);
    assert_eq!(document.get("version=1").await.data(200)["version"], first);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_versions_get_unique_numbers_without_gaps() {
    let server = Server::start().await;
    let document = Document::create(&server.client()).await;
    let mut running = JoinSet::new();
    for turn in 0..50 {
        let (client, path) = (server.client(), document.path("/versions"));
        running.spawn(async move {
            let content = format!("turn {turn}");
            let data = client.post(&path, &request_bodies::document(&content)).await.data(201);
            (data["version"]["version"].as_u64().unwrap(), content)
        });
    }
    let mut numbered = running.join_all().await;
    numbered.sort_unstable();
    let numbers: Vec<_> = numbered.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (2..=51).collect::<Vec<_>>());
    for (number, content) in numbered {
        let version = document.get(&format!("version={number}")).await.data(200)["version"].clone();
        assert_eq!(version["content"], content.as_str());
    }
    let history = document.history("limit=200").await.data(200);
    assert_eq!((&history["total"], history["versions"].as_array().unwrap().len()), (&json!(51), 51));
}

#[tokio::test]
async fn a_version_of_an_unknown_document_is_refused() {
    let server = Server::shared().await;
    let path = format!("/documents/{}/versions", ids::fresh());
    server.client().post(&path, &request_bodies::document("")).await.refusal("DOCUMENT_NOT_FOUND");
    server.client().post("/documents/nonsense/versions", &request_bodies::document("")).await.refusal("INVALID_INPUT");
}

#[tokio::test]
async fn a_version_of_a_deleted_document_is_refused() {
    let server = Server::start().await;
    let document = Document::create(&server.client()).await;
    document.delete().await.data(200);
    document.attempt(&request_bodies::document("")).await.refusal("DOCUMENT_NOT_FOUND");
    assert_eq!(document.history("").await.data(200)["total"], 1);
}
