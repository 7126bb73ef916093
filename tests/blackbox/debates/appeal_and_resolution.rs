//! `POST /debates/{id}/appeal` and `POST /debates/{id}/resolution`.

use serde_json::{Value, json};
use tests::{
    debate::{Debate, Situation},
    request_bodies::{self, with},
    server::Server,
};

async fn appealed_with(server: &Server, options: Value) -> Value {
    let mut debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let body = with(request_bodies::answer_to(debate.newest()), "options", options);
    let argument = debate.write("appeal", &body).await["argument"].clone();
    assert_eq!((&argument["type"], &argument["role"]), (&json!("APPEAL"), &json!("proposer")));
    assert_eq!(debate.stored().await["arguments"][1], argument, "the debate and the answer tell the same");
    argument["options"].clone()
}

/// The fields of an option. An absent detail counts as null.
fn fields(option: &Value) -> (Value, Value, bool) {
    (option["label"].clone(), option["detail"].clone(), option["free_form"] == true)
}

#[tokio::test]
async fn options_without_a_free_form_one_get_something_else() {
    let server = Server::shared().await;
    let options = appealed_with(
        &server,
        json!([{"label": "Theo từng shard 🧩", "detail": "as now: 10 %"}, {"label": "Global", "free_form": false}]),
    )
    .await;
    let options: Vec<_> = options.as_array().expect("a list").iter().map(fields).collect();
    assert_eq!(
        options,
        [
            (json!("Theo từng shard 🧩"), json!("as now: 10 %"), false),
            (json!("Global"), Value::Null, false),
            (json!("Something else"), Value::Null, true),
        ]
    );
}

#[tokio::test]
async fn an_empty_list_of_options_counts_as_absent() {
    let server = Server::shared().await;
    let empty = appealed_with(&server, json!([])).await;
    let mut debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let absent = debate.appeal().await["argument"]["options"].clone();
    assert_eq!(empty, absent);
    assert!(!empty.is_array(), "an appeal without options carries a list: {empty}");
}

#[tokio::test]
async fn only_appeals_have_options() {
    let server = Server::shared().await;
    let mut debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let body = with(request_bodies::answer_to(debate.newest()), "options", json!([{"label": "ignored"}]));
    let argument = debate.write("resolution", &body).await["argument"].clone();
    assert_eq!((&argument["type"], &argument["role"]), (&json!("RESOLUTION"), &json!("proposer")));
    assert!(!argument["options"].is_array(), "an unknown field was not ignored: {argument}");
}

#[tokio::test]
async fn a_target_in_another_debate_is_not_found() {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let other = Debate::create(&server.client()).await;
    for verb in ["appeal", "resolution"] {
        debate.attempt(verb, &request_bodies::answer_to(other.newest())).await.refusal("ARGUMENT_NOT_FOUND");
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 2);
}
