//! Generates `openapi.json` from the types of the API and adds what these cannot express, and compares it with the file.
//!
//! `INSTA_UPDATE=always` (`make contract`) writes the file instead.

mod examples;
mod known_values;
mod limits;
mod schemas;

use std::{collections::HashMap, env, fs, path::Path};

use poem::{endpoint::BoxEndpoint, http::Method};
use poem_openapi::{
    OpenApi,
    registry::{MetaApi, Registry},
};
use serde_json::{Map, Value, json};

use crate::http::routes::{Endpoints, service};

/// How a repeated write is answered.
const REPLAY: &str = "Send the request again with the same `client_request_id` if its answer was lost: what is stored already is not stored \
     twice. The answer has status 200, `replayed: true` and what the first request stored; everything else in it is as it is \
     now. With the same id and another payload the error is `IDEMPOTENCY_CONFLICT`.";

/// The description of all endpoints, without an `App` to run them.
struct Description;

impl OpenApi for Description {
    fn meta() -> Vec<MetaApi> {
        Endpoints::meta()
    }

    fn register(registry: &mut Registry) {
        Endpoints::register(registry);
    }

    fn add_routes(self, _routes: &mut HashMap<String, HashMap<Method, BoxEndpoint<'static>>>) {}
}

/// The text of `openapi.json`.
fn openapi() -> String {
    let mut contract = serde_json::from_str(&service(Description).spec()).unwrap();
    complete(&mut contract);
    format!("{contract:#}\n")
}

fn complete(contract: &mut Value) {
    schemas::for_each_property(contract, |_, _, description| single_reference(description));
    // Null where there is none.
    for (schema, properties) in [
        ("Argument", &["parent_id"][..]),
        ("Debate", &["max_rounds"]),
        ("Issue", &["location", "note"]),
        ("SearchHit", &["issue"]),
        ("Document", &["deleted_at"]),
        ("ListedDocument", &["deleted_at"]),
        ("DocumentVersion", &["metadata_sha256"]),
        ("DocumentVersionEntry", &["metadata_sha256"]),
        ("Plan", &["seen_version"]),
        ("RecordDebate", &["max_rounds"]),
        ("RecordPlan", &["seen_version"]),
        ("RecordRuling", &["options", "chosen_option"]),
        ("Info", &["public_key"]),
    ] {
        for property in properties {
            nullable(contract, schema, property);
            require(contract, schema, property);
        }
    }
    for schema in ["DocumentSubmit", "DocumentVersion"] {
        let metadata = &mut contract["components"]["schemas"][schema]["properties"]["metadata"];
        *metadata = json!({ "type": "object", "description": metadata["description"], "additionalProperties": {} });
    }
    for (schema, property) in [("Argument", "chosen_option"), ("Error", "issue"), ("Error", "status")] {
        nullable(contract, schema, property);
    }
    for (schema, property, described) in [
        ("DebateRecord", "signature", "RecordSignature"),
        ("Record", "decision", "RecordDecision"),
        ("Record", "plan", "RecordPlan"),
        ("RecordRuling", "chosen", "ChosenOption"),
        ("ArgumentSubmitted", "plan", "Plan"),
        ("DebateCreated", "plan", "Plan"),
        ("Debate", "plan", "Plan"),
        ("Debate", "ruling_request", "RulingRequest"),
        ("RecordDebate", "plan", "Plan"),
        ("WaitAnswer", "plan", "Plan"),
    ] {
        contract["components"]["schemas"][described]["nullable"] = json!(true);
        require(contract, schema, property);
    }
    contract["info"]["license"] = json!({ "name": "MIT OR Apache-2.0", "url": "https://spdx.org/licenses/" });
    contract["servers"] = json!([{ "url": "http://127.0.0.1:3456", "description": "The default address" }]);
    // Errors may get more fields, which clients must accept.
    contract["components"]["schemas"]["Error"]["additionalProperties"] = json!(true);
    contract["components"]["securitySchemes"] = json!({
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "Required if the server has one: DEBATE_AUTH_TOKEN, or DEBATE_ARBITRATOR_TOKEN for rulings, \
                            interventions and freeing a seat."
        }
    });
    contract["security"] = json!([{}, { "token": [] }]);
    for media_type in ["text/markdown", "text/html"] {
        let content = &mut contract["paths"]["/debates/{id}/record"]["get"]["responses"]["200"]["content"];
        content[media_type] = json!({ "schema": { "type": "string" } });
    }
    accept_null_for_absent(contract);
    describe_replays(contract);
    describe_request_ids(contract);
    known_values::add(contract);
    limits::add(contract);
    examples::add(contract).unwrap();
}

