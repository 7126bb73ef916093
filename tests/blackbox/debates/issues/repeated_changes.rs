//! Repeated writes that carry changes of issues.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    debate::Debate,
    issue_changes::{change, noted, raise},
    request_bodies::{self, with},
    server::Server,
};

/// Changes that are the same as the first ones, and changes that are not.
#[rstest]
#[case::the_same(json!([raise("low", "One"), change("resolve", "I1")]), true)]
#[case::blanks_and_nulls(
    json!([
        {"change": "raise", "severity": "low", "title": "One", "issue": null, "location": "", "note": ""},
        {"change": "resolve", "issue": "I1", "severity": null, "title": null, "location": null, "note": null},
    ]),
    true
)]
#[case::another_order(json!([change("resolve", "I1"), raise("low", "One")]), false)]
#[case::one_less(json!([raise("low", "One")]), false)]
#[case::one_more(json!([raise("low", "One"), change("resolve", "I1"), raise("low", "One")]), false)]
#[case::another_title(json!([raise("low", "one"), change("resolve", "I1")]), false)]
#[case::another_severity(json!([raise("medium", "One"), change("resolve", "I1")]), false)]
#[case::a_location(json!([with(raise("low", "One"), "location", "here"), change("resolve", "I1")]), false)]
#[case::a_note(json!([raise("low", "One"), noted("resolve", "I1", "Seen")]), false)]
#[case::another_change(json!([raise("low", "One"), change("withdraw", "I1")]), false)]
#[case::another_issue(json!([raise("low", "One"), change("resolve", "I2")]), false)]
#[case::none(json!([]), false)]
#[case::null(Value::Null, false)]
#[tokio::test]
async fn changes_are_part_of_the_payload(#[case] changes: Value, #[case] is_same: bool) {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("low", "First"), raise("low", "Second")])).await;
    debate.claim("proposer").await;
    let claim = request_bodies::claim("opponent", debate.newest());
    let first = json!([raise("low", "One"), change("resolve", "I1")]);
    debate.write("arguments", &with(claim.clone(), "issue_changes", first)).await;
    let answer = debate.attempt("arguments", &with(claim, "issue_changes", changes)).await;
    if is_same {
        assert_eq!(answer.data(200)["replayed"], true);
    } else {
        answer.refusal("IDEMPOTENCY_CONFLICT");
    }
}

#[rstest]
#[case::an_empty_list(json!([]))]
#[case::null(Value::Null)]
#[tokio::test]
async fn an_empty_list_is_as_if_absent(#[case] none: Value) {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let claim = request_bodies::claim("opponent", debate.newest());
    let stored = debate.write("arguments", &claim).await;
    assert_eq!(stored["argument"].get("issue_changes"), None);
    let again = debate.attempt("arguments", &with(claim.clone(), "issue_changes", none)).await.data(200);
    assert_eq!(again["replayed"], true);
    let some = with(claim, "issue_changes", json!([raise("low", "One")]));
    debate.attempt("arguments", &some).await.refusal("IDEMPOTENCY_CONFLICT");
}
