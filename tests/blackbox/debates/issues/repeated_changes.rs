//! Repeated writes that carry changes of issues.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    debate::Debate,
    issue_changes::{change, noted, raise},
    request_bodies::{self, with},
    server::Server,
};

#[tokio::test]
async fn a_replay_stores_nothing_and_tells_the_issues_as_they_are_now() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let changes = json!([raise("low", "One"), raise("high", "Two")]);
    let claim = with(request_bodies::claim("opponent", debate.newest()), "issue_changes", changes);
    let first = debate.write("arguments", &claim).await;
    assert_eq!(debate.attempt("arguments", &claim).await.data(200)["changed_issues"], first["changed_issues"]);
    debate.claim_with("proposer", json!([noted("fix", "I2", "plan 2")])).await;
    let before = (debate.stored().await, debate.issues("history=true").await);
    let again = debate.attempt("arguments", &claim).await.data(200);
    assert_eq!((&again["replayed"], &again["argument"]), (&json!(true), &first["argument"]));
    let now = debate.issues("").await["issues"].clone();
    assert_eq!(again["changed_issues"], now);
    assert_eq!((&now[1]["status"], &now[1]["note"]), (&json!("fixed"), &json!("plan 2")));
    assert_eq!((debate.stored().await, debate.issues("history=true").await), before, "a replay changed something");
}

#[tokio::test]
async fn the_replay_of_a_ruling_tells_the_issues_that_it_made_no_longer_referred() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("low", "One"), raise("high", "Two")])).await;
    debate.appeal_with(json!([change("refer", "I1")])).await;
    let ruling = with(request_bodies::decision(), "issue_changes", json!([change("uphold", "I2")]));
    let first = debate.write("ruling", &ruling).await;
    assert_eq!(first["changed_issues"].as_array().unwrap().len(), 2);
    debate.appeal_with(json!([change("refer", "I1")])).await;
    let again = debate.attempt("ruling", &ruling).await.data(200);
    assert_eq!(again["changed_issues"], debate.issues("").await["issues"]);
    assert_eq!(again["changed_issues"][0]["referred"], true);
}

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
