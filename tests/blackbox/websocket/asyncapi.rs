//! Compares all messages that are sent with `asyncapi.yaml`.

use std::{collections::BTreeSet, fs};

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};
use tests::{
    binaries,
    debate::{Debate, text},
    ids,
    issue_changes::{change, noted, raise, regrade},
    request_bodies::{self, with},
    server::Server,
};
use tokio_tungstenite::tungstenite::Message;

use super::viewer::Viewer;

fn described() -> Value {
    let text = fs::read_to_string(binaries::workspace().join("asyncapi.yaml")).expect("asyncapi.yaml is checked in");
    serde_yaml::from_str(&text).expect("asyncapi.yaml is YAML")
}

/// Resolves a `$ref` within the document.
fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(place) => {
            let place = place.strip_prefix('#').expect("references stay in the document");
            resolve(document, document.pointer(place).unwrap_or_else(|| panic!("nothing at {place}")))
        }
        None => value,
    }
}

/// Forbids undescribed fields. Clients must ignore them, but the description has to be complete.
fn tighten(schema: &mut Value) {
    if let Some(fields) = schema.as_object_mut() {
        if fields.contains_key("properties") {
            fields.insert("additionalProperties".to_owned(), false.into());
        }
        fields.values_mut().for_each(tighten);
    } else if let Some(items) = schema.as_array_mut() {
        items.iter_mut().for_each(tighten);
    }
}

/// The messages of a channel that go in one direction.
struct Messages {
    channel: &'static str,
    known: Vec<(String, Validator)>,
}

impl Messages {
    fn of(document: &Value, channel: &'static str, action: &str) -> Self {
        let operations = document["operations"]
            .as_object()
            .unwrap()
            .values()
            .filter(|operation| operation["channel"]["$ref"] == format!("#/channels/{channel}"));
        let lists = operations.flat_map(|operation| match operation["action"] == action {
            true => operation["messages"].as_array().cloned(),
            // Replies go in the other direction.
            false => operation["reply"]["messages"].as_array().cloned(),
        });
        let names: BTreeSet<String> =
            lists.flatten().map(|message| text(&message["$ref"]).rsplit('/').next().unwrap().to_owned()).collect();
        let known = names.into_iter().map(|name| {
            let message = resolve(document, &document["channels"][channel]["messages"][&name]);
            let mut schema = message["payload"].clone();
            schema["components"] = json!({"schemas": document["components"]["schemas"]});
            tighten(&mut schema);
            let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
            (name.clone(), options.build(&schema).unwrap_or_else(|e| panic!("the schema of {name}: {e}")))
        });
        Self { channel, known: known.collect() }
    }

    fn faults(&self, message: &Value) -> Vec<String> {
        let name = message["event"].as_str().unwrap_or_default();
        match self.known.iter().find(|(known, _)| known == name) {
            Some((_, schema)) => schema.iter_errors(message).map(|e| format!("{}: {e}", e.instance_path())).collect(),
            None => vec![format!("{name:?} is not described")],
        }
    }

    /// Validates all messages and checks that every kind of message occurred.
    fn check(&self, messages: &[Value]) {
        for message in messages {
            let faults = self.faults(message);
            assert!(faults.is_empty(), "{}: {faults:?}: {message}", self.channel);
        }
        for (name, _) in &self.known {
            assert!(messages.iter().any(|message| message["event"] == **name), "{}: no {name} came", self.channel);
        }
    }
}

/// Reads events until one has this name and satisfies the condition.
async fn until(viewer: &mut Viewer, name: &str, holds: impl Fn(&Value) -> bool) -> Value {
    loop {
        let event = viewer.next().await;
        if event.name == name && holds(&event.data) {
            return event.data;
        }
    }
}

