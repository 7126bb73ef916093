//! `aw debate wait`.

use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    cli::{Agent, Running},
    debate::{Debate, Situation, printed, text},
    os, polling,
    server::{Server, Settings},
    stub_server::{Reply, StubServer},
};

use crate::schema_checks;

fn wait<'a>(debate: &'a Debate, role: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["debate", "wait", "--debate-id", &debate.id, "--role", role, "--argument-id", debate.newest()], more].concat()
}

/// Starts a wait and returns once the server holds it.
async fn held(server: &Server, agent: &Agent, args: &[&str]) -> Running {
    let running = agent.spawn(args);
    server.wait_for_held_waits(1).await;
    running
}

#[track_caller]
fn is_idle(data: &Value, status: &str, debate: &Debate) {
    assert_eq!((&data["status"], &data["debate_id"]), (&json!(status), &json!(debate.id)), "{data}");
    assert_eq!(
        (&data["last_argument_id"], &data["last_seen_seq"]),
        (&json!(debate.newest()), &json!(debate.arguments.len()))
    );
    schema_checks::has_keys(data, &["message", "debate_state", "action", "retry_command"]);
}

#[tokio::test]
async fn wait_returns_the_new_argument_and_how_to_continue() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let running = held(&server, &agent, &wait(&debate, "proposer", &[])).await;
    debate.claim("opponent").await;
    let data = running.finish().await.data();
    assert_eq!((&data["status"], &data["action"]), (&json!("new_argument"), &json!("respond")));
    assert_eq!((&data["debate_state"], &data["earlier"]), (&json!("AWAITING_PROPOSER"), &json!([])));
    assert_eq!(data["argument"], printed(debate.stored().await)["arguments"][0]);
    assert_eq!(data["next_argument_id_to_wait"], debate.newest());
}

#[tokio::test]
async fn wait_needs_no_argument_id() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let args = ["debate", "wait", "--debate-id", &debate.id, "--role", "opponent"];
    let data = Agent::new(&server.url()).run(&args).await.data();
    assert_eq!((&data["status"], &data["argument"]["id"]), (&json!("new_argument"), &json!(debate.newest())));
}

#[tokio::test]
async fn a_time_out_is_a_success_with_a_working_retry_command() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let start = Instant::now();
    let data = agent.run(&wait(&debate, "proposer", &["--timeout", "1"])).await.data();
    assert!(start.elapsed() >= Duration::from_millis(900), "it gave up after {:?}", start.elapsed());
    is_idle(&data, "timeout", &debate);
    assert_eq!((&data["action"], &data["debate_state"]), (&json!("wait_for_opponent"), &json!("AWAITING_OPPONENT")));
    debate.claim("opponent").await;
    let again = agent.shell(data["retry_command"].as_str().unwrap()).await.data();
    assert_eq!((&again["status"], &again["argument"]["id"]), (&json!("new_argument"), &json!(debate.newest())));
}

#[tokio::test]
async fn a_retry_command_without_argument_id_works_too() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let args = ["debate", "wait", "--debate-id", &debate.id, "--role", "proposer", "--timeout", "0"];
    let data = agent.run(&args).await.data();
    assert_eq!((&data["status"], &data["last_seen_seq"]), (&json!("timeout"), &json!(0)));
    debate.claim("opponent").await;
    let again = agent.shell(data["retry_command"].as_str().unwrap()).await.data();
    assert_eq!(again["argument"]["id"], debate.newest());
}

#[tokio::test]
async fn the_deadline_in_the_environment_applies_without_a_timeout_option() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url()).env("DEBATE_WAIT_DEADLINE", "1");
    let debate = Debate::create(&server.client()).await;
    let start = Instant::now();
    is_idle(&agent.run(&wait(&debate, "proposer", &[])).await.data(), "timeout", &debate);
    let took = start.elapsed();
    assert!(took >= Duration::from_millis(900) && took < Duration::from_secs(30), "it took {took:?}");
    let agent = agent.env("DEBATE_WAIT_DEADLINE", "60");
    let start = Instant::now();
    is_idle(&agent.run(&wait(&debate, "proposer", &["--timeout", "0"])).await.data(), "timeout", &debate);
    assert!(start.elapsed() < Duration::from_secs(30), "it took {:?}", start.elapsed());
}

