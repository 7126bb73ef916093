//! Every exit status and the error codes that lead to it.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    cli::Agent,
    debate::{Debate, Situation},
    ids, request_bodies,
    server::{Server, Settings},
    stub_server::{Reply, StubServer},
};

fn submit<'a>(debate: &'a str, role: &'a str, target: &'a str) -> Vec<&'a str> {
    vec!["debate", "submit", "--debate-id", debate, "--role", role, "--target-id", target, "--content", "No."]
}

#[tokio::test]
async fn a_missing_resource_exits_2() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let debate = Debate::create(&server.client()).await;
    let unknown = ids::fresh();
    agent.run(&["debate", "get-context", "--debate-id", &unknown]).await.failure(2, "DEBATE_NOT_FOUND");
    let wait = ["debate", "wait", "--debate-id", &unknown, "--role", "opponent"];
    agent.run(&wait).await.failure(2, "DEBATE_NOT_FOUND");
    agent.run(&submit(&unknown, "opponent", &unknown)).await.failure(2, "DEBATE_NOT_FOUND");
    agent.run(&submit(&debate.id, "opponent", &unknown)).await.failure(2, "ARGUMENT_NOT_FOUND");
}

#[tokio::test]
async fn an_unavailable_server_exits_3() {
    let port = tests::os::free_port();
    let agent = Agent::new(&format!("http://127.0.0.1:{port}"));
    agent.run(&["debate", "list"]).await.failure(3, "CONNECTION_ERROR");
}

#[rstest]
#[case(500, "INTERNAL_ERROR", 3)]
#[case(500, "HISTORY_INVALID", 3)]
#[case(503, "STORE_UNAVAILABLE", 3)]
#[case(503, "OVERLOADED", 3)]
#[case(404, "NOT_FOUND", 3)]
#[case(405, "METHOD_NOT_ALLOWED", 3)]
#[case(418, "A_CODE_OF_LATER_TIMES", 3)]
#[case(404, "DEBATE_NOT_FOUND", 2)]
#[case(404, "DOCUMENT_NOT_FOUND", 2)]
#[case(415, "UNSUPPORTED_MEDIA_TYPE", 4)]
#[case(413, "CONTENT_TOO_LARGE", 4)]
#[case(403, "ACTION_NOT_ALLOWED", 5)]
#[case(403, "FORBIDDEN", 6)]
#[tokio::test]
async fn server_errors_are_passed_on_with_their_exit_status(
    #[case] status: u16,
    #[case] code: &'static str,
    #[case] exit: i32,
) {
    let stub = StubServer::start(vec![Reply::Fail(status, code)]).await;
    let agent = Agent::new(&stub.url());
    let document = agent.run(&["debate", "get-context", "--debate-id", &ids::fresh()]).await.failure(exit, code);
    let expected = json!({"code": code, "message": "as told", "extra": 7});
    assert_eq!(document["content"][0]["data"]["server_error"], expected, "{document}");
    assert_eq!(document["error"]["message"], "as told");
}

#[tokio::test]
async fn a_malformed_response_exits_3() {
    let stub = StubServer::start(vec![Reply::Succeed(200, Value::Null)]).await;
    let run = Agent::new(&stub.url()).run(&["debate", "list"]).await;
    assert_eq!((run.exit, &run.document()["success"]), (3, &json!(false)), "{run:?}");
}

#[tokio::test]
async fn invalid_input_exits_4() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let create = |id: &'static str, request: &'static str| {
        [
            "debate",
            "create",
            "--debate-id",
            id,
            "--title",
            "t",
            "--type",
            "general_debate",
            "--content",
            "m",
            "--client-request-id",
            request,
        ]
    };
    const ID: &str = "5f0e8a52-6f8e-4c63-9a8f-5f2c8f4f1d11";
    agent.run(&create(ID, "one")).await.data();
    agent.run(&create(ID, "two")).await.failure(4, "DEBATE_EXISTS");
    let mut other = create(ID, "one");
    other[9] = "something else";
    agent.run(&other).await.failure(4, "IDEMPOTENCY_CONFLICT");
    let path = agent.file("long.md", "x".repeat(10_241));
    let mut long = submit(&debate.id, "opponent", debate.newest());
    long.splice(8.., ["--file", &path]);
    let document = agent.run(&long).await.failure(4, "CONTENT_TOO_LARGE");
    let told = &document["content"][0]["data"]["server_error"];
    assert_eq!((&told["limit"], &told["actual"]), (&json!(10_240), &json!(10_241)), "{document}");
    let mut bell = submit(&debate.id, "opponent", debate.newest());
    bell[9] = "a\u{7}";
    agent.run(&bell).await.failure(4, "INVALID_INPUT");
    agent.run(&submit("nonsense", "opponent", debate.newest())).await.failure(4, "INVALID_INPUT");
    debate.claim("opponent").await;
}

