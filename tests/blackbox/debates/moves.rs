//! `moves`: what fits next, in events and repeated writes.

use crate::websocket::viewer::Viewer;
use serde_json::json;
use tests::{
    debate::{Debate, text},
    issue_changes::raise,
    request_bodies::{self, with},
    server::Server,
};

#[tokio::test]
async fn events_have_the_turns_of_all_roles_and_the_plan() {
    let server = Server::shared().await;
    let client = server.client();
    let mut debate = Debate::create(&client).await;
    let (mut viewer, state) = Viewer::of_debate(&server, &debate.id).await;
    assert_eq!(state["turns"], debate.stored().await["turns"]);
    let plan = client.post("/documents", &request_bodies::document("The plan.\n")).await.data(201);
    let cite = format!("doc_id={} v1", text(&plan["document"]["id"]));
    debate.claim_with("opponent", json!([raise("high", "One"), raise("low", "Two")])).await;
    for changed in ["new_argument", "issues_changed", "state_changed"] {
        let told = viewer.expect(changed).await;
        if changed != "new_argument" {
            assert_eq!(told["turns"], debate.stored().await["turns"], "{changed}");
        }
    }
    // Neither of these changes an issue, but what fits names the issues that are not settled.
    let claim = with(request_bodies::claim("proposer", debate.newest()), "content", cite);
    debate.write("arguments", &claim).await;
    viewer.expect("new_argument").await;
    let told = viewer.expect("state_changed").await;
    let stored = debate.stored().await;
    assert_eq!((&told["turns"], &told["plan"]), (&stored["turns"], &stored["debate"]["plan"]));
    assert_eq!(told["plan"]["document_id"], plan["document"]["id"]);
    debate.claim("opponent").await;
    viewer.expect("new_argument").await;
    let told = viewer.expect("state_changed").await;
    assert_eq!(told["turns"][0]["moves"][0]["issue_changes"], json!({"fix": ["I1", "I2"]}));
    assert_eq!(told["plan"]["seen_version"], 1);
}

#[tokio::test]
async fn a_repeated_write_tells_what_fits_now() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let claim = with(
        request_bodies::claim("opponent", debate.newest()),
        "issue_changes",
        json!([raise("medium", "One"), raise("medium", "Two")]),
    );
    let first = debate.write("arguments", &claim).await;
    assert_eq!(first["moves"], json!([]));
    debate.claim_with("proposer", json!([{"change": "fix", "issue": "I2"}])).await;
    let again = debate.attempt("arguments", &claim).await.data(200);
    assert_eq!(
        again["moves"],
        json!([{"type": "CLAIM", "target_id": debate.newest(), "issue_changes": {"resolve": ["I2"]}}])
    );
}