#[tokio::test]
async fn a_long_wait_is_split_into_requests_of_at_most_60_seconds() {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), Situation::Closed).await;
    let closed = debate.wait("role=proposer").await.data(200);
    for (timeout, asked) in [("300", 60..=60), ("50", 30..=50)] {
        let stub = StubServer::start(vec![Reply::Succeed(200, closed.clone())]).await;
        Agent::new(&stub.url()).run(&wait(&debate, "proposer", &["--timeout", timeout])).await.data();
        let request = &stub.requests()[0];
        let seconds = request.split("timeout=").nth(1).and_then(|rest| rest.split([' ', '&']).next());
        let seconds: u64 = seconds.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{request}"));
        assert!(asked.contains(&seconds), "--timeout {timeout} asked for {seconds} s");
    }
}

#[rstest]
#[case::closed(Situation::Closed, "proposer", "debate_closed")]
#[case::due(Situation::Appealed, "arbitrator", "rule")]
#[tokio::test]
async fn wait_returns_at_once_when_the_role_must_act(
    #[case] situation: Situation,
    #[case] role: &str,
    #[case] action: &str,
) {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), situation).await;
    let data = Agent::new(&server.url()).run(&wait(&debate, role, &[])).await.data();
    assert_eq!((&data["status"], &data["action"]), (&json!("new_argument"), &json!(action)));
    assert_eq!(data["argument"]["id"], debate.newest());
}

#[rstest]
#[case::terminated(os::terminate)]
#[case::interrupted(os::interrupt)]
#[tokio::test]
async fn an_interrupted_wait_prints_a_retry_command(#[case] signal: fn(u32)) {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let running = held(&server, &agent, &wait(&debate, "proposer", &[])).await;
    polling::until("aw handles signals", || os::handles_signals(running.pid()).then_some(())).await;
    signal(running.pid());
    let data = running.finish().await.data();
    assert_eq!((&data["status"], &data["debate_id"]), (&json!("interrupted"), &json!(debate.id)), "{data}");
    assert_eq!(data["last_argument_id"], debate.newest());
    schema_checks::has_keys(&data, &["message", "last_seen_seq", "debate_state", "action", "retry_command"]);
    debate.claim("opponent").await;
    let again = agent.shell(data["retry_command"].as_str().unwrap()).await.data();
    assert_eq!(again["argument"]["id"], debate.newest());
}

#[tokio::test]
async fn wait_ends_when_its_stdout_is_closed() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let debate = Debate::create(&server.client()).await;
    let args = ["debate", "wait", "--debate-id", &debate.id, "--role", "proposer", "--timeout", "3000"];
    assert_eq!(held(&server, &agent, &args).await.abandon().await.exit, 0);
    server.wait_for_connections(0).await;
    // The same holds while the server is unavailable.
    let agent = Agent::new("http://127.0.0.1:1");
    let run = agent.spawn(&args).abandon().await;
    assert_eq!((run.exit, run.stdout.as_str()), (0, ""), "{run:?}");
}

#[tokio::test]
async fn an_unavailable_server_is_a_connection_error_with_a_retry_command() {
    let server = Server::with(Settings::new().restartable()).await;
    let debate = Debate::create(&server.client()).await;
    let agent = Agent::new(&server.url());
    drop(server);
    let start = Instant::now();
    let run = agent.run(&wait(&debate, "opponent", &["--timeout", "2"])).await;
    let document = run.failure(3, "CONNECTION_ERROR");
    let took = start.elapsed();
    assert!(took >= Duration::from_millis(1_500) && took < Duration::from_secs(20), "it took {took:?}");
    let command = document["content"][0]["data"]["retry_command"].as_str().expect("a retry command");
    assert!(command.contains(&debate.id) && command.contains(debate.newest()), "{command}");
    assert!(!run.stderr.is_empty(), "stderr says that it keeps trying");
}

