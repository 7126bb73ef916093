//! `POST /debates/{id}/ruling` and `POST /debates/{id}/intervention`.

use serde_json::{Value, json};
use tests::{
    debate::{Debate, Situation},
    request_bodies::{self, with, without},
    server::Server,
};

use crate::websocket::viewer::Viewer;

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
    let chosen = json!({"seq": 4, "number": 1, "label": "Something else"});
    assert_eq!((&data["argument"]["chosen_option"], &data["argument"]["chosen"]), (&json!(1), &chosen));
    debate.write("intervention", &json!({})).await;
    let unchosen = debate.rule(false).await;
    assert_eq!(unchosen["argument"].get("chosen"), Some(&Value::Null));

    // The same wherever the argument is.
    let client = server.client();
    let found = client.get(&debate.path("?limit=0")).await.data(200);
    let told: Vec<_> = found["earlier_rulings"].as_array().unwrap().iter().map(|ruling| &ruling["chosen"]).collect();
    assert_eq!(told, [&chosen, &Value::Null]);
    let waited = debate.wait(&format!("role=proposer&timeout=0&argument_id={}", debate.arguments[3])).await.data(200);
    assert_eq!(waited["earlier"][0]["chosen"], chosen, "{waited}");
    let record = client.get(&debate.path("/record")).await.data(200)["record"].clone();
    assert_eq!((&record["rulings"][0]["chosen"], &record["rulings"][1]["chosen"]), (&chosen, &Value::Null));
    let (_, state) = Viewer::of_debate(&server, &debate.id).await;
    assert_eq!(state["arguments"][4]["chosen"], chosen);
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
