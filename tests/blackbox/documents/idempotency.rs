//! Repeated requests with the same `client_request_id`.

use serde_json::{Value, json};
use tests::{
    debate::text,
    document::Document,
    request_bodies::{self, with, without},
    server::Server,
};
use tokio::task::JoinSet;

/// The body with each of its fields changed in turn.
fn others(body: &Value) -> Vec<Value> {
    let metadata = [json!({}), json!({"a": 1, "b": 2}), json!({"b": 1})];
    let texts = ["summary", "content"].map(|field| with(body.clone(), field, "Something else."));
    let metadata = metadata.map(|metadata| with(body.clone(), "metadata", metadata));
    [texts.to_vec(), metadata.to_vec(), vec![without(body.clone(), "metadata")]].concat()
}

#[tokio::test]
async fn a_repeated_creation_returns_the_first_response_and_creates_nothing() {
    let server = Server::start().await;
    let client = server.client();
    let body = with(request_bodies::document("x"), "metadata", json!({"a": 1}));
    let first = client.post("/documents", &body).await.data(201);
    let again = client.post("/documents", &body).await.data(200);
    assert_eq!(again["replayed"], true);
    assert_eq!((&again["document"], &again["version"]), (&first["document"], &first["version"]));
    for other in others(&body) {
        client.post("/documents", &other).await.refusal("IDEMPOTENCY_CONFLICT");
    }
    assert_eq!(client.get("/documents").await.data(200)["total"], 1);
}

#[tokio::test]
async fn a_repeated_version_returns_the_first_response_and_adds_nothing() {
    let server = Server::start().await;
    let document = Document::create(&server.client()).await;
    let body = with(request_bodies::document("x"), "metadata", json!({"a": 1}));
    let first = document.submit(&body).await;
    let later = document.submit(&request_bodies::document("y")).await;
    let again = document.attempt(&body).await.data(200);
    assert_eq!((&again["replayed"], &again["version"]), (&json!(true), &first["version"]));
    assert_eq!(again["document"], later["document"], "as it is now");
    for other in others(&body) {
        document.attempt(&other).await.refusal("IDEMPOTENCY_CONFLICT");
    }
    assert_eq!(document.history("").await.data(200)["total"], 3);
}

#[tokio::test]
async fn a_repeated_request_may_write_the_same_metadata_in_another_way() {
    let server = Server::start().await;
    let client = server.client();
    let document = Document::create(&client).await;
    let sent = r#"{"a":"ệ","b":[1.5,100,9007199254740993],"c":{"x":null,"y":true}}"#;
    let same = [
        r#"{ "c" : { "y" : true, "x" : null }, "b" : [ 1.5, 100, 9007199254740993 ], "a" : "ệ" }"#,
        r#"{"\u0061":"\u1ec7","b":[1.5,100,9007199254740993],"c":{"x":null,"y":true}}"#,
    ];
    let others = [
        r#"{"a":"ệ","b":[1.5,100,9007199254740992],"c":{"x":null,"y":true}}"#,
        r#"{"a":"ệ","b":[1.5000000000000000001,100,9007199254740993],"c":{"x":null,"y":true}}"#,
        r#"{"a":"ệ","b":[100,1.5,9007199254740993],"c":{"x":null,"y":true}}"#,
        r#"{"a":"ệ","b":[1.5,100,9007199254740993],"c":{"y":true}}"#,
    ];
    for path in ["/documents".to_owned(), document.path("/versions")] {
        let body = with(request_bodies::document("x"), "metadata", "HERE").to_string();
        let write = |metadata: &str| client.write(&path, body.replace("\"HERE\"", metadata));
        let first = client.send(&write(sent)).await.data(201);
        for metadata in same {
            let again = client.send(&write(metadata)).await.data(200);
            assert_eq!((&again["replayed"], &again["version"]), (&json!(true), &first["version"]), "{metadata}");
        }
        for metadata in others {
            client.send(&write(metadata)).await.refusal("IDEMPOTENCY_CONFLICT");
        }
        let id = text(&first["document"]["id"]);
        let stored = client.response(&client.request("GET", &format!("/documents/{id}"))).await.unwrap();
        assert!(String::from_utf8(stored.body).unwrap().contains(sent), "as it was sent first");
    }
    assert_eq!(document.history("").await.data(200)["total"], 2);
    assert_eq!(client.get("/documents").await.data(200)["total"], 2);
}

#[tokio::test]
async fn request_ids_are_scoped_to_creations_and_to_each_document() {
    let server = Server::shared().await;
    let client = server.client();
    let body = request_bodies::document("x");
    let first = Document::create_with(&client, &body).await;
    let second = Document::create(&client).await;
    for document in [&first, &second] {
        assert_eq!(document.submit(&body).await["version"]["version"], 2);
    }
}

#[tokio::test]
async fn writes_can_be_replayed_after_the_deletion() {
    let server = Server::shared().await;
    let (creation, version) = (request_bodies::document("one"), request_bodies::document("two"));
    let document = Document::create_with(&server.client(), &creation).await;
    let first = document.submit(&version).await;
    let deleted = document.delete().await.data(200);
    let again = document.attempt(&version).await.data(200);
    assert_eq!((&again["version"], &again["document"]), (&first["version"], &deleted["document"]));
    let again = server.client().post("/documents", &creation).await.data(200);
    assert_eq!((&again["version"]["version"], &again["document"]), (&json!(1), &deleted["document"]));
    document.attempt(&with(version, "content", "else")).await.refusal("IDEMPOTENCY_CONFLICT");
}

#[tokio::test]
async fn without_a_request_id_every_write_is_stored() {
    let server = Server::shared().await;
    let body = without(request_bodies::document("x"), "client_request_id");
    let document = Document::create_with(&server.client(), &body).await;
    assert_ne!(Document::create_with(&server.client(), &body).await.id, document.id);
    assert_eq!(document.submit(&body).await["version"]["version"], 2);
    assert_eq!(document.submit(&body).await["version"]["version"], 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_50_concurrent_identical_retries_is_stored() {
    let server = Server::start().await;
    let document = Document::create(&server.client()).await;
    let (creation, version) = (request_bodies::document("one"), request_bodies::document("two"));
    for (path, body) in [("/documents".to_owned(), creation), (document.path("/versions"), version)] {
        let mut running = JoinSet::new();
        for _ in 0..50 {
            let (client, path, body) = (server.client(), path.clone(), body.clone());
            running.spawn(async move { client.post(&path, &body).await });
        }
        let answers = running.join_all().await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
        let mut told: Vec<_> =
            answers.into_iter().map(|answer| answer.data_of_any_success()["version"].clone()).collect();
        told.dedup();
        assert_eq!(told.len(), 1, "{told:?}");
    }
    assert_eq!(document.history("").await.data(200)["total"], 2);
}
