//! Options of `aw debate wait`: debates that do not exist yet, several debates, and what is printed.

use serde_json::{Value, json};
use tests::{
    cli::Agent,
    debate::{Debate, Situation, text},
    ids, request_bodies,
    server::Server,
};

#[tokio::test]
async fn until_opened_waits_for_the_motion() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let id = ids::fresh();
    let wait = ["debate", "wait", "--debate-id", &id, "--role", "opponent"];
    let unknown = agent.run(&wait).await;
    let error = unknown.failure(2, "DEBATE_NOT_FOUND");
    assert!(text(&error["error"]["suggestion"]).contains("aw debate list"), "{error}");
    let next = text(&error["metadata"]["next"]);
    assert_eq!(next, format!("aw {} --until-opened", wait.join(" ")));

    let running = agent.spawn(&[&wait[..], &["--until-opened"]].concat());
    server.wait_for_connections(1).await;
    let body = request_bodies::with(request_bodies::creation(), "debate_id", json!(id));
    Debate::create_with(&server.client(), &body).await;
    let data = running.finish().await.data();
    assert_eq!(
        (&data["status"], &data["action"], &data["argument"]["type"]),
        (&json!("new_argument"), &json!("respond"), &json!("MOTION"))
    );
}

#[tokio::test]
async fn a_debate_that_is_never_opened_is_a_time_out() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let id = ids::fresh();
    let wait = ["debate", "wait", "--debate-id", &id, "--role", "opponent", "--until-opened", "--timeout", "0"];
    let data = agent.run(&wait).await.data();
    assert_eq!(
        (&data["status"], &data["debate_state"], &data["action"]),
        (&json!("timeout"), &Value::Null, &Value::Null)
    );
    assert!(text(&data["retry_command"]).contains("--until-opened"), "{data}");
}

#[tokio::test]
async fn every_next_wait_for_a_debate_that_is_not_open_is_until_it_is_opened() {
    let server = Server::shared().await;
    let (one, other) = (ids::fresh(), ids::fresh());
    for (url, exit) in [(server.url(), 0), ("http://127.0.0.1:1".to_owned(), 3)] {
        let agent = Agent::new(&url);
        for debates in [&[one.as_str()][..], &[&one, &other]] {
            let named: Vec<&str> = debates.iter().flat_map(|id| ["--debate-id", id]).collect();
            let wait = ["debate", "wait", "--role", "arbitrator", "--until-opened", "--timeout", "1"];
            let run = agent.run(&[&wait[..], &named].concat()).await;
            let next = text(&run.document()["metadata"]["next"]);
            assert!(run.exit == exit && next.contains(" --until-opened"), "{debates:?}: {run:?}");
            let again = agent.shell(&next).await;
            assert_eq!(text(&again.document()["metadata"]["next"]), next, "{again:?}");
        }
    }
}

#[tokio::test]
async fn until_opened_needs_a_whole_id_and_no_argument() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let id = ids::fresh();
    let wait = ["debate", "wait", "--role", "opponent", "--until-opened", "--debate-id"];
    agent.run(&[&wait[..], &[&id[..8]]].concat()).await.failure(4, "INVALID_INPUT");
    agent.run(&[&wait[..], &[&id, "--argument-id", &id]].concat()).await.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn the_arbitrator_waits_for_any_of_several_debates() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let quiet = Debate::create(&server.client()).await;
    let mut other = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let wait = ["debate", "wait", "--role", "arbitrator", "--debate-id", &quiet.id, "--debate-id", &other.id];
    let running = agent.spawn(&wait);
    server.wait_for_connections(1).await;
    other.request_completion().await;
    let run = running.finish().await;
    let data = run.data();
    assert_eq!((&data["status"], &data["action"], &data["total"]), (&json!("new_argument"), &json!("rule"), &json!(1)));
    assert_eq!(data["debates"][0]["id"], other.id);
    let next = text(&run.document()["metadata"]["next"]);
    assert_eq!(next, format!("aw debate get-context --debate-id {} --role arbitrator", other.id));

    let all = agent.run(&["debate", "wait", "--role", "arbitrator", "--timeout", "0"]).await.data();
    assert_eq!(all["debates"][0]["id"], other.id);
    let none = [
        "debate",
        "wait",
        "--role",
        "arbitrator",
        "--debate-id",
        &quiet.id,
        "--debate-id",
        &quiet.id,
        "--timeout",
        "0",
    ];
    let run = agent.run(&none).await;
    let data = run.data();
    assert_eq!((&data["status"], &data["debates"]), (&json!("timeout"), &json!([])));
    let retry = text(&data["retry_command"]);
    assert_eq!(retry, format!("aw {}", none.join(" ")));
    assert_eq!(format!("{} --timeout 0", text(&run.document()["metadata"]["next"])), retry);
}

