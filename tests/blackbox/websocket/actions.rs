//! Rulings and interventions over the WebSocket.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    debate::{Debate, Situation, text},
    ids,
    server::Server,
};

use super::viewer::Viewer;

/// A viewer of the list or of the debate.
async fn connect(server: &Server, debate: &Debate, list: bool) -> Viewer {
    if list { Viewer::of_list(server).await.0 } else { Viewer::of_debate(server, &debate.id).await.0 }
}

/// Sends an action that must be accepted and returns the argument.
async fn accepted(viewer: &mut Viewer, list: bool, event: &str, data: Value) -> Value {
    let request_id = viewer.act(event, data).await;
    let accepted = if list {
        let [accepted, changed] = viewer.expect_all(["accepted", "debate_changed"]).await;
        assert_eq!(accepted["argument"]["seq"], changed["last_seq"]);
        accepted
    } else {
        let [accepted, argument, _] = viewer.expect_all(["accepted", "new_argument", "state_changed"]).await;
        assert_eq!(accepted["argument"], argument);
        accepted
    };
    assert_eq!(accepted["request_id"], request_id);
    accepted["argument"].clone()
}

#[rstest]
#[case::debate(false)]
#[case::list(true)]
#[tokio::test]
async fn the_arbitrator_intervenes_rules_chooses_and_closes(#[case] list: bool) {
    let server = Server::start().await;
    let mut debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let mut viewer = connect(&server, &debate, list).await;
    let id = debate.id.clone();

    let said = json!({"debate_id": id, "content": "Wait."});
    let argument = accepted(&mut viewer, list, "submit_intervention", said).await;
    assert_eq!((&argument["type"], &argument["content"]), (&json!("INTERVENTION"), &json!("Wait.")));

    let said = json!({"debate_id": id, "content": "Go on."});
    let argument = accepted(&mut viewer, list, "submit_ruling", said).await;
    assert_eq!((&argument["type"], &argument["close"]), (&json!("RULING"), &json!(false)));
    debate.arguments.push(text(&argument["id"]));

    let options = json!([{"label": "Per shard"}, {"label": "Global"}]);
    let appeal = tests::request_bodies::with(tests::request_bodies::answer_to(debate.newest()), "options", options);
    debate.write("appeal", &appeal).await;
    let names: &[&str] = if list { &["debate_changed"] } else { &["new_argument", "state_changed"] };
    for name in names {
        viewer.expect(name).await;
    }
    let said = json!({"debate_id": id, "content": "Global, then done.", "chosen_option": 1, "close": true});
    let argument = accepted(&mut viewer, list, "submit_ruling", said).await;
    assert_eq!((&argument["chosen_option"], &argument["close"]), (&json!(1), &json!(true)));
    assert_eq!(debate.stored().await["debate"]["state"], "CLOSED");
}

#[tokio::test]
async fn content_and_request_id_are_optional() {
    let server = Server::start().await;
    let debate = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_list(&server).await;
    viewer.say("submit_intervention", json!({"debate_id": debate.id})).await;
    let [accepted, _] = viewer.expect_all(["accepted", "debate_changed"]).await;
    assert_eq!((&accepted["argument"]["content"], accepted.get("request_id")), (&json!(""), None));
}

#[tokio::test]
async fn a_repeated_action_on_a_new_connection_is_stored_once() {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), Situation::Appealed).await;
    let action = json!({"debate_id": debate.id, "content": "As planned.", "request_id": ids::fresh()});
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    viewer.say("submit_ruling", action.clone()).await;
    let [first, _, _] = viewer.expect_all(["accepted", "new_argument", "state_changed"]).await;
    drop(viewer);

    let (mut viewer, state) = Viewer::of_debate(&server, &debate.id).await;
    viewer.say("submit_ruling", action.clone()).await;
    assert_eq!(viewer.expect("accepted").await, first);
    // The REST API accepts the same request id.
    let body = json!({"content": "As planned.", "client_request_id": action["request_id"]});
    assert_eq!(debate.attempt("ruling", &body).await.data(200)["argument"], first["argument"]);
    assert_eq!(debate.stored().await["debate"], state["debate"]);

    // The same request id with another content is a conflict.
    let mut other = action.clone();
    other["content"] = "Otherwise.".into();
    viewer.say("submit_ruling", other).await;
    let error = viewer.expect("error").await;
    assert_eq!((&error["code"], &error["request_id"]), (&json!("IDEMPOTENCY_CONFLICT"), &action["request_id"]));
    assert_eq!(debate.stored().await["debate"], state["debate"]);
}

