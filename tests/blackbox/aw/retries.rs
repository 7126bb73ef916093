//! How commands retry when a server fails.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    cli::Agent,
    debate::{Debate, Situation},
    request_bodies,
    server::Server,
    stub_server::{Reply, StubServer},
};

/// The arguments of a command and a real server's response to it.
async fn claim() -> (Vec<String>, Value) {
    let server = Server::shared().await;
    let mut debate = Debate::in_situation(&server.client(), Situation::AwaitingOpponent).await;
    let body = request_bodies::claim("opponent", debate.newest());
    let args = ["debate", "submit", "--debate-id", &debate.id, "--role", "opponent", "--target-id", debate.newest()];
    let args = [&args[..], &["--content", "No."]].concat().into_iter().map(str::to_owned).collect();
    (args, debate.write("arguments", &body).await)
}

fn request_ids(stub: &StubServer) -> Vec<String> {
    let bodies = stub.requests().into_iter().map(|request| {
        let (_, body) = request.split_once("\r\n\r\n").expect("a whole request");
        serde_json::from_str::<Value>(body).expect("a JSON body")
    });
    bodies.map(|body| tests::debate::text(&body["client_request_id"])).collect()
}

#[rstest]
#[case::unavailable(Reply::Fail(503, "STORE_UNAVAILABLE"))]
#[case::overloaded(Reply::Fail(503, "OVERLOADED"))]
#[case::hung_up(Reply::HangUp)]
#[tokio::test]
async fn a_failed_write_is_retried_three_times_with_the_same_request_id(#[case] failure: Reply) {
    let (args, data) = claim().await;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let stub =
        StubServer::start(vec![failure.clone(), failure.clone(), failure, Reply::Succeed(201, data.clone())]).await;
    let run = Agent::new(&stub.url()).run(&args).await;
    assert_eq!(run.data()["argument"]["id"], data["argument"]["id"]);
    let ids = request_ids(&stub);
    assert_eq!(ids.len(), 4);
    let echoed = tests::debate::text(&run.document()["metadata"]["client_request_id"]);
    assert!(ids.iter().all(|id| *id == echoed), "{ids:?}, echoed {echoed}");
}

#[rstest]
#[case::unavailable(Reply::Fail(503, "STORE_UNAVAILABLE"), "STORE_UNAVAILABLE")]
#[case::hung_up(Reply::HangUp, "CONNECTION_ERROR")]
#[tokio::test]
async fn a_command_gives_up_after_four_attempts(#[case] failure: Reply, #[case] code: &str) {
    let (args, _) = claim().await;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let stub = StubServer::start(vec![failure.clone()]).await;
    Agent::new(&stub.url()).run(&args).await.failure(3, code);
    assert_eq!(stub.requests().len(), 4);
    let stub = StubServer::start(vec![failure]).await;
    Agent::new(&stub.url()).run(&["debate", "list"]).await.failure(3, code);
    assert_eq!(stub.requests().len(), 4, "reads are repeated too");
}

#[rstest]
#[case(500, "INTERNAL_ERROR")]
#[case(400, "INVALID_INPUT")]
#[case(401, "AUTH_FAILED")]
#[case(403, "ACTION_NOT_ALLOWED")]
#[case(404, "ARGUMENT_NOT_FOUND")]
#[case(409, "IDEMPOTENCY_CONFLICT")]
#[tokio::test]
async fn permanent_errors_are_not_retried(#[case] status: u16, #[case] code: &'static str) {
    let (args, _) = claim().await;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let stub = StubServer::start(vec![Reply::Fail(status, code)]).await;
    let run = Agent::new(&stub.url()).run(&args).await;
    assert_eq!(run.document()["error"]["code"], code);
    assert_eq!(stub.requests().len(), 1);
}

/// What proxies say in JSON of their own, whatever they say.
fn errors_of_proxies() -> [Value; 6] {
    [
        json!({"error": "upstream connect error"}),
        json!({"error": {"message": "no healthy upstream", "code": 503}}),
        json!({"success": false, "error": {"status": "bad gateway"}}),
        json!({"message": "name resolution failed"}),
        json!([]),
        Value::Null,
    ]
}

#[rstest]
#[tokio::test]
async fn an_error_of_a_proxy_is_not_the_servers_answer(#[values(502, 503, 504, 521)] status: u16) {
    let (args, data) = claim().await;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    for body in errors_of_proxies() {
        let foreign = Reply::Foreign(status, body.clone());
        let stub = StubServer::start(vec![foreign.clone(), Reply::Succeed(201, data.clone())]).await;
        let run = Agent::new(&stub.url()).run(&args).await;
        assert_eq!(run.data()["argument"]["id"], data["argument"]["id"], "{body}");
        assert!(run.stderr.contains(&format!("a proxy answered HTTP {status}")), "{run:?}");
    }
}

#[tokio::test]
async fn a_wait_goes_on_while_a_proxy_answers() {
    let debate = tests::ids::fresh();
    let replies = errors_of_proxies().into_iter().map(|body| Reply::Foreign(502, body)).take(2);
    let stub = StubServer::start(replies.chain([Reply::Fail(404, "DEBATE_NOT_FOUND")]).collect()).await;
    let wait = ["debate", "wait", "--debate-id", &debate, "--role", "opponent", "--timeout", "3000"];
    let run = Agent::new(&stub.url()).run(&wait).await;
    assert_eq!(run.failure(2, "DEBATE_NOT_FOUND")["error"]["message"], "as told");
    assert_eq!(stub.requests().len(), 3);
}
