//! Debates with a limit of rounds.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    debate::Debate,
    request_bodies::{self, with, without},
    server::Server,
};

async fn limited(server: &Server, rounds: impl Into<Value>) -> Debate {
    Debate::create_with(&server.client(), &with(request_bodies::creation(), "max_rounds", rounds)).await
}

#[tokio::test]
async fn at_the_limit_the_proposer_may_only_appeal_or_request_completion() {
    let server = Server::shared().await;
    let mut debate = limited(&server, 2).await;
    debate.claim("opponent").await;
    debate.claim("proposer").await;
    let claim = debate.claim("opponent").await;
    assert_eq!((&claim["debate_state"], &claim["allowed"]), (&json!("AWAITING_PROPOSER"), &json!([])));
    let stored = debate.stored().await;
    assert_eq!((&stored["debate"]["rounds"], &stored["debate"]["max_rounds"]), (&json!(2), &json!(2)));
    let turn = &stored["turns"][0];
    assert_eq!((&turn["action"], &turn["allowed"]), (&json!("respond"), &json!(["APPEAL", "RESOLUTION"])));
    let news = debate.wait("role=proposer").await.data(200);
    assert_eq!(news["allowed"], json!(["APPEAL", "RESOLUTION"]));

    let body = request_bodies::claim("proposer", debate.newest());
    let error = debate.attempt("arguments", &body).await.refusal("ACTION_NOT_ALLOWED");
    assert_eq!((&error["current_state"], &error["allowed_roles"]), (&json!("AWAITING_PROPOSER"), &json!(["proposer"])));
    assert!(error["suggestion"].is_string() && error.get("allowed_changes").is_none(), "{error}");
    // It is a fault of the state, which precedes one of the target.
    let body = with(body, "target_id", tests::ids::fresh());
    debate.attempt("arguments", &body).await.refusal("ACTION_NOT_ALLOWED");

    debate.appeal().await;
    debate.rule(false).await;
    let stored = debate.stored().await;
    assert_eq!(
        (&stored["debate"]["rounds"], &stored["turns"][0]["allowed"]),
        (&json!(0), &json!(["CLAIM", "APPEAL", "RESOLUTION"]))
    );
    debate.claim("proposer").await;
}

#[tokio::test]
async fn late_claims_count_and_are_limited() {
    let server = Server::shared().await;
    let mut debate = limited(&server, 1).await;
    let motion = debate.newest().to_owned();
    debate.intervene().await;
    debate.write("arguments", &request_bodies::claim("opponent", &motion)).await;
    assert_eq!(debate.stored().await["debate"]["rounds"], 1);
    debate.rule(false).await;
    debate.claim("proposer").await;
    let claim = debate.claim("opponent").await;
    debate.intervene().await;
    let target = claim["argument"]["id"].as_str().unwrap();
    let error =
        debate.attempt("arguments", &request_bodies::claim("proposer", target)).await.refusal("ACTION_NOT_ALLOWED");
    assert_eq!(error["current_state"], "INTERVENTION_PENDING");
    assert_eq!(debate.stored().await["turns"][0]["allowed"], json!(["APPEAL", "RESOLUTION"]));
    debate.write("appeal", &request_bodies::answer_to(target)).await;
}

#[tokio::test]
async fn a_debate_without_a_limit_counts_rounds_too() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    for _ in 0..3 {
        debate.claim("opponent").await;
        debate.claim("proposer").await;
    }
    let stored = debate.stored().await;
    assert_eq!((&stored["debate"]["rounds"], &stored["debate"]["max_rounds"]), (&json!(3), &Value::Null));
}

#[rstest]
#[case(json!(0))]
#[case(json!(101))]
#[case(json!(-1))]
#[case(json!(1.5))]
#[case(json!("3"))]
#[case(json!(true))]
#[tokio::test]
async fn other_limits_are_refused(#[case] rounds: Value) {
    let server = Server::shared().await;
    let client = server.client();
    let error =
        client.post("/debates", &with(request_bodies::creation(), "max_rounds", rounds)).await.refusal("INVALID_INPUT");
    assert_eq!(error["field"], "max_rounds", "{error}");
}

#[tokio::test]
async fn the_limit_is_part_of_the_payload() {
    let server = Server::shared().await;
    let client = server.client();
    let body = with(request_bodies::creation(), "max_rounds", 100);
    client.post("/debates", &body).await.data(201);
    assert_eq!(client.post("/debates", &body).await.data(200)["debate"]["max_rounds"], 100);
    for other in [
        with(body.clone(), "max_rounds", 99),
        with(body.clone(), "max_rounds", Value::Null),
        without(body, "max_rounds"),
    ] {
        client.post("/debates", &other).await.refusal("IDEMPOTENCY_CONFLICT");
    }
    let body = request_bodies::creation();
    client.post("/debates", &body).await.data(201);
    assert_eq!(client.post("/debates", &with(body, "max_rounds", Value::Null)).await.data(200)["replayed"], true);
}
