//! Requests for completion, which critical and high issues block until they are settled.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    debate::Debate,
    issue_changes::{change, noted, raise, regrade},
    request_bodies,
    server::Server,
};

/// A debate in which the proposer has the turn, with one issue of each severity.
async fn with_four_issues(server: &Server) -> Debate {
    let mut debate = Debate::create(&server.client()).await;
    let raises: Value =
        ["low", "high", "medium", "critical"].map(|severity| raise(severity, severity)).into_iter().collect();
    debate.claim_with("opponent", raises).await;
    debate
}

fn blocking(id: &str, severity: &str, status: &str) -> Value {
    json!({"id": id, "severity": severity, "status": status, "title": severity})
}

#[tokio::test]
async fn open_fixed_and_disputed_issues_block_until_they_are_settled() {
    let server = Server::shared().await;
    let mut debate = with_four_issues(&server).await;
    let body = request_bodies::answer_to(debate.newest());
    let before = debate.stored().await;
    let error = debate.attempt("resolution", &body).await.refusal("ISSUES_OPEN");
    assert_eq!(error["issues"], json!([blocking("I2", "high", "open"), blocking("I4", "critical", "open")]));
    assert!(error["suggestion"].as_str().is_some_and(|text| text.contains("refer")), "{error}");
    assert_eq!(debate.stored().await, before, "something was stored");
    // The gate is not in what is allowed.
    assert_eq!(before["turns"][0]["allowed"], json!(["CLAIM", "APPEAL", "RESOLUTION"]));

    debate.claim_with("proposer", json!([change("fix", "I2"), noted("dispute", "I4", "No.")])).await;
    debate.claim_with("opponent", json!([change("resolve", "I1")])).await;
    let error = debate.attempt("resolution", &request_bodies::answer_to(debate.newest())).await.refusal("ISSUES_OPEN");
    assert_eq!(error["issues"], json!([blocking("I2", "high", "fixed"), blocking("I4", "critical", "disputed")]));

    debate.claim("proposer").await;
    debate.claim_with("opponent", json!([change("resolve", "I2"), regrade("I4", "medium")])).await;
    // The request id of the first attempt was left free.
    debate.write("resolution", &body).await;
}

#[rstest]
#[case("dismiss")]
#[case("uphold")]
#[tokio::test]
async fn an_appeal_with_a_reference_leads_on(#[case] decision: &str) {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("high", "One")])).await;
    debate.appeal_with(json!([change("refer", "I1")])).await;
    debate.rule_with(false, json!([change(decision, "I1")])).await;
    let answer = debate.attempt("resolution", &request_bodies::answer_to(debate.newest())).await;
    match decision {
        "dismiss" => assert_eq!(answer.data(201)["debate_state"], "AWAITING_ARBITRATOR"),
        _ => assert_eq!(answer.refusal("ISSUES_OPEN")["issues"][0]["id"], "I1"),
    }
}

#[tokio::test]
async fn a_stored_request_is_replayed_although_issues_block_now() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("low", "One")])).await;
    let body = request_bodies::answer_to(debate.newest());
    debate.write("resolution", &body).await;
    debate.rule_with(false, json!([regrade("I1", "critical")])).await;
    assert_eq!(debate.attempt("resolution", &body).await.data(200)["replayed"], true);
    let other = request_bodies::answer_to(debate.newest());
    debate.attempt("resolution", &other).await.refusal("ISSUES_OPEN");
}

#[tokio::test]
async fn a_target_that_is_not_there_precedes_blocking_issues() {
    let server = Server::shared().await;
    let debate = with_four_issues(&server).await;
    let body = request_bodies::answer_to(&tests::ids::fresh());
    debate.attempt("resolution", &body).await.refusal("ARGUMENT_NOT_FOUND");
}

#[tokio::test]
async fn the_arbitrator_closes_although_issues_block() {
    let server = Server::shared().await;
    let mut debate = with_four_issues(&server).await;
    debate.intervene().await;
    debate.rule(true).await;
    let stored = debate.stored().await;
    assert_eq!(
        (&stored["debate"]["state"], &stored["debate"]["issue_counts"]["blocking"]),
        (&json!("CLOSED"), &json!(2))
    );
    assert_eq!(stored["issues"].as_array().unwrap().len(), 4);
}