#[tokio::test]
async fn only_the_arbitrator_waits_for_several_debates() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let id = ids::fresh();
    agent.run(&["debate", "wait", "--role", "opponent"]).await.failure(4, "INVALID_INPUT");
    let twice = ["debate", "wait", "--role", "opponent", "--debate-id", &id, "--debate-id", &id];
    agent.run(&twice).await.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn max_chars_truncates_what_came_earlier() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let motion = debate.newest().to_owned();
    let long = request_bodies::with(request_bodies::claim("opponent", &motion), "content", json!("x".repeat(3_000)));
    debate.write("arguments", &long).await;
    debate.intervene().await;
    let wait = ["debate", "wait", "--debate-id", &debate.id, "--role", "proposer", "--argument-id", &motion];
    let whole = agent.run(&wait).await.data();
    assert_eq!(whole["earlier"][0]["content"].as_str().unwrap().len(), 3_000);
    let data = agent.run(&[&wait[..], &["--max-chars", "1000"]].concat()).await.data();
    let earlier = &data["earlier"][0];
    assert_eq!(
        (earlier["content_bytes"].as_u64(), earlier["content"].as_str().unwrap().chars().count()),
        (Some(3_000), 201)
    );
    let shown = agent.shell(&text(&earlier["show_command"])).await.data();
    assert_eq!(shown["argument"]["content"].as_str().unwrap().len(), 3_000);
    let run = agent.run(&[&wait[..], &["--max-chars", "5", "--format", "markdown"]].concat()).await;
    assert!(run.stdout.contains("… 1 older argument omitted"), "{run:?}");
}

#[tokio::test]
async fn a_quiet_wait_prints_nothing_on_stderr() {
    let agent = Agent::new("http://127.0.0.1:1");
    let wait = ["debate", "wait", "--debate-id", &ids::fresh(), "--role", "opponent", "--timeout", "1"];
    assert!(!agent.run(&wait).await.stderr.is_empty(), "the outage is told");
    let quiet = agent.run(&[&wait[..], &["--quiet"]].concat()).await;
    assert_eq!(quiet.stderr, "", "{quiet:?}");
}

#[tokio::test]
async fn suggested_waits_have_the_timeout_that_fits_the_host() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let context = ["debate", "get-context", "--debate-id", &debate.id, "--role", "proposer"];
    for (name, value, ends_with) in [
        ("CLAUDECODE", "1", " --timeout 570"),
        ("CURSOR_AGENT", "1", " --timeout 110"),
        ("CODEX_THREAD_ID", "01a2", " --timeout 1800"),
        ("CODEX_CI", "1", " --timeout 1800"),
        ("CODEX_SANDBOX_NETWORK_DISABLED", "1", " --timeout 1800"),
        ("COPILOT_CLI", "1", " --timeout 590"),
        ("OPENCODE", "1", " --timeout 1800"),
        ("DEBATE_WAIT_DEADLINE", "45", " --timeout 45"),
    ] {
        let agent = Agent::new(&server.url()).env(name, value);
        let next = text(&agent.run(&context).await.document()["metadata"]["next"]);
        assert!(next.ends_with(ends_with), "{name}: {next}");
    }
    let next = text(&Agent::new(&server.url()).run(&context).await.document()["metadata"]["next"]);
    assert!(!next.contains("--timeout"), "{next}");
}
