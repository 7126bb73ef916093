//! Invalid request bodies: the refusal names the field, and nothing is stored.

use serde_json::{Value, json};
use tests::{
    debate::{Debate, Situation},
    request_bodies::{self, with, without},
    server::Server,
};

fn wrong_ids() -> Vec<Value> {
    let texts = ["", "nonsense", "0", "00000000-0000-0000-0000-00000000000g", " 00000000-0000-0000-0000-000000000000"];
    let mut values: Vec<Value> = texts.into_iter().map(Value::from).collect();
    values.extend([Value::Null, json!(7), json!([]), json!({}), json!(true)]);
    values
}

fn wrong_texts() -> Vec<Value> {
    vec![Value::Null, json!(7), json!(true), json!(["a"]), json!({"a": "b"}), json!("")]
}

/// The required fields of a write and invalid values of each.
fn wrong_values(verb: &str) -> Vec<(&'static str, Vec<Value>)> {
    let request_id = ("client_request_id", wrong_texts());
    let target = ("target_id", wrong_ids());
    let content = ("content", wrong_texts());
    match verb {
        "create" => vec![
            ("debate_id", wrong_ids()),
            ("title", wrong_texts()),
            ("debate_type", vec![json!("chat"), json!("GENERAL_DEBATE"), json!(""), Value::Null, json!(1)]),
            ("motion_content", wrong_texts()),
            request_id,
        ],
        "arguments" => {
            let roles = vec![json!("arbitrator"), json!("Opponent"), json!("judge"), json!(""), Value::Null, json!(1)];
            vec![("role", roles), target, content, request_id]
        }
        "appeal" | "resolution" => vec![target, content, request_id],
        "ruling" => vec![content],
        other => panic!("no verb {other}"),
    }
}

async fn refuse(server: &Server, path: &str, body: &Value, field: &str) {
    let answer = server.client().post(path, body).await;
    let about = answer.to_string();
    let error = answer.refusal("INVALID_INPUT");
    assert!(error.to_string().contains(field), "{field} is not named: {about}");
}

#[tokio::test]
async fn a_creation_with_an_invalid_field_is_refused_by_its_name() {
    let server = Server::start().await;
    for (field, values) in wrong_values("create") {
        refuse(&server, "/debates", &without(request_bodies::creation(), field), field).await;
        for value in values {
            refuse(&server, "/debates", &with(request_bodies::creation(), field, value), field).await;
        }
    }
    assert_eq!(server.client().get("/debates").await.data(200)["total"], 0, "a refused creation was stored");
}

#[tokio::test]
async fn a_write_with_an_invalid_field_is_refused_by_its_name() {
    let server = Server::shared().await;
    for (verb, situation) in [
        ("arguments", Situation::AwaitingProposer),
        ("appeal", Situation::AwaitingProposer),
        ("resolution", Situation::AwaitingProposer),
        ("ruling", Situation::Appealed),
    ] {
        let debate = Debate::in_situation(&server.client(), situation).await;
        let path = debate.path(&format!("/{verb}"));
        let body = match verb {
            "arguments" => request_bodies::claim("proposer", debate.newest()),
            "ruling" => request_bodies::decision(),
            _ => request_bodies::answer_to(debate.newest()),
        };
        for (field, values) in wrong_values(verb) {
            refuse(&server, &path, &without(body.clone(), field), field).await;
            for value in values {
                refuse(&server, &path, &with(body.clone(), field, value), field).await;
            }
        }
        assert_eq!(debate.stored().await["debate"]["last_seq"], debate.arguments.len(), "{verb}");
    }
}

#[tokio::test]
async fn an_invalid_optional_field_is_refused_by_its_name() {
    let server = Server::shared().await;
    let proposer = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    for options in [
        json!("Global"),
        json!(7),
        json!({"label": "Global"}),
        json!(["Global"]),
        json!([null]),
        json!([["Global", "one budget for all", false]]),
        json!([{}]),
        json!([{"label": null}]),
        json!([{"label": 7}]),
        json!([{"label": ""}]),
        json!([{"label": "Global", "detail": 7}]),
        json!([{"label": "Global", "free_form": "yes"}]),
    ] {
        let body = with(request_bodies::answer_to(proposer.newest()), "options", options);
        let field = if body["options"].is_array() && body["options"][0].is_object() { "" } else { "options" };
        refuse(&server, &proposer.path("/appeal"), &body, field).await;
    }
    for content in [json!(7), json!([]), json!({})] {
        let body = with(request_bodies::decision(), "content", content);
        refuse(&server, &proposer.path("/intervention"), &body, "content").await;
    }
    for id in [json!(7), json!(""), json!("a b")] {
        let body = with(request_bodies::decision(), "client_request_id", id);
        refuse(&server, &proposer.path("/intervention"), &body, "client_request_id").await;
    }
    assert_eq!(proposer.stored().await["debate"]["last_seq"], 2);
    let appealed = Debate::in_situation(&server.client(), Situation::Appealed).await;
    for close in [json!("true"), json!(1), json!([])] {
        refuse(&server, &appealed.path("/ruling"), &with(request_bodies::decision(), "close", close), "close").await;
    }
    for option in [json!(-1), json!("0"), json!(0.5), json!(true), json!(9_223_372_036_854_775_808_u64), json!([0])] {
        let body = with(request_bodies::decision(), "chosen_option", option);
        refuse(&server, &appealed.path("/ruling"), &body, "chosen_option").await;
    }
    assert_eq!(appealed.stored().await["debate"]["last_seq"], 3);
}