#[tokio::test]
async fn an_action_out_of_turn_is_refused_as_over_rest() {
    let server = Server::shared().await;
    for situation in [Situation::AwaitingOpponent, Situation::AwaitingProposer, Situation::Closed] {
        let debate = Debate::in_situation(&server.client(), situation).await;
        let (mut viewer, before) = Viewer::of_debate(&server, &debate.id).await;
        let request_id = viewer.act("submit_ruling", json!({"debate_id": debate.id, "content": "Now."})).await;
        let mut error = viewer.expect("error").await;
        assert_eq!(error["current_state"], situation.state());
        assert_eq!(error["allowed_roles"], json!(situation.allowed_roles()));
        let told = error.as_object_mut().unwrap().remove("request_id");
        assert_eq!(told, Some(request_id.into()));
        let rest = debate.attempt("ruling", &json!({"content": "Now."})).await.refusal("ACTION_NOT_ALLOWED");
        assert_eq!(error, rest, "{situation:?}");
        assert_eq!(debate.stored().await["debate"], before["debate"]);
    }
}

/// Invalid messages, the code of the error and the field that it names.
#[rstest]
#[case::nothing("", "INVALID_INPUT", Some("message"))]
#[case::no_json("{", "INVALID_INPUT", Some("message"))]
#[case::two_values("{} {}", "INVALID_INPUT", Some("message"))]
#[case::no_object("7", "INVALID_INPUT", Some("message"))]
#[case::a_list(r#"["submit_intervention", {"debate_id": "ID"}]"#, "INVALID_INPUT", Some("message"))]
#[case::no_event(r#"{"data": {"debate_id": "ID"}}"#, "INVALID_INPUT", None)]
#[case::event_of_another_type(r#"{"event": 7, "data": {}}"#, "INVALID_INPUT", Some("event"))]
#[case::unknown_event(r#"{"event": "submit_claim", "data": {"debate_id": "ID"}}"#, "INVALID_INPUT", Some("event"))]
#[case::an_event_of_the_server(r#"{"event": "new_argument", "data": {}}"#, "INVALID_INPUT", Some("event"))]
#[case::no_data(r#"{"event": "submit_ruling"}"#, "INVALID_INPUT", None)]
#[case::null_data(r#"{"event": "submit_ruling", "data": null}"#, "INVALID_INPUT", None)]
#[case::data_in_a_list(
    r#"{"event": "submit_intervention", "data": ["ID", "Stop", "r"]}"#,
    "INVALID_INPUT",
    Some("data")
)]
#[case::no_debate(r#"{"event": "submit_ruling", "data": {"content": "x"}}"#, "INVALID_INPUT", None)]
#[case::no_id(
    r#"{"event": "submit_ruling", "data": {"debate_id": "x", "content": "x"}}"#,
    "INVALID_INPUT",
    Some("debate_id")
)]
#[case::no_content(r#"{"event": "submit_ruling", "data": {"debate_id": "ID"}}"#, "INVALID_INPUT", None)]
#[case::empty(
    r#"{"event": "submit_ruling", "data": {"debate_id": "ID", "content": ""}}"#,
    "INVALID_INPUT",
    Some("content")
)]
#[case::number(
    r#"{"event": "submit_ruling", "data": {"debate_id": "ID", "content": 7}}"#,
    "INVALID_INPUT",
    Some("content")
)]
#[case::control(
    r#"{"event": "submit_ruling", "data": {"debate_id": "ID", "content": "a\u0000"}}"#,
    "INVALID_INPUT",
    Some("content")
)]
#[case::close(
    r#"{"event": "submit_ruling", "data": {"debate_id": "ID", "content": "x", "close": "yes"}}"#,
    "INVALID_INPUT",
    Some("close")
)]
#[case::choice(
    r#"{"event": "submit_ruling", "data": {"debate_id": "ID", "content": "x", "chosen_option": -1}}"#,
    "INVALID_INPUT",
    Some("chosen_option")
)]
#[case::no_such_option(
    r#"{"event": "submit_ruling", "data": {"debate_id": "ID", "content": "x", "chosen_option": 3}}"#,
    "INVALID_INPUT",
    Some("chosen_option")
)]
#[case::request_id(
    r#"{"event": "submit_ruling", "data": {"debate_id": "ID", "content": "x", "request_id": "a b"}}"#,
    "INVALID_INPUT",
    Some("request_id")
)]
#[case::request_number(
    r#"{"event": "submit_ruling", "data": {"debate_id": "ID", "content": "x", "request_id": 7}}"#,
    "INVALID_INPUT",
    Some("request_id")
)]
#[case::another_debate(
    r#"{"event": "submit_ruling", "data": {"debate_id": "00000000-0000-4000-8000-000000000000", "content": "x"}}"#,
    "DEBATE_NOT_FOUND",
    None
)]
#[tokio::test]
async fn an_invalid_message_is_reported_to_its_sender_only(
    #[case] message: &str,
    #[case] code: &str,
    #[case] field: Option<&str>,
) {
    let server = Server::start().await;
    let mut debate = Debate::in_situation(&server.client(), Situation::Appealed).await;
    let (mut other, before) = Viewer::of_debate(&server, &debate.id).await;
    for list in [false, true] {
        let mut viewer = connect(&server, &debate, list).await;
        let error = viewer.fault(&message.replace("ID", &debate.id)).await;
        assert_eq!(error["code"], code, "{error}");
        if let Some(field) = field {
            assert_eq!(error["field"], field, "{error}");
        }
        assert_eq!(debate.stored().await["debate"], before["debate"]);
        // The connection stays open.
        assert_eq!(viewer.fault("?").await["code"], "INVALID_INPUT");
    }
    debate.rule(false).await;
    assert_eq!(other.expect("new_argument").await["type"], "RULING");
}

