//! Debates with a limit of rounds.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    debate::Debate,
    request_bodies::{self, with, without},
    server::Server,
};

#[tokio::test]
async fn having_no_rounds_left_precedes_a_fault_of_the_target() {
    let server = Server::shared().await;
    let body = with(request_bodies::creation(), "max_rounds", 1);
    let mut debate = Debate::create_with(&server.client(), &body).await;
    debate.claim("opponent").await;
    let body = request_bodies::claim("proposer", &tests::ids::fresh());
    debate.attempt("arguments", &body).await.refusal("ACTION_NOT_ALLOWED");
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