#[tokio::test]
async fn unknown_fields_are_ignored() {
    let server = Server::shared().await;
    let creation = with(request_bodies::creation(), "mood", json!({"deep": [1, 2, {"deeper": null}]}));
    let mut debate = Debate::create_with(&server.client(), &creation).await;
    let claim = with(request_bodies::claim("opponent", debate.newest()), "seq", 99);
    let argument = debate.write("arguments", &with(claim, "id", "mine")).await["argument"].clone();
    assert_eq!(argument["seq"], 2);
    let look = debate.wait("role=proposer&timeout=0&mood=calm").await.data(200);
    assert_eq!(look["argument"]["seq"], 2);
}

#[tokio::test]
async fn a_duplicate_field_is_refused() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    for field in ["role", "target_id", "content", "client_request_id"] {
        let body = request_bodies::claim("opponent", debate.newest());
        let twice = body.to_string().replacen('{', &format!("{{\"{field}\": {},", body[field]), 1);
        let request = server.client().write(&debate.path("/arguments"), twice);
        server.client().send(&request).await.refusal("INVALID_INPUT");
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
}

#[tokio::test]
async fn a_duplicate_query_parameter_is_refused() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    debate.wait("role=opponent&role=proposer&timeout=0").await.refusal("INVALID_INPUT");
    server.client().get("/debates?limit=1&limit=2").await.refusal("INVALID_INPUT");
}

/// Bodies that are not a JSON object or not UTF-8.
fn no_objects(valid: &str) -> Vec<Vec<u8>> {
    let mut bodies: Vec<Vec<u8>> = ["", " ", "null", "7", "\"text\"", "[]", "{", "}", "{\"role\"", "{'a': 1}", "NaN"]
        .into_iter()
        .map(|text| text.as_bytes().to_vec())
        .collect();
    bodies.push(format!("[{valid}]").into_bytes());
    bodies.push(format!("{valid}{valid}").into_bytes());
    bodies.push(format!("{valid} x").into_bytes());
    bodies.push(format!("\u{FEFF}{valid}").into_bytes());
    bodies.push(valid.as_bytes()[..valid.len() - 1].to_vec());
    bodies.push(valid.replace("\"role\"", "role").into_bytes());
    bodies.push([valid.as_bytes(), b"\0"].concat());
    bodies.push(valid.encode_utf16().flat_map(u16::to_le_bytes).collect());
    bodies.push(vec![0xFF, 0xFE, 0x00]);
    bodies.push("[".repeat(50_000).into_bytes());
    bodies.push(format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000)).into_bytes());
    bodies
}

#[tokio::test]
async fn a_body_that_is_not_a_json_object_is_refused() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let valid = request_bodies::claim("opponent", debate.newest()).to_string();
    for body in no_objects(&valid) {
        let request = server.client().write(&debate.path("/arguments"), body);
        let answer = server.client().send(&request).await;
        assert_eq!(answer.code(), "INVALID_INPUT", "{answer}");
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
}

#[tokio::test]
async fn a_text_with_invalid_unicode_is_refused() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let body = with(request_bodies::claim("opponent", debate.newest()), "content", "HERE").to_string();
    let spoilt: [&[u8]; 9] = [
        br"\ud800",
        br"\udfff",
        br"\ud800\ud800",
        br"\udc00\ud800",
        br"\ud83dx",
        b"\xFF",
        b"\xC3",
        b"\xED\xA0\x80",
        b"\xF4\x90\x80\x80",
    ];
    let (before, after) = body.split_once("HERE").unwrap();
    for bytes in spoilt {
        let request =
            server.client().write(&debate.path("/arguments"), [before.as_bytes(), bytes, after.as_bytes()].concat());
        let answer = server.client().send(&request).await;
        assert_eq!(answer.code(), "INVALID_INPUT", "{:?}: {answer}", String::from_utf8_lossy(bytes));
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
    let pair = [before.as_bytes(), br"\ud83d\ude42", after.as_bytes()].concat();
    let data = server.client().send(&server.client().write(&debate.path("/arguments"), pair)).await.data(201);
    assert_eq!(data["argument"]["content"], "🙂");
}

#[tokio::test]
async fn deeply_nested_json_is_refused() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    for field in ["role", "target_id", "content", "client_request_id"] {
        let body = with(request_bodies::claim("opponent", debate.newest()), field, "HERE").to_string();
        let request = server.client().write(&debate.path("/arguments"), body.replace("\"HERE\"", &deep));
        server.client().send(&request).await.refusal("INVALID_INPUT");
    }
    let body = with(request_bodies::claim("opponent", debate.newest()), "options", "HERE").to_string();
    let request = server.client().write(&debate.path("/appeal"), body.replace("\"HERE\"", &deep));
    server.client().send(&request).await.refusal("INVALID_INPUT");
    debate.claim("opponent").await;
}