#[tokio::test]
async fn wait_survives_a_server_that_starts_late() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let mut debate = Debate::create(&server.client()).await;
    server.kill();
    let unavailable = StubServer::start_on(server.address(), vec![Reply::HangUp]).await;
    let agent = Agent::new(&server.url());
    let running = agent.spawn(&wait(&debate, "proposer", &["--timeout", "50"]));
    unavailable.wait_for_requests(2).await;
    unavailable.stop().await;
    server.restart().await;
    debate.claim("opponent").await;
    let run = running.finish().await;
    assert_eq!(run.data()["argument"]["id"], debate.newest());
    assert!(!run.stderr.is_empty(), "stderr says that the server was unavailable");
}

#[tokio::test]
async fn wait_with_a_short_id_survives_a_server_that_starts_late() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let mut debate = Debate::create(&server.client()).await;
    server.kill();
    let agent = Agent::new(&server.url());
    let short = |timeout| {
        let wait = ["debate", "wait", "--debate-id", &debate.id[..8], "--role", "proposer", "--argument-id", "#1"];
        [&wait[..], &["--timeout", timeout]].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let spawn = |timeout| agent.spawn(&short(timeout).iter().map(String::as_str).collect::<Vec<_>>());
    let again = format!("aw debate wait --debate-id {} --role proposer --argument-id '#1' --timeout ", &debate.id[..8]);

    let start = Instant::now();
    // Longer than other commands retry.
    let failure = spawn("4").finish().await.failure(3, "CONNECTION_ERROR");
    assert!(start.elapsed() >= Duration::from_millis(3_500), "it gave up after {:?}", start.elapsed());
    assert_eq!(failure["content"][0]["data"]["retry_command"], format!("{again}4"));
    assert_eq!(failure["metadata"]["next"], format!("{again}4"));

    let interrupted = spawn("50");
    polling::until("aw handles signals", || os::handles_signals(interrupted.pid()).then_some(())).await;
    os::terminate(interrupted.pid());
    let data = interrupted.finish().await.data();
    assert_eq!((&data["status"], &data["debate_id"]), (&json!("interrupted"), &json!(debate.id[..8])), "{data}");
    assert_eq!(data["retry_command"], format!("{again}50"));

    let unavailable = StubServer::start_on(server.address(), vec![Reply::HangUp]).await;
    let running = spawn("50");
    unavailable.wait_for_requests(2).await;
    unavailable.stop().await;
    server.restart().await;
    debate.claim("opponent").await;
    let run = running.finish().await;
    assert_eq!(run.data()["argument"]["id"], debate.newest(), "{run:?}");
    assert_eq!(run.stderr.matches("trying again").count(), 1, "stderr says it once: {run:?}");
}

#[rstest]
#[case::crashed(true)]
#[case::restarted(false)]
#[tokio::test]
async fn wait_survives_server_restarts(#[case] crash: bool) {
    let mut server = Server::with(Settings::new().restartable()).await;
    let mut debate = Debate::create(&server.client()).await;
    let agent = Agent::new(&server.url());
    let mut running = agent.spawn(&wait(&debate, "proposer", &["--timeout", "50"]));
    for _ in 0..2 {
        server.wait_for_connections(1).await;
        if crash {
            server.kill();
        } else {
            server.terminate();
            server.wait_for_exit().await;
        }
        server.restart().await;
        assert!(!running.has_exited(), "the wait ended with the server");
    }
    debate.claim("opponent").await;
    assert_eq!(running.finish().await.data()["argument"]["id"], debate.newest());
}

#[tokio::test]
async fn wait_returns_all_unseen_arguments_in_order() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let args: Vec<String> = wait(&debate, "proposer", &[]).into_iter().map(str::to_owned).collect();
    debate.claim("opponent").await;
    debate.intervene().await;
    debate.rule(false).await;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let data = Agent::new(&server.url()).run(&args).await.data();
    let earlier: Vec<String> =
        data["earlier"].as_array().unwrap().iter().map(|argument| text(&argument["id"])).collect();
    assert_eq!((&earlier[..], &data["argument"]["id"]), (&debate.arguments[1..3], &json!(debate.newest())));
    assert_eq!(data["action"], "align_to_ruling");
}