#[tokio::test]
async fn every_message_of_a_debate_matches_asyncapi_yaml() {
    let document = described();
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    let id = debate.id.clone();
    let (mut viewer, _) = Viewer::of_debate(&server, &id).await;
    let (mut list, _) = Viewer::of_list(&server).await;

    let (client, wait) = (server.client(), debate.path("/wait?role=proposer&timeout=60"));
    let held = tokio::spawn(async move { client.get(&wait).await });
    until(&mut viewer, "presence", |data| data["waiting"] != json!([])).await;
    let changes = json!([raise("high", "One"), with(raise("low", "Two"), "location", "plan 2"), raise("low", "Three")]);
    debate.claim_with("opponent", changes).await;
    held.await.unwrap().data(200);
    debate.claim_with("proposer", json!([noted("dispute", "I1", "No."), change("fix", "I2")])).await;
    viewer.act("submit_intervention", json!({"debate_id": id, "content": "Wait."})).await;
    until(&mut viewer, "accepted", |_| true).await;
    let late = request_bodies::claim("opponent", debate.newest());
    debate.write("arguments", &late).await;
    let changes = json!([regrade("I1", "low"), noted("uphold", "I3", "Yes."), raise("medium", "Four")]);
    viewer.say("submit_ruling", json!({"debate_id": id, "content": "Go on.", "issue_changes": changes})).await;
    let ruling = until(&mut viewer, "accepted", |_| true).await;
    debate.arguments.push(text(&ruling["argument"]["id"]));
    let options = json!([{"label": "Per shard", "detail": "as now"}, {"label": "Global"}]);
    debate.write("appeal", &with(request_bodies::answer_to(debate.newest()), "options", options)).await;
    let choice = json!({"debate_id": id, "content": "Global.", "chosen_option": 1, "close": false});
    list.act("submit_ruling", choice).await;
    let ruling = until(&mut list, "accepted", |_| true).await;
    debate.arguments.push(text(&ruling["argument"]["id"]));
    debate.claim("proposer").await;
    list.say("submit_intervention", json!({"debate_id": id})).await;
    until(&mut list, "accepted", |_| true).await;
    list.act("submit_ruling", json!({"debate_id": id, "content": "Done.", "close": true})).await;
    until(&mut viewer, "state_changed", |data| data["state"] == "CLOSED").await;

    let taken = [viewer.sent.clone(), list.sent.clone()];
    // Errors of every kind.
    let request_id = text(&taken[0][0]["data"]["request_id"]);
    for (event, data, code) in [
        ("submit_ruling", json!({"debate_id": id, "content": "More."}), "ACTION_NOT_ALLOWED"),
        ("submit_ruling", json!({"debate_id": ids::fresh(), "content": "More."}), "DEBATE_NOT_FOUND"),
        ("submit_ruling", json!({"debate_id": id, "content": "x".repeat(10_241)}), "CONTENT_TOO_LARGE"),
        (
            "submit_ruling",
            json!({"debate_id": id, "content": "More.", "request_id": request_id}),
            "IDEMPOTENCY_CONFLICT",
        ),
        ("submit_ruling", json!({"debate_id": id, "content": 7, "request_id": "a b"}), "INVALID_INPUT"),
        ("submit_claim", json!({}), "INVALID_INPUT"),
    ] {
        for viewer in [&mut viewer, &mut list] {
            viewer.say(event, data.clone()).await;
            until(viewer, "error", |error| error["code"] == code).await;
        }
    }
    for viewer in [&mut viewer, &mut list] {
        viewer.send(Message::text("?")).await;
        until(viewer, "error", |error| error.get("request_id").is_none()).await;
    }
    let (again, _) = Viewer::of_debate(&server, &id).await;

    let told = Messages::of(&document, "debate", "send");
    told.check(&[viewer.received, again.received].concat());
    Messages::of(&document, "list", "send").check(&list.received);
    for (channel, taken) in ["debate", "list"].into_iter().zip(&taken) {
        let asked = Messages::of(&document, channel, "receive");
        asked.check(taken);
        for wrong in [
            json!({"event": "submit_ruling", "data": {"debate_id": id}}),
            json!({"event": "submit_ruling", "data": {"debate_id": "x", "content": "More."}}),
            json!({"event": "submit_intervention", "data": {"debate_id": id, "request_id": "a b"}}),
            json!({"event": "submit_intervention"}),
            json!({"event": "submit_claim", "data": {"debate_id": id}}),
            json!({"event": "submit_ruling", "data": {"debate_id": id, "content": "More.", "issue_changes": [{}]}}),
        ] {
            assert!(!asked.faults(&wrong).is_empty(), "{wrong} is taken for a message");
        }
    }
}