#[tokio::test]
async fn an_error_has_the_request_id_if_the_message_had_one() {
    let server = Server::start().await;
    let (mut viewer, _) = Viewer::of_list(&server).await;
    for (event, data) in [
        ("submit_ruling", json!({"debate_id": ids::fresh(), "content": "x", "request_id": "r"})),
        ("submit_ruling", json!({"debate_id": "x", "content": 7, "close": [], "request_id": "r"})),
        ("submit_claim", json!({"request_id": "r"})),
    ] {
        viewer.say(event, data.clone()).await;
        let error = viewer.expect("error").await;
        assert_eq!(error["request_id"], "r", "{data}: {error}");
    }
}

#[tokio::test]
async fn an_oversized_content_is_refused_with_its_size() {
    let server = Server::start().await;
    let debate = Debate::in_situation(&server.client(), Situation::Appealed).await;
    let (mut viewer, _) = Viewer::of_list(&server).await;
    viewer.act("submit_ruling", json!({"debate_id": debate.id, "content": "é".repeat(5_121)})).await;
    let error = viewer.expect("error").await;
    assert_eq!((&error["code"], &error["field"]), (&json!("CONTENT_TOO_LARGE"), &json!("content")));
    assert_eq!((&error["limit"], &error["actual"]), (&json!(10_240), &json!(10_242)));
    viewer.act("submit_ruling", json!({"debate_id": debate.id, "content": "é".repeat(5_120)})).await;
    viewer.expect_all(["accepted", "debate_changed"]).await;
}
