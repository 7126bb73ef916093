//! The actions that each role may take in each situation.

use rstest::rstest;
use serde_json::json;
use tests::{
    debate::{Debate, Situation},
    request_bodies,
    server::Server,
};

use crate::state_machine;

/// The endpoint and the role.
type Action = (&'static str, &'static str);

const ACTIONS: [Action; 6] = [
    ("arguments", "proposer"),
    ("arguments", "opponent"),
    ("appeal", "proposer"),
    ("resolution", "proposer"),
    ("ruling", "arbitrator"),
    ("intervention", "arbitrator"),
];

/// The next state; `None` if the action is refused.
fn expected(situation: Situation, action: Action) -> Option<&'static str> {
    match (situation, action) {
        (Situation::AwaitingOpponent, ("arguments", "opponent")) => Some("AWAITING_PROPOSER"),
        (Situation::AwaitingProposer, ("arguments", "proposer")) => Some("AWAITING_OPPONENT"),
        (Situation::AwaitingProposer, ("appeal" | "resolution", _)) => Some("AWAITING_ARBITRATOR"),
        (Situation::AwaitingOpponent | Situation::AwaitingProposer, ("intervention", _)) => {
            Some("INTERVENTION_PENDING")
        }
        (Situation::Appealed | Situation::CompletionRequested, ("ruling", _)) => Some("AWAITING_PROPOSER"),
        (Situation::OpponentInterrupted, ("arguments", "opponent")) => Some("INTERVENTION_PENDING"),
        (Situation::ProposerInterrupted, ("arguments", "proposer") | ("appeal" | "resolution", _)) => {
            Some("INTERVENTION_PENDING")
        }
        (Situation::OpponentInterrupted | Situation::ProposerInterrupted | Situation::LateDelivered, ("ruling", _)) => {
            Some("AWAITING_PROPOSER")
        }
        _ => None,
    }
}

#[rstest]
#[tokio::test]
async fn every_action_in_every_situation_is_stored_or_refused_as_the_contract_says(
    #[values(
        Situation::AwaitingOpponent,
        Situation::AwaitingProposer,
        Situation::Appealed,
        Situation::CompletionRequested,
        Situation::OpponentInterrupted,
        Situation::ProposerInterrupted,
        Situation::LateDelivered,
        Situation::Closed
    )]
    situation: Situation,
) {
    let server = Server::shared().await;
    for action in ACTIONS {
        let debate = Debate::in_situation(&server.client(), situation).await;
        let before = debate.stored().await;
        let body = match action {
            ("arguments", role) => request_bodies::claim(role, &debate.arguments[0]),
            ("appeal" | "resolution", _) => request_bodies::answer_to(&debate.arguments[0]),
            _ => request_bodies::decision(),
        };
        let answer = debate.attempt(action.0, &body).await;
        let history = debate.history().await;
        let about = format!("{situation:?} {action:?}: {answer}");
        if let Some(state) = expected(situation, action) {
            assert_eq!(answer.data(201)["debate_state"], state, "{about}");
            assert_eq!(history.len(), debate.arguments.len() + 1, "{about}");
        } else {
            let error = answer.refusal("ACTION_NOT_ALLOWED");
            assert_eq!(error["current_state"], situation.state(), "{about}");
            assert_eq!(error["allowed_roles"], json!(situation.allowed_roles()), "{about}");
            assert!(error["suggestion"].as_str().is_some_and(|text| !text.is_empty()), "{about}");
            assert_eq!(debate.stored().await, before, "a refusal changed something: {about}");
        }
        assert_eq!(debate.stored().await["debate"]["state"], state_machine::replay(&history), "{about}");
    }
}

#[tokio::test]
async fn a_late_claim_keeps_the_state_and_its_writer_waits_for_the_ruling() {
    let server = Server::shared().await;
    let mut debate = Debate::in_situation(&server.client(), Situation::OpponentInterrupted).await;
    let intervention = debate.newest().to_owned();
    let late = debate.write("arguments", &request_bodies::claim("opponent", &debate.arguments[0])).await;
    assert_eq!(
        (&late["debate_state"], &late["action"], &late["next_argument_id_to_wait"]),
        (&json!("INTERVENTION_PENDING"), &json!("wait_for_ruling"), &json!(intervention))
    );
    assert_eq!(late["argument"]["seq"], 3);
}

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

#[tokio::test]
async fn only_one_late_claim_is_accepted_per_intervention() {
    let server = Server::shared().await;
    let mut debate = Debate::in_situation(&server.client(), Situation::LateDelivered).await;
    debate
        .attempt("arguments", &request_bodies::claim("opponent", &debate.arguments[0]))
        .await
        .refusal("ACTION_NOT_ALLOWED");
    debate.rule(false).await;
    debate.intervene().await;
    debate
        .attempt("arguments", &request_bodies::claim("opponent", &debate.arguments[0]))
        .await
        .refusal("ACTION_NOT_ALLOWED");
    debate.write("resolution", &request_bodies::answer_to(&debate.arguments[0])).await;
    debate.rule(true).await;
    let history = debate.history().await;
    assert_eq!((state_machine::replay(&history), history.len()), ("CLOSED", 7));
}
