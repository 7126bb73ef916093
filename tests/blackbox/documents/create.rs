//! `POST /documents`.

use std::collections::HashSet;

use serde_json::json;
use tests::{
    debate::text,
    document::Document,
    request_bodies::{self, with, without},
    server::Server,
};

#[tokio::test]
async fn summary_and_content_may_be_empty_and_metadata_and_request_id_missing() {
    let server = Server::shared().await;
    for body in [json!({"summary": "", "content": ""}), json!({"summary": "", "content": "", "metadata": null})] {
        let version = server.client().post("/documents", &body).await.data(201)["version"].clone();
        assert_eq!((&version["summary"], &version["content"]), (&json!(""), &json!("")));
        assert_eq!(version["metadata"], json!({}));
    }
}

#[tokio::test]
async fn texts_are_stored_unchanged() {
    let server = Server::shared().await;
    let planes: String = (0..=16).filter_map(|plane| char::from_u32(plane * 0x1_0000 + 0x41)).collect();
    let contents = [
        "a\r\nb\rc\n\n",
        "no last newline",
        "\n",
        " \t ",
        "\u{feff}BOM",
        "e\u{301} \u{e9} \u{202e}\u{200b}\u{2028}",
        "\u{fffe}\u{ffff}\u{10ffff}",
        // Plane 14 starts with tag characters, which are not allowed.
        &planes.replace('\u{e0041}', "\u{e0100}"),
        "{\"json\": \"\\u0041\"} \\ / \u{7e}",
    ];
    for content in contents {
        let body =
            with(with(request_bodies::document(content), "summary", content), "metadata", json!({content: content}));
        let version = Document::create_with(&server.client(), &body).await.newest().await;
        assert_eq!((&version["content"], &version["summary"]), (&json!(content), &json!(content)));
        assert_eq!(version["metadata"], json!({content: content}));
    }
}

#[tokio::test]
async fn metadata_is_stored_unchanged() {
    let server = Server::shared().await;
    let metadata = r#"{"z":1.50,"a":[1e2,-0.0,123456789012345678901234567890],"\u0041":{"b":null}}"#;
    let body = with(request_bodies::document(""), "metadata", "HERE").to_string().replace("\"HERE\"", metadata);
    let client = server.client();
    let id = text(&client.send(&client.write("/documents", body)).await.data(201)["document"]["id"]);
    let response = client.response(&client.request("GET", &format!("/documents/{id}"))).await.unwrap();
    let answer = String::from_utf8(response.body).unwrap();
    assert!(answer.contains(metadata), "{answer}");
    // As `sha256sum` prints it.
    let hash = "30c76263c9ef308d1f7bec2a76d683cc90c7a3b0d78f5803f0041c1e22ca2cc5";
    assert!(answer.contains(&format!("\"metadata_sha256\":\"{hash}\"")), "{answer}");
    let versions = client.get(&format!("/documents/{id}/versions")).await.data(200);
    assert_eq!(versions["versions"][0]["metadata_sha256"], hash);
}

#[tokio::test]
async fn ids_differ_in_their_first_digits() {
    let server = Server::shared().await;
    let mut beginnings = HashSet::new();
    for _ in 0..50 {
        let id = Document::create_with(&server.client(), &without(request_bodies::document(""), "client_request_id"))
            .await
            .id;
        assert_eq!(id.as_bytes()[14], b'4', "a random id: {id}");
        assert!(beginnings.insert(id[..8].to_owned()), "{id}");
    }
}
