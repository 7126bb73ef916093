//! The characters and lengths of texts.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    debate::{Debate, Situation},
    request_bodies::{self, with},
    server::{Server, Settings},
};

/// The endpoints that take a text, with a situation that allows each and the name of the field.
const TEXT_FIELDS: [(&str, Situation, &str); 5] = [
    ("arguments", Situation::AwaitingOpponent, "content"),
    ("appeal", Situation::AwaitingProposer, "content"),
    ("resolution", Situation::AwaitingProposer, "content"),
    ("ruling", Situation::Appealed, "content"),
    ("intervention", Situation::AwaitingOpponent, "content"),
];

fn body(verb: &str, debate: &Debate) -> Value {
    match verb {
        "arguments" => request_bodies::claim("opponent", debate.newest()),
        "appeal" | "resolution" => request_bodies::answer_to(debate.newest()),
        _ => request_bodies::decision(),
    }
}

#[tokio::test]
async fn texts_in_any_script_are_stored_unchanged() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let texts = [
        "tabs\tnewlines\ncarriage\r\nreturns\r stay, and so do trailing blanks  \n\n",
        "Tiếng Việt có dấu: “ngân sách thử lại” — không chuẩn hoá gì cả",
        "e\u{301} is not é, and ﬁ is not fi, and Å is not Å",
        "\u{FEFF}a byte-order mark in a text is a character like any other\u{FEFF}",
        "👩🏽‍💻 🏳️‍🌈 🇻🇳 zero\u{200B}width, \u{202E}bidi\u{202C}, \u{2028}separators\u{2029}, soft\u{AD}hyphen",
        "noncharacters \u{FFFE}\u{FFFF}\u{1FFFE}, private \u{E000}, last \u{10FFFF}, variation selector \u{E0100}",
        "\u{A0}first after C1, and the block before the tags: \u{DFFFF} 󠆀",
        r#"{"json": "in a text", "escape": "\u0000 \n \\"} '; DROP TABLE arguments; -- %s {} <b>&amp;</b>"#,
        " ",
    ];
    for (turn, text) in texts.into_iter().enumerate() {
        let role = if turn % 2 == 0 { "opponent" } else { "proposer" };
        let body = with(request_bodies::claim(role, debate.newest()), "content", text);
        assert_eq!(debate.write("arguments", &body).await["argument"]["content"], text);
    }
    let history = debate.history().await;
    let read: Vec<&Value> = history[1..].iter().map(|argument| &argument["content"]).collect();
    assert_eq!(json!(read), json!(texts));
}

#[tokio::test]
async fn a_control_character_is_refused_by_code_point_and_position() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let refused = [
        '\u{0}', '\u{1}', '\u{8}', '\u{B}', '\u{C}', '\u{E}', '\u{1B}', '\u{1F}', '\u{7F}', '\u{80}', '\u{85}',
        '\u{9F}',
    ]
    .into_iter()
    .chain(['\u{E0000}', '\u{E0001}', '\u{E0020}', '\u{E0041}', '\u{E007F}']);
    for bad in refused {
        let content = format!("🙂é\n{bad} and more {bad}");
        let body = with(request_bodies::claim("opponent", debate.newest()), "content", content);
        let error = debate.attempt("arguments", &body).await.refusal("INVALID_INPUT");
        let told = error.to_string().to_uppercase();
        let code_point = format!("U+{:04X}", u32::from(bad));
        assert!(told.contains(&code_point), "{code_point} is not named: {error}");
        let mut numbers = told.split(|c: char| !c.is_ascii_alphanumeric());
        assert!(numbers.any(|word| word == "3"), "position 3 of {code_point} is not named: {error}");
        assert!(told.contains("CONTENT"), "the field is not named: {error}");
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
}

