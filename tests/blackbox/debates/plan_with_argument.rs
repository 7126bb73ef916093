//! A plan that comes with an argument: both are stored, or neither is.

use rstest::rstest;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tests::{
    client::Client,
    debate::{Debate, Situation, text},
    document::Document,
    ids,
    request_bodies::{self, with, without},
    server::{Server, Settings},
};

fn plan(content: &str) -> Value {
    json!({ "content": content })
}

fn creation(content: &str) -> Value {
    with(request_bodies::creation(), "plan", plan(content))
}

fn sha256(texts: &[&str]) -> String {
    let digest = texts.iter().fold(Sha256::new(), |digest, text| digest.chain_update(text));
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The request id under which the version of an argument's plan is stored.
fn version_request(debate: &str, request: &Value, content: &str) -> String {
    sha256(&[debate, "\n", request.as_str().unwrap(), "\n", content, "\n"])
}

/// A debate whose plan is version 1, `One.`, in the proposer's turn.
async fn with_plan(client: &Client) -> (Debate, Document) {
    let mut debate = Debate::create_with(client, &creation("One.\n")).await;
    debate.claim("opponent").await;
    let id = text(&debate.stored().await["debate"]["plan"]["document_id"]);
    (debate, Document::at(client, id))
}

/// An argument of the proposer with a plan.
fn answer(debate: &Debate, verb: &str, plan: Value) -> Value {
    let body = request_bodies::answer_to(debate.newest());
    let body = if verb == "arguments" { with(body, "role", "proposer") } else { body };
    with(body, "plan", plan)
}

async fn versions(document: &Document) -> u64 {
    document.history("").await.data(200)["total"].as_u64().unwrap()
}

#[tokio::test]
async fn the_first_plan_becomes_a_document_that_is_called_as_the_debate() {
    let server = Server::shared().await;
    let client = server.client();
    let body = with(creation("# Plan\n"), "plan", json!({"content": "# Plan\n", "summary": "ignored", "base": 7}));
    let created = client.post("/debates", &body).await.data(201);
    let plan = created["plan"].clone();
    assert_eq!(created["debate"]["plan"], plan);
    let id = text(&plan["document_id"]);
    let expected = json!({
        "document_id": id, "version": 1, "sha256": sha256(&["# Plan\n"]), "first_version": 1, "seen_version": null, "seen": false,
    });
    assert_eq!(plan, expected);
    let motion = text(&body["motion_content"]);
    assert_eq!(created["argument"]["content"], format!("Plan: doc_id={id} v1\n\n{motion}"));
    assert_eq!(created["unknown_citations"], json!([]));
    let document = Document::at(&client, id);
    let version = document.get("version=1").await.data(200);
    assert_eq!((&version["document"]["title"], &version["version"]["content"]), (&body["title"], &json!("# Plan\n")));
    // The version is the one that the request id of both stores.
    let request = version_request(&text(&body["debate_id"]), &body["client_request_id"], "# Plan\n");
    let twin = json!({"summary": body["title"], "content": "# Plan\n", "client_request_id": request});
    let again = client.post("/documents", &twin).await.data(200);
    assert_eq!((&again["replayed"], &again["document"]["id"]), (&json!(true), &json!(document.id)));
}

#[rstest]
#[case("arguments")]
#[case("appeal")]
#[case("resolution")]
#[tokio::test]
async fn a_later_plan_becomes_the_next_version(#[case] verb: &str) {
    let server = Server::shared().await;
    let (mut debate, document) = with_plan(&server.client()).await;
    let written = debate.write(verb, &answer(&debate, verb, json!({"content": "Two.\n", "base": 1}))).await;
    let argument = &written["argument"];
    let said = text(&request_bodies::answer_to("x")["content"]);
    assert_eq!(argument["content"], format!("Plan: doc_id={} v2\n\n{said}", document.id));
    assert_eq!(argument["citations"][0]["sha256"], sha256(&["Two.\n"]));
    assert_eq!((&written["plan"]["version"], &written["plan"]["seen"]), (&json!(2), &json!(false)));
    let newest = document.newest().await;
    assert_eq!(
        (&newest["version"], &newest["summary"], &newest["content"]),
        (&json!(2), &json!(said), &json!("Two.\n"))
    );
    if verb == "resolution" {
        assert_eq!(written["unseen_citations"][0]["version"], 2);
    }
}

#[rstest]
#[case::a_debate_without_one(false)]
#[case::a_debate_whose_opponent_cited_a_document(true)]
#[tokio::test]
async fn a_debate_may_get_its_plan_later(#[case] cited_by_opponent: bool) {
    let server = Server::shared().await;
    let client = server.client();
    let mut debate = Debate::create(&client).await;
    let mut claim = request_bodies::claim("opponent", debate.newest());
    if cited_by_opponent {
        let other = Document::create(&client).await;
        claim = with(claim, "content", format!("See doc_id={} v1", other.id));
    }
    debate.write("arguments", &claim).await;
    let body = without(answer(&debate, "arguments", json!({"content": "", "summary": "ignored"})), "content");
    let written = debate.write("arguments", &body).await;
    let id = text(&written["plan"]["document_id"]);
    assert_eq!(written["argument"]["content"], format!("Plan: doc_id={id} v1"), "the text is that line alone");
    let document = Document::at(&client, id).get("").await.data(200);
    assert_eq!(document["document"]["title"], debate.stored().await["debate"]["title"]);
    assert_eq!(document["version"]["content"], "");
}

#[tokio::test]
async fn equal_bytes_make_no_version() {
    let server = Server::shared().await;
    let (mut debate, document) = with_plan(&server.client()).await;
    document.submit(&request_bodies::document("Two.\n")).await;
    document.submit(&request_bodies::document("Three.\n")).await;
    let mut cites = async |content: &str, base: u64| {
        let plan = json!({"content": content, "base": base});
        let written = debate.write("arguments", &answer(&debate, "arguments", plan)).await;
        debate.claim("opponent").await;
        (written["plan"]["version"].clone(), versions(&document).await)
    };
    assert_eq!(cites("One.\n", 9).await, (json!(1), 3), "the present version, whatever its base");
    assert_eq!(cites("Three.\n", 9).await, (json!(3), 3), "the newest version");
    assert_eq!(cites("Two.\n", 3).await, (json!(4), 4), "another one is made again");
}

#[tokio::test]
async fn a_version_is_made_from_the_newest_one() {
    let server = Server::shared().await;
    let (mut debate, document) = with_plan(&server.client()).await;
    document.submit(&request_bodies::document("Two.\n")).await;
    for base in [0, 1, 3] {
        let body = answer(&debate, "arguments", json!({"content": "Mine.\n", "base": base}));
        let error = debate.attempt("arguments", &body).await.refusal("ACTION_NOT_ALLOWED");
        assert!(error["message"].as_str().unwrap().contains("base"), "{error}");
        assert_eq!((&error["field"], &error["current_state"]), (&json!("plan.base"), &json!("AWAITING_PROPOSER")));
    }
    assert_eq!(versions(&document).await, 2);
    let body = answer(&debate, "arguments", json!({"content": "Mine.\n", "base": 2}));
    assert_eq!(debate.write("arguments", &body).await["plan"]["version"], 3);
}

#[rstest]
#[case::said(json!("Said"), "Said")]
#[case::empty(json!(""), "")]
#[case::the_first_line(Value::Null, "First.")]
#[tokio::test]
async fn a_version_is_summed_up(#[case] given: Value, #[case] expected: &str) {
    let server = Server::shared().await;
    let (mut debate, document) = with_plan(&server.client()).await;
    let body = answer(&debate, "arguments", json!({"content": "Two.\n", "summary": given}));
    debate.write("arguments", &with(body, "content", "\n \n  First.  \nSecond.")).await;
    assert_eq!(document.newest().await["summary"], expected);
}

#[tokio::test]
async fn a_repeated_request_is_compared_by_its_text_and_the_plans_bytes() {
    let server = Server::shared().await;
    let client = server.client();
    let body = creation("One.\n");
    let created = client.post("/debates", &body).await.data(201);
    let debate = Debate::opened(&client, &created);
    let again = async |path: &str, body: &Value, code: &str| {
        let answer = client.post(path, body).await;
        assert_eq!(answer.code(), code, "{answer}");
        answer.envelope()["data"].clone()
    };
    let path = debate.path("/arguments");
    let written = {
        let mut debate = debate.by(&client);
        debate.claim("opponent").await;
        let body = answer(&debate, "arguments", json!({"content": "Two.\n", "base": 1}));
        (debate.write("arguments", &body).await, body)
    };
    for (path, body, stored) in [("/debates", &body, &created), (&path, &written.1, &written.0)] {
        let field = if path == "/debates" { "motion_content" } else { "content" };
        let replay = again(path, body, "ok").await;
        assert_eq!((&replay["replayed"], &replay["argument"]), (&json!(true), &stored["argument"]));
        assert_eq!(replay["plan"]["version"], 2, "the plan as it is now");
        let content = body["plan"]["content"].clone();
        again(path, &with(body.clone(), "plan", json!({"content": content, "summary": "Another", "base": 77})), "ok")
            .await;
        let in_full = with(without(body.clone(), "plan"), field, stored["argument"]["content"].clone());
        again(path, &in_full, "ok").await;
        again(path, &with(body.clone(), "plan", plan("Other.\n")), "IDEMPOTENCY_CONFLICT").await;
        again(path, &with(body.clone(), field, "Other."), "IDEMPOTENCY_CONFLICT").await;
        again(path, &without(body.clone(), "plan"), "IDEMPOTENCY_CONFLICT").await;
    }
    // What stored plan and argument by two requests is the same payload.
    let document = Document::at(&client, text(&created["plan"]["document_id"]));
    let mut debate = debate.by(&client);
    debate.arguments.push(text(&written.0["argument"]["id"]));
    debate.claim("opponent").await;
    document.submit(&request_bodies::document("Three.\n")).await;
    let by_hand = with(
        request_bodies::claim("proposer", debate.newest()),
        "content",
        format!("Plan: doc_id={} v3\n\nWhy.", document.id),
    );
    debate.write("arguments", &by_hand).await;
    again(&path, &with(with(by_hand.clone(), "content", "Why."), "plan", plan("Three.\n")), "ok").await;
    again(&path, &with(with(by_hand, "content", "Why."), "plan", plan("Two.\n")), "IDEMPOTENCY_CONFLICT").await;
    assert_eq!(versions(&document).await, 3);
}

#[tokio::test]
async fn a_version_that_the_request_stored_before_is_the_one_that_is_cited() {
    let server = Server::shared().await;
    let client = server.client();
    // The document of a debate that was never opened
    let body = creation("One.\n");
    let request = version_request(&text(&body["debate_id"]), &body["client_request_id"], "One.\n");
    let early = json!({"summary": "Whatever", "content": "One.\n", "client_request_id": request});
    let document = Document::create_with(&client, &early).await;
    let mut debate = Debate::create_with(&client, &body).await;
    assert_eq!(debate.stored().await["debate"]["plan"]["document_id"], document.id);
    // The version of an argument that was never sent, and another version since
    debate.claim("opponent").await;
    let body = answer(&debate, "arguments", json!({"content": "Two.\n", "base": 1}));
    let request = version_request(&debate.id, &body["client_request_id"], "Two.\n");
    document.submit(&json!({"summary": "Whatever", "content": "Two.\n", "client_request_id": request})).await;
    document.submit(&request_bodies::document("Three.\n")).await;
    assert_eq!(debate.write("arguments", &body).await["plan"]["version"], 2);
    assert_eq!(versions(&document).await, 3);
    // A text that only pretends to be that version
    debate.claim("opponent").await;
    let body = answer(&debate, "arguments", plan("Four.\n"));
    let request = version_request(&debate.id, &body["client_request_id"], "Four.\n");
    document.submit(&json!({"summary": "", "content": "Forged", "client_request_id": request})).await;
    debate.attempt("arguments", &body).await.refusal("IDEMPOTENCY_CONFLICT");
}

#[tokio::test]
async fn a_plan_that_was_deleted_is_told_after_the_target_and_before_issue_changes() {
    let server = Server::shared().await;
    let (mut debate, document) = with_plan(&server.client()).await;
    let body = answer(&debate, "arguments", plan("Two.\n"));
    let written = debate.write("arguments", &body).await;
    debate.claim("opponent").await;
    document.delete().await.data(200);
    let replay = debate.attempt("arguments", &body).await.data(200);
    assert_eq!(replay["argument"], written["argument"], "what is stored is answered");
    let bad_change = json!([{"change": "fix", "issue": "I9"}]);
    for content in ["One.\n", "Two.\n", "Three.\n"] {
        let body = with(answer(&debate, "arguments", plan(content)), "issue_changes", bad_change.clone());
        debate.attempt("arguments", &body).await.refusal("DOCUMENT_NOT_FOUND");
        let body = with(body, "target_id", ids::fresh());
        debate.attempt("arguments", &body).await.refusal("ARGUMENT_NOT_FOUND");
    }
    let of_opponent = with(answer(&debate, "arguments", plan("Two.\n")), "issue_changes", bad_change);
    let body = without(of_opponent, "plan");
    debate.attempt("arguments", &body).await.refusal("INVALID_INPUT");
}

#[tokio::test]
async fn what_is_refused_stores_no_version() {
    let server = Server::shared().await;
    let client = server.client();
    let (mut debate, document) = with_plan(&client).await;
    let changed = json!([{"change": "fix", "issue": "I1"}]);
    let refused = async |body: Value, verb: &str, code: &str| {
        debate.attempt(verb, &body).await.refusal(code);
        assert_eq!(versions(&document).await, 1, "{body}");
    };
    let newest = debate.newest().to_owned();
    let base = json!({"target_id": newest, "content": "Why.", "role": "proposer", "client_request_id": "r", "plan": plan("Two.\n")});
    refused(with(base.clone(), "target_id", ids::fresh()), "arguments", "ARGUMENT_NOT_FOUND").await;
    refused(with(base.clone(), "issue_changes", changed), "arguments", "INVALID_INPUT").await;
    refused(with(base.clone(), "role", "opponent"), "arguments", "INVALID_INPUT").await;
    debate.claim("proposer").await;
    debate.attempt("arguments", &base).await.refusal("ACTION_NOT_ALLOWED");
    assert_eq!(versions(&document).await, 1);
    // A debate that another request created
    let other = with(creation("One.\n"), "debate_id", debate.id.as_str());
    let count = async || client.get("/documents?q=Retry%20budget%20for").await.data(200)["total"].clone();
    let before = count().await;
    client.post("/debates", &other).await.refusal("DEBATE_EXISTS");
    assert_eq!(count().await, before);
}

#[rstest]
#[case::ruling(Situation::Appealed, "ruling")]
#[case::intervention(Situation::AwaitingOpponent, "intervention")]
#[case::opponent(Situation::AwaitingOpponent, "arguments")]
#[tokio::test]
async fn elsewhere_a_plan_is_refused_by_name(#[case] situation: Situation, #[case] verb: &str) {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), situation).await;
    let body = match verb {
        "arguments" => request_bodies::claim("opponent", debate.newest()),
        _ => request_bodies::decision(),
    };
    let error = debate.attempt(verb, &with(body.clone(), "plan", plan("One.\n"))).await.refusal("INVALID_INPUT");
    assert_eq!(error["field"], "plan", "{error}");
    debate.attempt(verb, &with(body, "plan", Value::Null)).await.data(201);
}

#[rstest]
#[case::no_object(json!("One."), "INVALID_INPUT", "plan")]
#[case::a_list_of_its_fields(json!(["One.", null, null]), "INVALID_INPUT", "plan")]
#[case::no_content(json!({"summary": "S"}), "INVALID_INPUT", "plan")]
#[case::control(json!({"content": "a\u{0}"}), "INVALID_INPUT", "plan.content")]
#[case::control_in_summary(json!({"content": "a", "summary": "\u{7}"}), "INVALID_INPUT", "plan.summary")]
#[case::base(json!({"content": "a", "base": "1"}), "INVALID_INPUT", "plan.base")]
#[case::negative_base(json!({"content": "a", "base": -1}), "INVALID_INPUT", "plan.base")]
#[case::long(json!({"content": "é".repeat(524_289)}), "CONTENT_TOO_LARGE", "plan.content")]
#[case::long_summary(json!({"content": "a", "summary": "é".repeat(501)}), "CONTENT_TOO_LARGE", "plan.summary")]
#[tokio::test]
async fn a_wrong_plan_is_refused_by_name(#[case] given: Value, #[case] code: &str, #[case] names: &str) {
    let server = Server::shared().await;
    let client = server.client();
    let (debate, _) = with_plan(&client).await;
    for verb in ["arguments", "appeal", "resolution"] {
        let error = debate.attempt(verb, &answer(&debate, verb, given.clone())).await.refusal(code);
        assert!(error["field"].as_str().unwrap().starts_with(names), "{verb}: {error}");
    }
    let error = client.post("/debates", &with(request_bodies::creation(), "plan", given.clone())).await.refusal(code);
    assert!(error["field"].as_str().unwrap().starts_with(names), "{error}");
    // Lengths come before what else is wrong with a body.
    if code == "CONTENT_TOO_LARGE" {
        let worse = with(answer(&debate, "appeal", given), "target_id", 7);
        debate.attempt("appeal", &worse).await.refusal("CONTENT_TOO_LARGE");
    }
}

#[tokio::test]
async fn the_text_counts_with_a_line_of_62_bytes() {
    let server = Server::with(Settings::new().args(&["--max-content-bytes", "100"])).await;
    let client = server.client();
    let (mut debate, _) = with_plan(&client).await;
    for verb in ["arguments", "appeal", "resolution"] {
        let body = |content: String| with(answer(&debate, verb, plan("Two.\n")), "content", content);
        let error = debate.attempt(verb, &body("x".repeat(39))).await.refusal("CONTENT_TOO_LARGE");
        assert_eq!((&error["field"], &error["limit"], &error["actual"]), (&json!("content"), &json!(100), &json!(101)));
        let invalid = with(body("x".repeat(39)), "target_id", 7);
        debate.attempt(verb, &invalid).await.refusal("CONTENT_TOO_LARGE");
    }
    let body = with(answer(&debate, "arguments", plan("Two.\n")), "content", "x".repeat(38));
    debate.write("arguments", &body).await;
    let motion = |bytes: usize| with(creation("One.\n"), "motion_content", "x".repeat(bytes));
    let error = client.post("/debates", &motion(39)).await.refusal("CONTENT_TOO_LARGE");
    assert_eq!(error["field"], "motion_content");
    client.post("/debates", &motion(38)).await.data(201);
    // Without a plan all of it is the text's, which may not be left out.
    client.post("/debates", &with(request_bodies::creation(), "motion_content", "x".repeat(100))).await.data(201);
    for empty in [Value::Null, json!("")] {
        let error = client.post("/debates", &with(request_bodies::creation(), "motion_content", empty)).await;
        assert_eq!(error.refusal("INVALID_INPUT")["field"], "motion_content");
    }
    let largest = json!({"content": "\u{1}".repeat(0) + &"\"".repeat(1_048_576)});
    client.post("/debates", &with(motion(38), "plan", largest)).await.data(201);
}

#[tokio::test]
async fn concurrent_plans_of_a_debate_leave_no_version_without_an_argument() {
    let server = Server::shared().await;
    let (debate, document) = with_plan(&server.client()).await;
    let attempts = (0..16).map(|n| {
        let body = answer(&debate, "arguments", json!({"content": format!("Plan {n}\n"), "base": 1}));
        let debate = debate.by(debate.client());
        async move { debate.attempt("arguments", &body).await.code().to_owned() }
    });
    let codes = futures_util::future::join_all(attempts).await;
    assert_eq!(codes.iter().filter(|code| *code == "ok").count(), 1, "{codes:?}");
    assert_eq!(versions(&document).await, 2);
}
