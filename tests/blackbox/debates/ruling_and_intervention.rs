//! `POST /debates/{id}/ruling` and `POST /debates/{id}/intervention`.

use serde_json::{Value, json};
use tests::{
    debate::{Debate, Situation},
    issue_changes::{change, raise},
    request_bodies::{self, with, without},
    server::{Server, Settings},
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

#[tokio::test]
async fn a_dry_run_tells_what_a_ruling_would_lead_to_and_stores_nothing() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("high", "No limit"), raise("low", "A name")])).await;
    let refer = with(request_bodies::answer_to(debate.newest()), "issue_changes", json!([change("refer", "I1")]));
    debate.write("appeal", &refer).await;
    let before = debate.stored().await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let changes = json!([change("dismiss", "I1")]);
    let ruling = with(with(request_bodies::decision(), "issue_changes", changes), "client_request_id", "once");
    let told = debate.attempt("ruling", &with(ruling.clone(), "dry_run", true)).await.data(200);
    assert_eq!(told.get("replayed"), None, "{told}");
    assert_eq!(debate.stored().await, before);

    // Refused as if it were to be stored.
    let dry = |body: &Value| with(body.clone(), "dry_run", true);
    let unknown = with(ruling.clone(), "issue_changes", json!([change("dismiss", "I9")]));
    debate.attempt("ruling", &dry(&unknown)).await.refusal("INVALID_INPUT");
    debate.attempt("ruling", &dry(&with(ruling.clone(), "chosen_option", 0))).await.refusal("INVALID_INPUT");
    debate.attempt("ruling", &dry(&without(ruling.clone(), "content"))).await.refusal("INVALID_INPUT");

    // The request id is free, and what was told comes true.
    let stored = debate.write("ruling", &with(ruling.clone(), "dry_run", false)).await;
    for field in ["debate_state", "action", "allowed", "last_seq", "changed_issues", "plan", "previous_hash"] {
        assert_eq!(told[field], stored[field], "{field}");
    }
    assert_eq!(told["argument"]["issue_changes"], stored["argument"]["issue_changes"]);
    assert!(stored.get("turns").is_none() && stored.get("issue_counts").is_none(), "{stored}");
    let after = debate.stored().await;
    assert_eq!(told["issue_counts"], after["debate"]["issue_counts"]);
    let moves = |turns: &Value| -> Vec<Value> {
        let turns = turns.as_array().unwrap().iter();
        turns.map(|turn| json!([turn["role"], turn["action"], turn["allowed"], turn["moves"][0]["type"]])).collect()
    };
    assert_eq!(moves(&told["turns"]), moves(&after["turns"]));
    assert_eq!(viewer.expect("new_argument").await, stored["argument"], "a dry run is no event");

    // What was stored is replayed, and nothing is due any more.
    assert_eq!(debate.attempt("ruling", &dry(&ruling)).await.data(200)["replayed"], true);
    debate.attempt("ruling", &dry(&with(ruling.clone(), "close", true))).await.refusal("IDEMPOTENCY_CONFLICT");
    let another = with(ruling, "client_request_id", "twice");
    debate.attempt("ruling", &dry(&another)).await.refusal("ACTION_NOT_ALLOWED");
}

#[tokio::test]
async fn a_dry_run_needs_the_arbitrator_s_token() {
    let server = Server::with(Settings::new().env("DEBATE_ARBITRATOR_TOKEN", "judge")).await;
    let debate = Debate::in_situation(&server.client(), Situation::Appealed).await;
    let body = with(request_bodies::decision(), "dry_run", true);
    debate.attempt("ruling", &body).await.refusal("AUTH_FAILED");
    debate.by(&server.client().with_token("judge")).attempt("ruling", &body).await.data(200);
}