#[tokio::test]
async fn every_text_field_refuses_control_characters() {
    let server = Server::start().await;
    let client = server.client();
    for field in ["title", "motion_content"] {
        let error =
            client.post("/debates", &with(request_bodies::creation(), field, "a\u{0}")).await.refusal("INVALID_INPUT");
        assert!(error.to_string().contains(field), "{field} is not named: {error}");
    }
    assert_eq!(client.get("/debates").await.data(200)["total"], 0);
    for (verb, situation, field) in TEXT_FIELDS {
        let debate = Debate::in_situation(&client, situation).await;
        let body = with(body(verb, &debate), field, "a\u{7}");
        debate.attempt(verb, &body).await.refusal("INVALID_INPUT");
        assert_eq!(debate.stored().await["debate"]["last_seq"], debate.arguments.len(), "{verb}");
    }
    let debate = Debate::in_situation(&client, Situation::AwaitingProposer).await;
    for option in [json!({"label": "a\u{0}"}), json!({"label": "a", "detail": "\u{E0041}"})] {
        let body = with(request_bodies::answer_to(debate.newest()), "options", json!([option]));
        debate.attempt("appeal", &body).await.refusal("INVALID_INPUT");
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 2);
}

#[rstest]
#[tokio::test]
async fn content_has_at_most_10240_bytes(
    #[values("arguments", "appeal", "resolution", "ruling", "intervention")] verb: &str,
) {
    let (_, situation, field) = TEXT_FIELDS.into_iter().find(|(other, ..)| *other == verb).expect("a known verb");
    let server = Server::shared().await;
    let mut debate = Debate::in_situation(&server.client(), situation).await;
    let over = format!("{}ệ", "a".repeat(10_238));
    let error = debate.attempt(verb, &with(body(verb, &debate), field, over)).await.refusal("CONTENT_TOO_LARGE");
    assert_eq!((&error["limit"], &error["actual"]), (&json!(10_240), &json!(10_241)));
    assert_eq!(debate.stored().await["debate"]["last_seq"], debate.arguments.len());
    let fits = format!("{}ệ", "a".repeat(10_237));
    let data = debate.write(verb, &with(body(verb, &debate), field, fits.clone())).await;
    assert_eq!(data["argument"]["content"], fits);
}

#[tokio::test]
async fn a_motion_has_at_most_10240_bytes() {
    let server = Server::start().await;
    let client = server.client();
    let motion = |bytes: usize| {
        with(request_bodies::creation(), "motion_content", "é".repeat(bytes / 2) + &"!".repeat(bytes % 2))
    };
    client.post("/debates", &motion(10_240)).await.data(201);
    let error = client.post("/debates", &motion(10_241)).await.refusal("CONTENT_TOO_LARGE");
    assert_eq!((&error["limit"], &error["actual"]), (&json!(10_240), &json!(10_241)));
    assert_eq!(client.get("/debates").await.data(200)["total"], 1);
}

#[tokio::test]
async fn the_limit_counts_the_text_and_not_its_json_escapes() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let escaped = r"\u0041".repeat(10_240);
    let body = with(request_bodies::claim("opponent", debate.newest()), "content", "CONTENT").to_string();
    let request = server.client().write(&debate.path("/arguments"), body.replace("CONTENT", &escaped));
    let data = server.client().send(&request).await.data(201);
    assert_eq!(data["argument"]["content"], "A".repeat(10_240));
}

#[tokio::test]
async fn the_limit_can_be_set() {
    for settings in [
        Settings::new().args(&["--max-content-bytes", "32"]),
        Settings::new().env("DEBATE_MAX_CONTENT_BYTES", "32"),
        Settings::new().env("DEBATE_MAX_CONTENT_BYTES", "64").args(&["--max-content-bytes", "32"]),
    ] {
        let server = Server::with(settings).await;
        let mut debate = Debate::create(&server.client()).await;
        let claim = |debate: &Debate, content: String| {
            with(request_bodies::claim("opponent", debate.newest()), "content", content)
        };
        let over = debate.attempt("arguments", &claim(&debate, "x".repeat(33))).await.refusal("CONTENT_TOO_LARGE");
        assert_eq!((&over["limit"], &over["actual"]), (&json!(32), &json!(33)));
        debate.write("arguments", &claim(&debate, "x".repeat(32))).await;
    }
}
