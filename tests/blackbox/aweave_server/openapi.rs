//! `aweave-server openapi`, `GET /openapi.json`, `GET /asyncapi.yaml` and `GET /health`.

use std::{fs, process::Command};

use serde_json::{Value, json};
use tests::{
    binaries,
    debate::Debate,
    document::Document,
    issue_changes::raise,
    request_bodies::{self, with},
    server::Server,
};

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
    let contract: Value = serde_json::from_slice(&checked_in()).unwrap();
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

/// A body in which everything is null that the contract lets be null and that it does not have.
fn with_nulls(contract: &Value, schema: &str, mut body: Value) -> Value {
    let schemas = &contract["components"]["schemas"];
    let mut nulls = 0;
    for (name, property) in schemas[schema]["properties"].as_object().unwrap() {
        let reference = property.get("$ref").or_else(|| property["allOf"][0].get("$ref")).and_then(Value::as_str);
        let of_reference = reference.and_then(|reference| schemas.get(reference.rsplit('/').next()?));
        let may_be_null = |described: &Value| described["nullable"] == true;
        if (may_be_null(property) || of_reference.is_some_and(may_be_null)) && body.get(name).is_none() {
            body[name] = Value::Null;
            nulls += 1;
        }
    }
    assert!(nulls > 0, "{schema} has nothing that may be null");
    body
}

#[tokio::test]
async fn null_is_as_if_absent_where_the_contract_says_so() {
    let contract: Value = serde_json::from_slice(&checked_in()).unwrap();
    let with_nulls = |schema: &str, body: Value| with_nulls(&contract, schema, body);
    let server = Server::shared().await;
    let client = server.client();
    let mut debate = Debate::create_with(&client, &with_nulls("DebateCreate", request_bodies::creation())).await;
    let raised = json!([with_nulls("IssueChangeSubmit", raise("low", "No limit"))]);
    let claim = with(request_bodies::claim("opponent", debate.newest()), "issue_changes", raised);
    debate.write("arguments", &with_nulls("ArgumentSubmit", claim)).await;
    let plan = with_nulls("PlanSubmit", json!({"content": "Plan."}));
    let claim = with(request_bodies::claim("proposer", debate.newest()), "plan", plan);
    debate.write("arguments", &with_nulls("ArgumentSubmit", claim)).await;
    debate.write("intervention", &with_nulls("InterventionSubmit", json!({}))).await;
    debate.write("ruling", &with_nulls("RulingSubmit", json!({"content": "Go on."}))).await;
    let options = json!([with_nulls("AppealOptionSubmit", json!({"label": "A"}))]);
    let appeal = with(request_bodies::answer_to(debate.newest()), "options", options);
    debate.write("appeal", &with_nulls("AppealSubmit", appeal)).await;
    debate.write("ruling", &with_nulls("RulingSubmit", json!({"content": "A.", "chosen_option": 0}))).await;
    debate.write("resolution", &with_nulls("ResolutionSubmit", request_bodies::answer_to(debate.newest()))).await;
    Document::create_with(&client, &with_nulls("DocumentSubmit", request_bodies::document("Text."))).await;
}
