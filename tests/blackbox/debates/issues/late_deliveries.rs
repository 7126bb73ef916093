//! Late deliveries that carry changes of issues.

use serde_json::json;
use tests::{
    debate::Debate,
    issue_changes::{change, noted, raise},
    request_bodies::{self, with},
    server::Server,
};

#[tokio::test]
async fn a_late_claim_of_the_opponent_raises_and_settles_issues() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("high", "One")])).await;
    debate.claim_with("proposer", json!([change("fix", "I1")])).await;
    let target = debate.newest().to_owned();
    debate.intervene().await;
    let changes = json!([change("resolve", "I1"), raise("low", "Two")]);
    let body = with(request_bodies::claim("opponent", &target), "issue_changes", changes);
    let late = debate.write("arguments", &body).await;
    assert_eq!((&late["debate_state"], &late["argument"]["seq"]), (&json!("INTERVENTION_PENDING"), &json!(5)));
    assert_eq!(
        (&late["changed_issues"][0]["status"], &late["changed_issues"][1]["id"]),
        (&json!("resolved"), &json!("I2"))
    );
}

#[tokio::test]
async fn a_late_claim_of_the_proposer_fixes_and_a_late_appeal_refers() {
    let server = Server::shared().await;
    for verb in ["arguments", "appeal"] {
        let mut debate = Debate::create(&server.client()).await;
        debate.claim_with("opponent", json!([raise("high", "One")])).await;
        let target = debate.newest().to_owned();
        debate.intervene().await;
        let (body, made) = match verb {
            "arguments" => (request_bodies::claim("proposer", &target), "fix"),
            _ => (request_bodies::answer_to(&target), "refer"),
        };
        let late = debate.write(verb, &with(body, "issue_changes", json!([change(made, "I1")]))).await;
        assert_eq!(late["changed_issues"][0]["referred"], made == "refer");
        let ruling = debate.rule(false).await;
        assert_eq!(ruling["changed_issues"].as_array().unwrap().len(), usize::from(made == "refer"));
    }
}

#[tokio::test]
async fn an_illegal_change_in_a_late_claim_tells_the_pending_ruling() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("high", "One")])).await;
    let target = debate.newest().to_owned();
    debate.intervene().await;
    let changes = json!([noted("dispute", "I1", "No."), change("resolve", "I1")]);
    let body = with(request_bodies::claim("proposer", &target), "issue_changes", json!([changes[1]]));
    let error = debate.attempt("arguments", &body).await.refusal("ACTION_NOT_ALLOWED");
    assert_eq!(error["current_state"], "INTERVENTION_PENDING");
    assert_eq!(error["allowed_roles"], json!(["arbitrator"]));
    assert_eq!((&error["issue"], &error["status"]), (&json!("I1"), &json!("open")));
    assert_eq!(error["allowed_changes"], json!(["fix", "dispute"]));
    // It does not use up the late delivery.
    debate.write("arguments", &with(body, "issue_changes", json!([changes[0]]))).await;
}

#[tokio::test]
async fn blocking_issues_hold_up_a_late_request_for_completion() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("critical", "One")])).await;
    let target = debate.newest().to_owned();
    let intervention = debate.intervene().await;
    let error = debate.attempt("resolution", &request_bodies::answer_to(&target)).await.refusal("ISSUES_OPEN");
    assert_eq!(error["issues"], json!([{"id": "I1", "severity": "critical", "status": "open", "title": "One"}]));
    // A target that is not older than the intervention is told before.
    let on_it = request_bodies::answer_to(intervention["argument"]["id"].as_str().unwrap());
    debate.attempt("resolution", &on_it).await.refusal("ACTION_NOT_ALLOWED");
}
