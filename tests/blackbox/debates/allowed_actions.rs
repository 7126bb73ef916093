//! Faults of the targets of late claims.

use serde_json::json;
use tests::{
    debate::{Debate, Situation},
    request_bodies,
    server::Server,
};

#[tokio::test]
async fn a_late_claim_on_the_intervention_is_refused() {
    let server = Server::shared().await;
    let refused = async |situation, verb: &str, role: &str| {
        let debate = Debate::in_situation(&server.client(), situation).await;
        let body = request_bodies::claim(role, debate.newest());
        let error = debate.attempt(verb, &body).await.refusal("ACTION_NOT_ALLOWED");
        assert_eq!(
            (&error["current_state"], &error["allowed_roles"]),
            (&json!("INTERVENTION_PENDING"), &json!(["arbitrator"]))
        );
        let last = debate.arguments.len();
        assert_eq!(debate.stored().await["debate"]["last_seq"], last, "the refused argument was stored");
    };
    refused(Situation::OpponentInterrupted, "arguments", "opponent").await;
    refused(Situation::ProposerInterrupted, "arguments", "proposer").await;
    refused(Situation::ProposerInterrupted, "appeal", "proposer").await;
    refused(Situation::ProposerInterrupted, "resolution", "proposer").await;
}

#[tokio::test]
async fn a_late_claim_with_an_unknown_target_can_be_corrected() {
    let server = Server::shared().await;
    let mut debate = Debate::in_situation(&server.client(), Situation::OpponentInterrupted).await;
    debate
        .attempt("arguments", &request_bodies::claim("opponent", &tests::ids::fresh()))
        .await
        .refusal("ARGUMENT_NOT_FOUND");
    debate.write("arguments", &request_bodies::claim("opponent", &debate.arguments[0])).await;
}