/// What a schema says that both contracts have to say alike. In JSON Schema null is a type; known values, to which later versions may add,
/// are examples there.
fn comparable(document: &Value, schema: &Value) -> Value {
    let mut said = json!({});
    if let Some(reference) = schema.get("$ref").or_else(|| schema["allOf"][0].get("$ref")) {
        said = comparable(document, resolve(document, &json!({ "$ref": reference })));
    }
    let types = schema["type"].as_array().cloned().unwrap_or_else(|| schema.get("type").cloned().into_iter().collect());
    if types.contains(&json!("null")) || schema["nullable"] == true {
        said["nullable"] = true.into();
    }
    if let Some(name) = types.iter().find(|name| **name != "null") {
        said["type"] = name.clone();
    }
    for name in ["minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems"] {
        if let Some(limit) = schema.get(name) {
            said[name] = limit.as_f64().map_or_else(|| limit.clone(), Value::from);
        }
    }
    if let Some(format) = schema["format"].as_str().filter(|format| !format.starts_with("uint")) {
        said["format"] = format.into();
    }
    if let Some(known) = ["enum", "x-extensible-enum", "examples"].iter().find_map(|name| schema.get(*name)) {
        said["known"] = known.clone();
    }
    for name in ["items", "additionalProperties"] {
        if let Some(of) = schema.get(name).filter(|of| of.is_object()) {
            said[name] = comparable(document, of);
        }
    }
    if let Some(properties) = schema["properties"].as_object() {
        let properties = properties.iter().map(|(name, of)| (name.clone(), comparable(document, of)));
        said["properties"] = properties.collect::<serde_json::Map<_, _>>().into();
        let required: BTreeSet<String> = schema["required"].as_array().into_iter().flatten().map(text).collect();
        said["required"] = json!(required);
    }
    said
}

#[test]
fn objects_are_described_alike_in_openapi_json() {
    let document = described();
    let rest = fs::read_to_string(binaries::workspace().join("openapi.json")).expect("openapi.json is checked in");
    let rest: Value = serde_json::from_str(&rest).expect("openapi.json is JSON");
    let schemas = |document: &Value| document["components"]["schemas"].as_object().unwrap().clone();
    let mut of_rest = schemas(&rest);
    let mut pairs: Vec<_> = schemas(&document)
        .into_iter()
        .filter_map(|(name, schema)| of_rest.remove(&name).map(|of_rest| (name, schema, of_rest)))
        .collect();
    for (message, name) in [
        ("initial_list", "DebateList"),
        ("submit_ruling", "RulingSubmit"),
        ("submit_intervention", "InterventionSubmit"),
    ] {
        let data = &document["components"]["messages"][message]["payload"]["properties"]["data"];
        pairs.push((name.to_owned(), data.clone(), of_rest.remove(name).unwrap()));
    }
    assert!(pairs.len() > 24, "{}", pairs.len());
    for (name, in_messages, in_rest) in pairs {
        let (mut in_messages, mut in_rest) = (comparable(&document, &in_messages), comparable(&rest, &in_rest));
        let remove = |said: &mut Value, property: &str| {
            said["properties"].as_object_mut().and_then(|properties| properties.remove(property)).unwrap_or_default()
        };
        match name.as_str() {
            // Of an answer to a request headers tell these.
            "Error" => {
                ["request_id", "log_id"].iter().for_each(|of_message| drop(remove(&mut in_messages, of_message)))
            }
            "RulingSubmit" | "InterventionSubmit" => {
                let id = remove(&mut in_messages, "request_id");
                in_messages["properties"]["client_request_id"] = id;
                // It is in the path, and a dry run is none of what is said over a WebSocket.
                remove(&mut in_messages, "debate_id");
                in_messages["required"].as_array_mut().unwrap().retain(|name| name != "debate_id");
                remove(&mut in_rest, "dry_run");
            }
            _ => {}
        }
        assert_eq!(in_messages, in_rest, "{name}");
    }
}

#[test]
fn limits_and_close_codes_are_documented() {
    let document = described();
    assert!(text(&document["info"]["description"]).contains("1,040,288 bytes by default"));
    let codes = |channel: &str| document["channels"][channel]["x-close-codes"].as_object().unwrap().clone();
    assert_eq!(codes("debate").keys().collect::<Vec<_>>(), ["1001", "1003", "1008", "1009", "1011", "1013"]);
    assert_eq!(codes("debate"), codes("list"));
}