#[rstest]
#[case(&[])]
#[case(&["nonsense"])]
#[case(&["debate"])]
#[case(&["debate", "nonsense"])]
#[case(&["debate", "list", "--nonsense"])]
#[case(&["debate", "list", "extra"])]
#[case(&["debate", "list", "--limit", "many"])]
#[case(&["debate", "list", "--format", "xml"])]
#[case(&["debate", "get-context"])]
#[case(&["debate", "wait", "--debate-id", "5f0e8a52-6f8e-4c63-9a8f-5f2c8f4f1d11"])]
#[case(&["debate", "wait", "--debate-id", "5f0e8a52-6f8e-4c63-9a8f-5f2c8f4f1d11", "--role", "judge"])]
#[case(&["debate", "wait", "--debate-id", "5f0e8a52-6f8e-4c63-9a8f-5f2c8f4f1d11", "--role", "opponent", "--timeout", "soon"])]
#[case(&["debate", "create", "--title", "no id", "--content", "m"])]
#[case(&["debate", "list", "--state"])]
#[case(&["debate", "nonsense", "--format", "plain"])]
#[tokio::test]
async fn a_usage_error_exits_4_with_one_document_on_stdout(#[case] args: &[&str]) {
    let run = Agent::new("http://127.0.0.1:1").run(args).await;
    assert_eq!((run.exit, &run.document()["success"]), (4, &json!(false)), "{run:?}");
    let error = &run.document()["error"];
    assert!(error["code"].is_string() && error["message"].as_str().is_some_and(|text| !text.is_empty()), "{run:?}");
}

#[tokio::test]
async fn an_argument_that_is_no_text_is_named() {
    let agent = Agent::new("http://127.0.0.1:1");
    for line in ["debate run --task \"$(printf 'Caf\\351')\"", "debate show \"--debate-id=$(printf 'Caf\\351')\""] {
        let document = agent.shell(&format!("aw {line}")).await.failure(4, "INVALID_INPUT");
        assert!(document["error"]["message"].as_str().unwrap().contains("Caf\u{fffd}"), "{document}");
    }
}

#[tokio::test]
async fn a_text_that_is_too_long_for_a_url_exits_4_however_long_it_is() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    for length in [8_100, 40_000, 65_000, 66_000, 120_000] {
        let text = "a".repeat(length);
        for args in [&["debate", "list", "--query", &text][..], &["docs", "list", "--query", &text]] {
            agent.run(args).await.failure(4, "CONTENT_TOO_LARGE");
        }
    }
}

#[tokio::test]
async fn a_forbidden_action_exits_5_with_the_servers_error() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    for situation in [Situation::AwaitingOpponent, Situation::Closed] {
        let debate = Debate::in_situation(&server.client(), situation).await;
        let target = &debate.arguments[0];
        let document = agent.run(&submit(&debate.id, "proposer", target)).await.failure(5, "ACTION_NOT_ALLOWED");
        let told =
            debate.attempt("arguments", &request_bodies::claim("proposer", target)).await.refusal("ACTION_NOT_ALLOWED");
        assert_eq!(document["content"][0]["data"]["server_error"], told);
        for field in ["code", "message", "suggestion"] {
            assert_eq!(document["error"][field], told[field], "{field}");
        }
    }
}

#[tokio::test]
async fn a_missing_permission_exits_6() {
    let settings = Settings::new().env("DEBATE_AUTH_TOKEN", "agents").env("DEBATE_ARBITRATOR_TOKEN", "judge");
    let server = Server::with(settings).await;
    let stranger = Agent::new(&server.url());
    stranger.run(&["debate", "list"]).await.failure(6, "AUTH_FAILED");
    let agent = Agent::new(&server.url()).env("DEBATE_AUTH_TOKEN", "agents");
    let debate = Debate::create(&server.client().with_token("agents")).await;
    let step_in = ["debate", "intervention", "--debate-id", &debate.id];
    agent.run(&step_in).await.failure(6, "FORBIDDEN");
    Agent::new(&server.url()).env("DEBATE_AUTH_TOKEN", "judge").run(&step_in).await.data();
}

#[tokio::test]
async fn a_command_of_one_role_takes_that_role_and_no_other() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let proposers = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let completed = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let interrupted = Debate::create(&server.client()).await;
    let new = ids::fresh();
    for (verb, debate, role, more) in [
        ("create", &new, "proposer", &["--title", "T", "--type", "general_debate"][..]),
        ("appeal", &proposers.id, "proposer", &["--target-id", "#2"]),
        ("request-completion", &completed.id, "proposer", &["--target-id", "#2"]),
        ("intervention", &interrupted.id, "arbitrator", &[]),
        ("ruling", &interrupted.id, "arbitrator", &[]),
    ] {
        let command = [&["debate", verb, "--debate-id", debate, "--content", "Text."], more].concat();
        let refused = agent.run(&[&command[..], &["--role", "opponent"]].concat()).await.failure(4, "INVALID_INPUT");
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("only for the {role}")), "{message}");
        agent.run(&[&command[..], &["--role", role]].concat()).await.data();
    }
}
