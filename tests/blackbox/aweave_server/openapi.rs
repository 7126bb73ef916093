//! `aweave-server openapi`, `GET /openapi.json`, `GET /asyncapi.yaml` and `GET /health`.

use std::{fs, process::Command};

use tests::{binaries, server::Server};

fn checked_in() -> Vec<u8> {
    fs::read(binaries::workspace().join("openapi.json")).expect("openapi.json is checked in")
}

#[test]
fn the_server_prints_the_checked_in_contract_byte_for_byte() {
    let output = Command::new(binaries::server()).arg("openapi").env_clear().output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout == checked_in(), "`aweave-server openapi` and openapi.json differ");
}

#[tokio::test]
async fn the_server_serves_the_checked_in_contract_byte_for_byte() {
    let server = Server::shared().await;
    let response = server.client().response(&server.client().request("GET", "/openapi.json")).await.unwrap();
    assert_eq!((response.status, response.header("content-type")), (200, Some("application/json")));
    assert!(response.body == checked_in(), "GET /openapi.json and openapi.json differ");
}

#[tokio::test]
async fn the_server_serves_the_checked_in_websocket_contract_byte_for_byte() {
    let server = Server::shared().await;
    let response = server.client().response(&server.client().request("GET", "/asyncapi.yaml")).await.unwrap();
    assert_eq!((response.status, response.header("content-type")), (200, Some("application/yaml")));
    let checked_in = fs::read(binaries::workspace().join("asyncapi.yaml")).expect("asyncapi.yaml is checked in");
    assert!(response.body == checked_in, "GET /asyncapi.yaml and asyncapi.yaml differ");
}

#[test]
fn the_contract_names_every_path_of_debates() {
    let contract: serde_json::Value = serde_json::from_slice(&checked_in()).unwrap();
    let paths: Vec<(&str, &str)> = vec![
        ("/debates", "post"),
        ("/debates", "get"),
        ("/debates/{id}", "get"),
        ("/debates/{id}/arguments", "post"),
        ("/debates/{id}/appeal", "post"),
        ("/debates/{id}/resolution", "post"),
        ("/debates/{id}/ruling", "post"),
        ("/debates/{id}/intervention", "post"),
        ("/debates/{id}/wait", "get"),
        ("/wait", "get"),
        ("/health", "get"),
    ];
    for (path, method) in paths {
        let told = contract["paths"].as_object().unwrap().iter().any(|(other, methods)| {
            let same = other
                .split('/')
                .zip(path.split('/'))
                .all(|(a, b)| a == b || (a.starts_with('{') && b.starts_with('{')));
            same && other.matches('/').count() == path.matches('/').count() && methods.get(method).is_some()
        });
        assert!(told, "openapi.json has no {method} {path}");
    }
}

#[tokio::test]
async fn health_is_ok_with_a_working_database() {
    let server = Server::shared().await;
    assert_eq!(server.client().get("/health").await.data(200)["status"], "ok");
}
