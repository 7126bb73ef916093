//! `POST /debates/{id}/arguments`, and what the responses to all writes have in common.

use serde_json::{Value, json};
use tests::{
    debate::Debate,
    request_bodies::{self, with},
    server::Server,
};

use crate::schema_checks;

fn is_answer_to_write(data: &Value, state: &str, action: &str) {
    schema_checks::has_keys(data, &["argument", "debate_state", "action", "next_argument_id_to_wait"]);
    schema_checks::is_argument(&data["argument"]);
    assert_eq!((&data["debate_state"], &data["action"]), (&json!(state), &json!(action)), "{data}");
    assert_eq!(data["next_argument_id_to_wait"], data["argument"]["id"], "{data}");
    assert!(data.get("replayed").is_none_or(|replayed| replayed == false), "a first write is no replay: {data}");
}

#[tokio::test]
async fn every_write_returns_the_argument_and_the_writers_next_action() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    is_answer_to_write(&debate.claim("opponent").await, "AWAITING_PROPOSER", "wait_for_proposer");
    is_answer_to_write(&debate.claim("proposer").await, "AWAITING_OPPONENT", "wait_for_opponent");
    is_answer_to_write(&debate.claim("opponent").await, "AWAITING_PROPOSER", "wait_for_proposer");
    is_answer_to_write(&debate.appeal().await, "AWAITING_ARBITRATOR", "wait_for_ruling");
    is_answer_to_write(&debate.rule(false).await, "AWAITING_PROPOSER", "watch");
    is_answer_to_write(&debate.intervene().await, "INTERVENTION_PENDING", "rule");
    is_answer_to_write(&debate.rule(false).await, "AWAITING_PROPOSER", "watch");
    is_answer_to_write(&debate.request_completion().await, "AWAITING_ARBITRATOR", "wait_for_ruling");
    is_answer_to_write(&debate.rule(true).await, "CLOSED", "debate_closed");
}

#[tokio::test]
async fn a_claim_is_stored_unchanged() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let body = with(
        request_bodies::claim("opponent", debate.newest()),
        "content",
        "Ngân sách **thử lại** là gì?\r\n\t- 🙂 \n",
    );
    let argument = debate.write("arguments", &body).await["argument"].clone();
    assert_eq!((&argument["type"], &argument["role"]), (&json!("CLAIM"), &json!("opponent")));
    assert_eq!((&argument["parent_id"], &argument["seq"]), (&body["target_id"], &json!(2)));
    assert_eq!((&argument["content"], &argument["debate_id"]), (&body["content"], &json!(debate.id)));
    let stored = debate.stored().await;
    assert_eq!(stored["arguments"][0], argument, "the debate and the answer tell the same");
    assert_eq!((&stored["debate"]["last_seq"], &stored["debate"]["state"]), (&json!(2), &json!("AWAITING_PROPOSER")));
}

#[tokio::test]
async fn a_claim_may_target_any_argument_of_the_debate() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    debate.claim("proposer").await;
    for (target, role) in [(0, "opponent"), (2, "proposer"), (1, "opponent"), (3, "proposer")] {
        let target = debate.arguments[target].clone();
        let data = debate.write("arguments", &request_bodies::claim(role, &target)).await;
        assert_eq!(data["argument"]["parent_id"], target);
    }
}

#[tokio::test]
async fn a_target_of_another_debate_is_not_found_and_nothing_is_stored() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let other = Debate::create(&server.client()).await;
    for target in [other.newest().to_owned(), debate.id.clone(), tests::ids::fresh()] {
        debate.attempt("arguments", &request_bodies::claim("opponent", &target)).await.refusal("ARGUMENT_NOT_FOUND");
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
}

#[tokio::test]
async fn any_spelling_of_the_target_id_is_accepted() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let motion = debate.newest().to_owned();
    for (role, spelling) in [
        ("opponent", motion.to_uppercase()),
        ("proposer", format!("{{{motion}}}")),
        ("opponent", motion.replace('-', "")),
    ] {
        let data = debate.write("arguments", &request_bodies::claim(role, &spelling)).await;
        assert_eq!(data["argument"]["parent_id"], motion, "{spelling}");
    }
}

#[tokio::test]
async fn the_arbitrator_cannot_submit_claims() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let error = debate.attempt("arguments", &request_bodies::claim("arbitrator", debate.newest())).await;
    assert!(error.refusal("INVALID_INPUT").to_string().contains("role"));
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
}
