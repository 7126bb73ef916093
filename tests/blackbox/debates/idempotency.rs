//! Repeated requests with the same `client_request_id`.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    debate::{Debate, Situation},
    ids,
    request_bodies::{self, with, without},
    server::Server,
};

/// A debate that allows this verb, and a body.
async fn ready(server: &Server, verb: &str) -> (Debate, Value) {
    let situation = match verb {
        "arguments" => Situation::AwaitingOpponent,
        "appeal" | "resolution" => Situation::AwaitingProposer,
        "ruling" => Situation::CompletionRequested,
        "intervention" => Situation::AwaitingProposer,
        other => panic!("no verb {other}"),
    };
    let debate = Debate::in_situation(&server.client(), situation).await;
    let body = match verb {
        "arguments" => request_bodies::claim("opponent", debate.newest()),
        "appeal" | "resolution" => request_bodies::answer_to(debate.newest()),
        _ => request_bodies::decision(),
    };
    (debate, body)
}

#[rstest]
#[tokio::test]
async fn a_request_id_of_another_write_is_a_conflict(
    #[values("arguments", "appeal", "resolution", "ruling", "intervention")] verb: &str,
) {
    let server = Server::shared().await;
    let (mut debate, body) = ready(&server, verb).await;
    debate.write(verb, &body).await;
    let before = debate.stored().await;
    let mut others = vec![(verb, with(body.clone(), "content", "Something different."))];
    match verb {
        "arguments" => {
            others.push((verb, with(body.clone(), "role", "proposer")));
            others.push((verb, with(body.clone(), "target_id", debate.newest())));
            others.push(("appeal", body.clone()));
        }
        "appeal" => {
            others.push((verb, with(body.clone(), "target_id", debate.arguments[0].clone())));
            others.push((verb, with(body.clone(), "options", json!([{"label": "Global"}]))));
            others.push(("resolution", body.clone()));
            others.push(("arguments", with(body.clone(), "role", "proposer")));
        }
        "resolution" => {
            others.push((verb, with(body.clone(), "target_id", debate.arguments[0].clone())));
            others.push(("appeal", body.clone()));
        }
        "ruling" => {
            others.push((verb, with(body.clone(), "close", true)));
            others.push(("intervention", body.clone()));
        }
        _ => others.push(("ruling", body.clone())),
    }
    for (verb, other) in others {
        let answer = debate.attempt(verb, &other).await;
        assert_eq!(answer.code(), "IDEMPOTENCY_CONFLICT", "{answer}");
    }
    assert_eq!(debate.stored().await, before, "a conflict changed something");
}

#[tokio::test]
async fn the_creations_request_id_is_used_up_for_arguments_too() {
    let server = Server::shared().await;
    let creation = request_bodies::creation();
    let debate = Debate::create_with(&server.client(), &creation).await;
    let body = with(
        request_bodies::claim("opponent", debate.newest()),
        "client_request_id",
        creation["client_request_id"].clone(),
    );
    debate.attempt("arguments", &body).await.refusal("IDEMPOTENCY_CONFLICT");
}

#[tokio::test]
async fn a_write_can_be_replayed_after_the_debate_is_closed() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let body = request_bodies::claim("opponent", debate.newest());
    debate.write("arguments", &body).await;
    debate.request_completion().await;
    debate.rule(true).await;
    let again = debate.attempt("arguments", &body).await.data(200);
    assert_eq!(
        (&again["replayed"], &again["debate_state"], &again["action"]),
        (&json!(true), &json!("CLOSED"), &json!("debate_closed"))
    );
}

#[tokio::test]
async fn id_spelling_and_explicit_defaults_do_not_change_the_payload() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let claim = request_bodies::claim("opponent", debate.newest());
    debate.write("arguments", &claim).await;
    let spelled = with(claim, "target_id", debate.arguments[0].to_uppercase());
    assert_eq!(debate.attempt("arguments", &spelled).await.data(200)["replayed"], true);
    let appeal = request_bodies::answer_to(debate.newest());
    debate.write("appeal", &appeal).await;
    assert_eq!(debate.attempt("appeal", &with(appeal, "options", json!([]))).await.data(200)["replayed"], true);
    let ruling = request_bodies::decision();
    debate.write("ruling", &ruling).await;
    assert_eq!(debate.attempt("ruling", &with(ruling, "close", false)).await.data(200)["replayed"], true);
    let intervention = json!({"client_request_id": ids::fresh()});
    debate.write("intervention", &intervention).await;
    assert_eq!(debate.attempt("intervention", &with(intervention, "content", "")).await.data(200)["replayed"], true);
}

#[tokio::test]
async fn options_are_part_of_the_payload() {
    let server = Server::shared().await;
    let mut debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let body = with(
        request_bodies::answer_to(debate.newest()),
        "options",
        json!([{"label": "Global", "detail": "one for all"}]),
    );
    debate.write("appeal", &body).await;
    assert_eq!(debate.attempt("appeal", &body).await.data(200)["replayed"], true);
    for options in [json!([{"label": "Global"}]), json!([{"label": "Per shard", "detail": "one for all"}]), json!([])] {
        debate.attempt("appeal", &with(body.clone(), "options", options)).await.refusal("IDEMPOTENCY_CONFLICT");
    }
    debate.attempt("appeal", &without(body, "options")).await.refusal("IDEMPOTENCY_CONFLICT");
}

#[tokio::test]
async fn request_ids_are_compared_exactly() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    for (role, id) in
        [("opponent", "Retry-1"), ("proposer", "retry-1"), ("opponent", "retry-1."), ("proposer", "retry:1")]
    {
        let body = with(request_bodies::claim(role, debate.newest()), "client_request_id", id);
        debate.write("arguments", &body).await;
    }
}

#[tokio::test]
async fn a_request_id_has_1_to_128_plain_characters() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let long = "aZ0._:-".repeat(19);
    let body = with(request_bodies::claim("opponent", debate.newest()), "client_request_id", &long[..128]);
    debate.write("arguments", &body).await;
    for bad in [&long[..129], "", "a b", "é", "a/b", "a\u{0}", "a\n", " a", "a+b"] {
        let body = with(request_bodies::claim("proposer", debate.newest()), "client_request_id", bad);
        let error = debate.attempt("arguments", &body).await.refusal("INVALID_INPUT");
        assert!(error.to_string().contains("client_request_id"), "not named for {bad:?}: {error}");
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 2);
}

#[tokio::test]
async fn a_refused_write_leaves_its_request_id_free() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let body = request_bodies::claim("proposer", debate.newest());
    debate.attempt("arguments", &body).await.refusal("ACTION_NOT_ALLOWED");
    debate.write("arguments", &with(body, "role", "opponent")).await;
}
