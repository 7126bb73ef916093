//! Requests for completion, which critical and high issues block until they are settled.

use serde_json::json;
use tests::{
    debate::Debate,
    issue_changes::{raise, regrade},
    request_bodies,
    server::Server,
};

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
    let error = debate.attempt("resolution", &other).await.refusal("ISSUES_OPEN");
    assert!(error["suggestion"].as_str().is_some_and(|text| text.contains("refer")), "{error}");
}

#[tokio::test]
async fn a_fault_of_the_target_precedes_blocking_issues() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("critical", "One")])).await;
    let unknown = request_bodies::answer_to(&tests::ids::fresh());
    debate.attempt("resolution", &unknown).await.refusal("ARGUMENT_NOT_FOUND");
    debate.intervene().await;
    let on_the_intervention = request_bodies::answer_to(debate.newest());
    debate.attempt("resolution", &on_the_intervention).await.refusal("ACTION_NOT_ALLOWED");
}
