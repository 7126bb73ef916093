//! `aw debate watch`.

use std::time::Duration;

use serde_json::{Value, json};
use tests::{
    cli::{Agent, CommandStream},
    debate::{Debate, Situation, text},
    ids, os, request_bodies,
    server::{Server, Settings},
    stub_server::{Reply, StubServer},
};

/// How often commands that do not wait send a request before they give up.
const ATTEMPTS_OF_OTHER_COMMANDS: usize = 4;

fn watch(agent: &Agent, debate: &Debate, role: &str, more: &[&str]) -> CommandStream {
    agent.stream(&[&["debate", "watch", "--debate-id", &debate.id, "--role", role], more].concat())
}

/// The action, the argument's `seq` and the earlier arguments of the next line.
async fn duty(stream: &mut CommandStream) -> (Value, Value, Value) {
    let document = stream.next().await;
    let data = &document["content"][0]["data"];
    assert_eq!(data["status"], "new_argument", "{document}");
    let earlier = data["earlier"].as_array().unwrap().iter().map(|argument| argument["seq"].clone()).collect();
    (data["action"].clone(), data["argument"]["seq"].clone(), earlier)
}

#[tokio::test]
async fn watch_prints_a_line_for_each_event_that_the_role_must_act_on() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let [mut proposer, mut opponent, mut arbitrator] =
        ["proposer", "opponent", "arbitrator"].map(|role| watch(&agent, &debate, role, &[]));
    assert_eq!(duty(&mut opponent).await, (json!("respond"), json!(1), json!([])));
    debate.claim("opponent").await;
    assert_eq!(duty(&mut proposer).await, (json!("respond"), json!(2), json!([])));
    debate.appeal().await;
    assert_eq!(duty(&mut arbitrator).await, (json!("rule"), json!(3), json!([])));
    debate.rule(false).await;
    assert_eq!(duty(&mut proposer).await, (json!("align_to_ruling"), json!(4), json!([])));
    debate.claim("proposer").await;
    // Arguments that need no action by the opponent come with the next one that does.
    assert_eq!(duty(&mut opponent).await, (json!("respond"), json!(5), json!([3, 4])));
    debate.claim("opponent").await;
    assert_eq!(duty(&mut proposer).await, (json!("respond"), json!(6), json!([])));
    debate.request_completion().await;
    assert_eq!(duty(&mut arbitrator).await.0, "rule");
    debate.rule(true).await;
    for mut stream in [proposer, opponent, arbitrator] {
        assert_eq!(duty(&mut stream).await.0, "debate_closed");
        assert_eq!(stream.finish().await.exit, 0);
    }
}

/// The debates on the next line of a watch for rulings.
async fn due(stream: &mut CommandStream) -> Vec<String> {
    let document = stream.next().await;
    let data = &document["content"][0]["data"];
    assert_eq!((&data["status"], &data["action"]), (&json!("new_argument"), &json!("rule")), "{document}");
    let debates = data["debates"].as_array().unwrap();
    assert_eq!(data["total"], debates.len());
    assert!(text(&document["metadata"]["next"]).contains(&text(&debates[0]["id"])), "{document}");
    debates.iter().map(|debate| text(&debate["id"])).collect()
}

#[tokio::test]
async fn watch_prints_a_line_for_each_ruling_that_becomes_due_in_any_debate() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let agent = Agent::new(&server.url());
    let mut first = Debate::in_situation(&server.client(), Situation::Appealed).await;
    let mut second = Debate::create(&server.client()).await;
    let motion = second.newest().to_owned();
    let mut all = agent.stream(&["debate", "watch", "--role", "arbitrator"]);
    let other = ids::fresh();
    let named = ["debate", "watch", "--role", "arbitrator", "--debate-id", &second.id, "--debate-id", &other];
    let mut named = agent.stream(&named);
    assert_eq!(due(&mut all).await, [first.id.as_str()]);
    second.intervene().await;
    assert_eq!(due(&mut all).await, [second.id.as_str()]);
    assert_eq!(due(&mut named).await, [second.id.as_str()]);
    // What was due before, and a late delivery, are not told again.
    second.write("arguments", &request_bodies::claim("opponent", &motion)).await;
    first.rule(true).await;
    second.rule(false).await;
    server.kill();
    server.restart().await;
    second.intervene().await;
    assert_eq!(due(&mut all).await, [second.id.as_str()]);
    assert_eq!(due(&mut named).await, [second.id.as_str()]);
    // A debate that is opened later counts as well.
    let create = request_bodies::with(request_bodies::creation(), "debate_id", other.as_str());
    server.client().post("/debates", &create).await.data(201);
    server.client().post(&format!("/debates/{other}/intervention"), &json!({})).await.data(201);
    assert_eq!(due(&mut all).await, [other.as_str()]);
    assert_eq!(due(&mut named).await, [other.as_str()]);
    for stream in [all, named] {
        os::interrupt(stream.pid());
        assert_eq!(stream.finish().await.exit, 0);
    }
}

