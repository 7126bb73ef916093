//! Faults in the shape of `issue_changes`, which are told whatever the debate is like.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    debate::{Debate, Situation},
    issue_changes::{change, noted, raise, regrade},
    request_bodies::{self, with},
    server::Server,
};

/// The refusal of these changes in a claim of the side that does not have the turn.
async fn refusal(changes: &Value, code: &str) -> Value {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let body = with(request_bodies::claim("proposer", debate.newest()), "issue_changes", changes.clone());
    debate.attempt("arguments", &body).await.refusal(code)
}

fn without(mut change: Value, field: &str) -> Value {
    change.as_object_mut().unwrap().shift_remove(field).expect("the field was there");
    change
}

#[rstest]
#[case::no_list(json!({"change": "fix", "issue": "I1"}))]
#[case::a_text(json!("fix I1"))]
#[case::no_objects(json!([["fix", "I1"]]))]
#[case::null_in_the_list(json!([null]))]
#[case::a_number_as_a_note(json!([with(change("fix", "I1"), "note", 7)]))]
#[tokio::test]
async fn values_of_other_types_are_refused(#[case] changes: Value) {
    let error = refusal(&changes, "INVALID_INPUT").await;
    assert!(error["field"].as_str().unwrap().starts_with("issue_changes"), "{error}");
}

#[rstest]
#[case::an_unknown_change(change("close", "I1"), "change")]
#[case::another_case(change("Fix", "I1"), "change")]
#[case::no_issue(json!({"change": "fix"}), "issue")]
#[case::an_empty_issue(change("fix", ""), "issue")]
#[case::a_number(change("fix", "1"), "issue")]
#[case::a_leading_zero(change("fix", "I01"), "issue")]
#[case::zero(change("fix", "I0"), "issue")]
#[case::another_letter(change("fix", "i1"), "issue")]
#[case::an_issue_to_raise(with(raise("low", "One"), "issue", "I1"), "issue")]
#[case::no_severity(without(raise("low", "One"), "severity"), "severity")]
#[case::no_severity_to_regrade(change("regrade", "I1"), "severity")]
#[case::an_unknown_severity(regrade("I1", "blocker"), "severity")]
#[case::a_severity_to_fix(with(change("fix", "I1"), "severity", "low"), "severity")]
#[case::no_title(without(raise("low", "One"), "title"), "title")]
#[case::an_empty_title(raise("low", ""), "title")]
#[case::two_lines(raise("low", "One\ntwo"), "title")]
#[case::a_title_to_fix(with(change("fix", "I1"), "title", "One"), "title")]
#[case::a_location_to_resolve(with(change("resolve", "I1"), "location", "here"), "location")]
#[case::two_lines_of_location(with(raise("low", "One"), "location", "here\rthere"), "location")]
#[case::no_note_to_dispute(change("dispute", "I1"), "note")]
#[case::an_empty_note_to_reopen(noted("reopen", "I1", ""), "note")]
#[case::a_control_character(noted("fix", "I1", "a\u{1b}b"), "note")]
#[tokio::test]
async fn a_faulty_change_is_refused_and_named(#[case] faulty: Value, #[case] field: &str) {
    let error = refusal(&json!([change("withdraw", "I9"), faulty]), "INVALID_INPUT").await;
    assert_eq!(error["field"], format!("issue_changes[1].{field}"), "{error}");
}

#[tokio::test]
async fn the_code_point_and_position_of_a_forbidden_character_are_told() {
    let error = refusal(&json!([noted("fix", "I1", "é\u{85}")]), "INVALID_INPUT").await;
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("U+0085") && message.contains('1'), "{error}");
}

#[rstest]
#[case("title", 200)]
#[case("location", 300)]
#[case("note", 1_000)]
#[tokio::test]
async fn a_text_over_its_limit_is_too_large(#[case] field: &str, #[case] limit: usize) {
    let long = with(raise("low", "One"), field, "🦀".repeat(limit + 1));
    let error = refusal(&json!([raise("low", "Two"), long]), "CONTENT_TOO_LARGE").await;
    assert_eq!((&error["limit"], &error["actual"]), (&json!(limit), &json!(limit + 1)));
    assert_eq!(error["field"], format!("issue_changes[1].{field}"));
}

#[tokio::test]
async fn a_text_over_its_limit_precedes_faults_of_shape() {
    let long = noted("fix", "I1", &"x".repeat(1_001));
    for changes in [json!([change("close", "I1"), long]), json!([with(long, "severity", 7)])] {
        let error = refusal(&changes, "CONTENT_TOO_LARGE").await;
        assert_eq!(error["limit"], 1_000, "{error}");
    }
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let body = json!({"content": "No role", "issue_changes": [noted("fix", "I1", &"x".repeat(1_001))]});
    debate.attempt("arguments", &body).await.refusal("CONTENT_TOO_LARGE");
}

#[tokio::test]
async fn a_second_change_of_an_issue_is_refused() {
    let changes = json!([change("resolve", "I1"), change("resolve", "I2"), regrade("I1", "low")]);
    let error = refusal(&changes, "INVALID_INPUT").await;
    assert_eq!(error["field"], "issue_changes[2]", "{error}");
}

#[tokio::test]
async fn an_argument_carries_at_most_50_changes() {
    let many = |count: usize| -> Value { (0..count).map(|number| raise("low", &number.to_string())).collect() };
    assert_eq!(refusal(&many(51), "INVALID_INPUT").await["field"], "issue_changes");
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", many(50)).await;
    assert_eq!(debate.issues("").await["counts"]["open"], 50);
}

#[tokio::test]
async fn other_arguments_and_creations_carry_no_changes() {
    let server = Server::shared().await;
    let client = server.client();
    let debate = Debate::in_situation(&client, Situation::AwaitingProposer).await;
    for (verb, body) in
        [("resolution", request_bodies::answer_to(debate.newest())), ("intervention", request_bodies::decision())]
    {
        let some = with(body.clone(), "issue_changes", json!([raise("low", "One")]));
        assert_eq!(debate.attempt(verb, &some).await.refusal("INVALID_INPUT")["field"], "issue_changes", "{verb}");
        let nonsense = with(body, "issue_changes", 7);
        debate.attempt(verb, &nonsense).await.refusal("INVALID_INPUT");
    }
    let some = with(request_bodies::creation(), "issue_changes", json!([raise("low", "One")]));
    assert_eq!(client.post("/debates", &some).await.refusal("INVALID_INPUT")["field"], "issue_changes");
    for none in [json!([]), Value::Null] {
        let mut debate =
            Debate::create_with(&client, &with(request_bodies::creation(), "issue_changes", none.clone())).await;
        debate.claim("opponent").await;
        debate.write("resolution", &with(request_bodies::answer_to(debate.newest()), "issue_changes", none)).await;
    }
}
