//! `GET /debates/{id}/issues`: invalid requests, and what may become of the issues.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    debate::Debate,
    ids,
    issue_changes::{change, raise},
    server::Server,
};

use crate::websocket::viewer::Viewer;

#[rstest]
#[case("status=closed", "status")]
#[case("status=", "status")]
#[case("status=Open", "status")]
#[case("history=yes", "history")]
#[case("history=", "history")]
#[case("history=1", "history")]
#[tokio::test]
async fn other_parameters_are_refused(#[case] query: &str, #[case] field: &str) {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let answer = server.client().get(&debate.path(&format!("/issues?{query}"))).await;
    assert_eq!(answer.refusal("INVALID_INPUT")["field"], field);
}

#[tokio::test]
async fn the_issues_of_an_unknown_debate_are_not_found() {
    let server = Server::shared().await;
    let client = server.client();
    client.get(&format!("/debates/{}/issues", ids::fresh())).await.refusal("DEBATE_NOT_FOUND");
    client.get("/debates/no-id/issues").await.refusal("INVALID_INPUT");
}

/// What may become of the first issue, wherever it is told; it has to be the same everywhere.
async fn may(server: &Server, debate: &Debate) -> Value {
    let client = server.client();
    let told = client.get(&debate.path("/issues")).await.data(200)["issues"][0]["may"].clone();
    assert_eq!(debate.stored().await["issues"][0]["may"], told, "the debate");
    let (_, state) = Viewer::of_debate(server, &debate.id).await;
    assert_eq!(state["issues"][0]["may"], told, "the first event");
    for role in ["proposer", "opponent", "arbitrator"] {
        let waited = debate.wait(&format!("role={role}&timeout=0")).await.data(200);
        assert!(waited.get("issues").is_none() || waited["issues"][0]["may"] == told, "a wait of the {role}: {waited}");
    }
    let record = client.get(&debate.path("/record")).await.data(200);
    assert_eq!(record["record"]["issues"][0].get("may"), None, "a record tells what was");
    told
}

#[tokio::test]
async fn issues_say_what_each_role_may_make_of_them_now() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let told = debate.claim_with("opponent", json!([raise("low", "A name")])).await;
    assert_eq!(told["changed_issues"][0].get("may"), None, "the answer to a write");
    let of = |proposer: &[&str], opponent: &[&str], arbitrator: &[&str]| json!({"proposer": proposer, "opponent": opponent, "arbitrator": arbitrator});
    assert_eq!(may(&server, &debate).await, of(&["fix", "dispute", "refer"], &[], &[]));
    debate.claim_with("proposer", json!([change("fix", "I1")])).await;
    assert_eq!(may(&server, &debate).await, of(&[], &["resolve", "withdraw", "reopen", "regrade", "defer"], &[]));
    // A late delivery does not count.
    debate.intervene().await;
    let rulings = ["regrade", "uphold", "dismiss", "defer"];
    assert_eq!(may(&server, &debate).await, of(&[], &[], &rulings));
    debate.rule(false).await;
    assert_eq!(may(&server, &debate).await, of(&["refer"], &[], &[]));
    debate.appeal().await;
    assert_eq!(may(&server, &debate).await, of(&[], &[], &rulings));
    debate.rule(true).await;
    assert_eq!(may(&server, &debate).await, of(&[], &[], &[]));
}