/// A described reference comes as `allOf` with the reference and the description. Generators of clients take that for a new
/// type; with the description beside `allOf` alone they use the one that is meant.
fn single_reference(description: &mut Map<String, Value>) {
    if let Some(Value::Array(parts)) = description.get_mut("allOf") {
        parts.retain(|part| part.get("$ref").is_some());
    }
}

/// Says that a property may be null.
fn nullable(contract: &mut Value, schema: &str, property: &str) {
    contract["components"]["schemas"][schema]["properties"][property]["nullable"] = json!(true);
}

/// Says that a property is always there.
fn require(contract: &mut Value, schema: &str, property: &str) {
    if let Some(required) = contract["components"]["schemas"][schema]["required"].as_array_mut() {
        required.push(json!(property));
    }
}

/// Says that null is as if absent in what comes in requests only.
fn accept_null_for_absent(contract: &mut Value) {
    let Some(schemas) = contract["components"]["schemas"].as_object_mut() else { return };
    let bodies = schemas.iter_mut().filter(|(name, _)| name.ends_with("Submit") || *name == "DebateCreate");
    for (_, body) in bodies {
        let required = body["required"].clone();
        for (name, property) in body["properties"].as_object_mut().into_iter().flatten() {
            let is_required = required.as_array().is_some_and(|names| names.contains(&json!(name)));
            if !is_required && property.get("type").is_some() {
                property["nullable"] = json!(true);
            }
        }
    }
    schemas["PlanSubmit"]["nullable"] = json!(true);
}

/// Says what all writes with a `client_request_id` have in common.
fn describe_replays(contract: &mut Value) {
    let schemas = contract["components"]["schemas"].clone();
    let Some(paths) = contract["paths"].as_object_mut() else { return };
    let operations = paths.values_mut().filter_map(Value::as_object_mut).flat_map(|path| path.values_mut());
    for operation in operations {
        let reference = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str();
        let Some(name) = reference.and_then(|reference| reference.rsplit('/').next()) else { continue };
        if schemas[name]["properties"].get("client_request_id").is_none() {
            continue;
        }
        let description = operation["description"].as_str().map(|own| format!("{own}\n\n{REPLAY}"));
        operation["description"] = json!(description.unwrap_or_else(|| REPLAY.to_owned()));
    }
}

/// Says that every answer has the header `x-request-id`.
fn describe_request_ids(contract: &mut Value) {
    contract["components"]["headers"] = json!({
        "x-request-id": {
            "description": "Names the request in the server's log. It is that of the request, if it sent one of this form, \
                            otherwise a new one.",
            "schema": { "type": "string", "pattern": "^[A-Za-z0-9._:-]{1,128}$" },
        }
    });
    let Some(paths) = contract["paths"].as_object_mut() else { return };
    let operations = paths.values_mut().filter_map(Value::as_object_mut).flat_map(|path| path.values_mut());
    for responses in operations.filter_map(|operation| operation["responses"].as_object_mut()) {
        for response in responses.values_mut() {
            response["headers"] = json!({ "x-request-id": { "$ref": "#/components/headers/x-request-id" } });
        }
    }
}

#[test]
fn the_checked_in_openapi_json_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi.json");
    if env::var("INSTA_UPDATE").as_deref() == Ok("always") {
        fs::write(path, openapi()).unwrap();
        return;
    }
    assert!(
        fs::read_to_string(path).unwrap() == openapi(),
        "openapi.json differs from the types: write it with `make contract` and review the difference"
    );
}
