//! Invalid request bodies: the refusal names the field, and nothing is stored.

use serde_json::{Value, json};
use tests::{
    api_response::ApiResponse,
    document::Document,
    request_bodies::{self, with, without},
    server::Server,
};

struct Fixture {
    server: Server,
    document: Document,
}

impl Fixture {
    async fn start() -> Self {
        let server = Server::start().await;
        let document = Document::create(&server.client()).await;
        Self { server, document }
    }

    /// The responses of both endpoints to this body.
    async fn answers(&self, body: &str) -> Vec<ApiResponse> {
        let mut answers = Vec::new();
        for path in ["/documents", &self.document.path("/versions")] {
            let client = self.server.client();
            answers.push(client.send(&client.write(path, body)).await);
        }
        answers
    }

    async fn refuses(&self, body: &Value, field: &str) {
        for answer in self.answers(&body.to_string()).await {
            let about = answer.to_string();
            let error = answer.refusal("INVALID_INPUT");
            assert!(error["message"].as_str().unwrap().contains(field), "{field} is not named: {about}");
        }
    }

    async fn has_stored_nothing(&self) {
        assert_eq!(self.server.client().get("/documents").await.data(200)["total"], 1);
        assert_eq!(self.document.history("").await.data(200)["total"], 1);
    }
}

#[tokio::test]
async fn an_invalid_field_is_refused_by_its_name() {
    let fixture = Fixture::start().await;
    for field in ["summary", "content"] {
        fixture.refuses(&without(request_bodies::document(""), field), field).await;
        for value in [Value::Null, json!(7), json!(true), json!(["a"]), json!({"a": "b"})] {
            fixture.refuses(&with(request_bodies::document(""), field, value), field).await;
        }
    }
    for value in [json!(""), json!("a b"), json!("x".repeat(129)), json!(7), json!([])] {
        fixture.refuses(&with(request_bodies::document(""), "client_request_id", value), "client_request_id").await;
    }
    fixture.refuses(&with(request_bodies::document(""), "plan", json!({"content": "A plan"})), "plan").await;
    fixture.has_stored_nothing().await;
}

#[tokio::test]
async fn metadata_must_be_an_object() {
    let fixture = Fixture::start().await;
    for metadata in [json!([]), json!([{}]), json!("{}"), json!(""), json!(0), json!(false)] {
        fixture.refuses(&with(request_bodies::document(""), "metadata", metadata), "metadata").await;
    }
    fixture.has_stored_nothing().await;
}

#[tokio::test]
async fn control_characters_are_refused_with_their_position() {
    let fixture = Fixture::start().await;
    for (character, named) in [
        ('\0', "U+0000"),
        ('\u{8}', "U+0008"),
        ('\u{1b}', "U+001B"),
        ('\u{7f}', "U+007F"),
        ('\u{9b}', "U+009B"),
        ('\u{e0041}', "U+E0041"),
    ] {
        let text = format!("ệ🙂{character}x");
        let told = format!("{named} at position 2");
        for field in ["summary", "content"] {
            fixture.refuses(&with(request_bodies::document(""), field, text.as_str()), &told).await;
        }
        let as_value = json!({"list": [{"note": text}]});
        fixture.refuses(&with(request_bodies::document(""), "metadata", as_value.clone()), &told).await;
        fixture.refuses(&with(request_bodies::document(""), "metadata", as_value), "metadata.list[0].note").await;
        fixture.refuses(&with(request_bodies::document(""), "metadata", json!({text: 1})), &told).await;
    }
    fixture.has_stored_nothing().await;
}

#[tokio::test]
async fn a_duplicate_key_is_refused() {
    let fixture = Fixture::start().await;
    let body = with(request_bodies::document(""), "metadata", "HERE").to_string();
    for metadata in [r#"{"a":1,"a":1}"#, r#"{"b":{"a":1,"\u0061":2}}"#] {
        for answer in fixture.answers(&body.replace("\"HERE\"", metadata)).await {
            answer.refusal("INVALID_INPUT");
        }
    }
    for field in ["summary", "content", "metadata", "client_request_id"] {
        let body = with(request_bodies::document(""), "metadata", json!({}));
        let twice = body.to_string().replacen('{', &format!("{{\"{field}\": {},", body[field]), 1);
        for answer in fixture.answers(&twice).await {
            answer.refusal("INVALID_INPUT");
        }
    }
    fixture.has_stored_nothing().await;
}

#[tokio::test]
async fn deeply_nested_json_is_refused() {
    let fixture = Fixture::start().await;
    let nested = |levels: usize| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
    for field in ["summary", "content", "metadata", "client_request_id"] {
        let body = with(request_bodies::document(""), field, "HERE").to_string();
        for levels in [101, 127, 128, 20_000] {
            for answer in fixture.answers(&body.replace("\"HERE\"", &nested(levels))).await {
                assert_ne!(answer.code(), "ok", "{field}: {levels} levels");
                assert!(answer.status < 500, "{answer}");
            }
        }
    }
    fixture.has_stored_nothing().await;
    let body = with(request_bodies::document(""), "metadata", "HERE").to_string().replace("\"HERE\"", &nested(100));
    for answer in fixture.answers(&body).await {
        answer.data(201);
    }
}

#[tokio::test]
async fn a_text_with_invalid_unicode_is_refused() {
    let fixture = Fixture::start().await;
    let body = with(request_bodies::document("HERE"), "metadata", json!({"a": "HERE"})).to_string();
    for spoilt in [r"\ud800", r"\udfff", r"\udc00\ud800", r"\ud83dx"] {
        for at in [0, 1] {
            let place = body.match_indices("HERE").nth(at).unwrap().0;
            let body = format!("{}{spoilt}{}", &body[..place], &body[place + 4..]);
            for answer in fixture.answers(&body).await {
                answer.refusal("INVALID_INPUT");
            }
        }
    }
    fixture.has_stored_nothing().await;
}
