//! `POST /debates/{id}/ruling` and `POST /debates/{id}/intervention`.

use serde_json::{Value, json};
use tests::{
    debate::{Debate, Situation},
    request_bodies::{self, with, without},
    server::Server,
};

async fn refused_choice(debate: &Debate, option: impl Into<Value>) {
    let body = with(request_bodies::decision(), "chosen_option", option);
    let error = debate.attempt("ruling", &body).await.refusal("INVALID_INPUT");
    assert!(error.to_string().contains("chosen_option"), "chosen_option is not named: {error}");
}

#[tokio::test]
async fn an_option_out_of_range_is_refused() {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), Situation::Appealed).await;
    for option in [3, 4, i64::MAX] {
        refused_choice(&debate, option).await;
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 3);
}

#[tokio::test]
async fn a_choice_without_options_is_refused() {
    let server = Server::shared().await;
    let client = server.client();
    for situation in [Situation::CompletionRequested, Situation::OpponentInterrupted] {
        refused_choice(&Debate::in_situation(&client, situation).await, 0).await;
    }
    let mut without_options = Debate::in_situation(&client, Situation::AwaitingProposer).await;
    without_options.appeal().await;
    refused_choice(&without_options, 0).await;
    let mut ruled_already = Debate::in_situation(&client, Situation::Appealed).await;
    ruled_already.rule(false).await;
    ruled_already.request_completion().await;
    refused_choice(&ruled_already, 0).await;
}

#[tokio::test]
async fn a_ruling_chooses_an_option_of_a_late_appeal() {
    let server = Server::shared().await;
    let mut debate = Debate::in_situation(&server.client(), Situation::ProposerInterrupted).await;
    let late = with(request_bodies::answer_to(&debate.arguments[1]), "options", json!([{"label": "Global"}]));
    debate.write("appeal", &late).await;
    refused_choice(&debate, 2).await;
    let data = debate.write("ruling", &with(request_bodies::decision(), "chosen_option", 1)).await;
    assert_eq!(data["argument"]["chosen_option"], 1);
}

#[tokio::test]
async fn an_intervention_needs_no_content() {
    let server = Server::shared().await;
    for body in [json!({}), json!({"content": ""})] {
        let mut debate = Debate::create(&server.client()).await;
        let data = debate.write("intervention", &body).await;
        let argument = &data["argument"];
        assert_eq!((&argument["type"], &argument["role"]), (&json!("INTERVENTION"), &json!("arbitrator")));
        assert_eq!((&argument["content"], &data["debate_state"]), (&json!(""), &json!("INTERVENTION_PENDING")));
    }
}

#[tokio::test]
async fn a_ruling_needs_content() {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), Situation::Appealed).await;
    debate.attempt("ruling", &with(request_bodies::decision(), "content", "")).await.refusal("INVALID_INPUT");
    debate.attempt("ruling", &without(request_bodies::decision(), "content")).await.refusal("INVALID_INPUT");
    assert_eq!(debate.stored().await["debate"]["last_seq"], 3);
}