#[tokio::test]
async fn only_the_arbitrator_watches_several_debates() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let [one, other] = [ids::fresh(), ids::fresh()];
    let several = ["--debate-id", one.as_str(), "--debate-id", &other];
    let after_an_argument = ["--argument-id", "#1"];
    for (role, more) in [("proposer", &[][..]), ("opponent", &several), ("arbitrator", &after_an_argument)] {
        let watch = [&["debate", "watch", "--role", role], more].concat();
        agent.run(&watch).await.failure(4, "INVALID_INPUT");
    }
}

#[tokio::test]
async fn watch_prints_the_same_document_as_wait() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let seen = ["--argument-id", "#1"];
    let line = watch(&agent, &debate, "proposer", &seen).next().await;
    let wait = ["debate", "wait", "--debate-id", &debate.id, "--role", "proposer"];
    assert_eq!(line, agent.run(&[&wait[..], &seen].concat()).await.document());
}

#[tokio::test]
async fn watch_reports_the_roles_own_turn_once_at_its_start() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let motion = debate.newest().to_owned();
    let mut stream = watch(&agent, &debate, "opponent", &["--argument-id", &motion]);
    let line = stream.next().await;
    assert_eq!(line["content"][0]["data"]["action"], "respond");
    assert!(text(&line["metadata"]["next"]).contains(&format!("--target-id {motion} ")), "{line}");
    debate.claim("opponent").await;
    debate.claim("proposer").await;
    assert_eq!(duty(&mut stream).await, (json!("respond"), json!(3), json!([])));
}

async fn until_proposer_waits(debate: &Debate) {
    let query = format!("role=opponent&timeout=0&argument_id={}", debate.newest());
    while debate.wait(&query).await.data(200)["waiting"] == json!([]) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn watch_survives_server_restarts_without_loss_or_duplicates() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let mut stream = watch(&agent, &debate, "proposer", &[]);
    for (round, crash) in [true, false, true].into_iter().enumerate() {
        until_proposer_waits(&debate).await;
        if crash {
            server.kill();
        } else {
            server.terminate();
            server.wait_for_exit().await;
        }
        server.restart().await;
        // It must not matter whether the watch is connected again before the next claim.
        if round == 2 {
            until_proposer_waits(&debate).await;
        }
        debate.claim("opponent").await;
        assert_eq!(duty(&mut stream).await, (json!("respond"), json!(2 * round + 2), json!([])));
        debate.claim("proposer").await;
    }
}

#[tokio::test]
async fn watch_with_a_short_id_waits_for_an_unavailable_server() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let debate = Debate::create(&server.client()).await;
    server.kill();
    let unavailable = StubServer::start_on(server.address(), vec![Reply::HangUp]).await;
    let agent = Agent::new(&server.url());
    let mut stream = agent.stream(&["debate", "watch", "--debate-id", &debate.id[..8], "--role", "opponent"]);
    unavailable.wait_for_requests(ATTEMPTS_OF_OTHER_COMMANDS + 1).await;
    unavailable.stop().await;
    server.restart().await;
    assert_eq!(duty(&mut stream).await, (json!("respond"), json!(1), json!([])));
}

#[tokio::test]
async fn watch_ends_when_its_stdout_is_closed() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let debate = Debate::create(&server.client()).await;
    let mut stream = watch(&agent, &debate, "opponent", &[]);
    duty(&mut stream).await;
    assert_eq!(stream.abandon().await.exit, 0);
    server.wait_for_connections(0).await;
}

#[tokio::test]
async fn watch_exits_successfully_on_a_signal() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let debate = Debate::create(&server.client()).await;
    for signal in [os::interrupt, os::terminate] {
        let mut stream = watch(&agent, &debate, "opponent", &[]);
        duty(&mut stream).await;
        signal(stream.pid());
        assert_eq!(stream.finish().await.exit, 0);
    }
}

#[tokio::test]
async fn watch_ends_with_an_error_on_its_last_line() {
    let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "agents")).await;
    let agent = |token: &str| Agent::new(&server.url()).env("DEBATE_AUTH_TOKEN", token);
    let watch = ["debate", "watch", "--debate-id", &ids::fresh(), "--role", "opponent"];
    agent("agents").run(&watch).await.failure(2, "DEBATE_NOT_FOUND");
    agent("other").run(&watch).await.failure(6, "AUTH_FAILED");
}
