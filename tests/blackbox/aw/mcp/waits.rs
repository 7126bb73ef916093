//! Waits over the protocol.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::{
    cli::Agent,
    debate::Debate,
    mcp::McpClient,
    polling::DEADLINE,
    server::{Server, Settings},
};

/// The roles that wait in a debate, as the proposer is told.
async fn waiting(debate: &Debate) -> Value {
    let query = format!("role=proposer&timeout=0&argument_id={}", debate.newest());
    debate.wait(&query).await.data(200)["waiting"].clone()
}

async fn until_waiting(debate: &Debate, is_waiting: bool) {
    let start = Instant::now();
    while waiting(debate).await.as_array().is_some_and(|roles| !roles.is_empty()) != is_waiting {
        assert!(start.elapsed() < DEADLINE, "waiting is not {is_waiting}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The opponent waits on its own claim, so nothing comes.
async fn wait_of_the_opponent(client: &mut McpClient, debate: &Debate) -> u64 {
    client.begin_call("debate_wait", json!({"argument_id": debate.newest()})).await
}

#[tokio::test]
async fn a_cancelled_wait_leaves_no_waiter_and_no_answer() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    let mut client = McpClient::start(&agent, &["--role", "opponent", "--debate-id", &debate.id]).await;
    for _ in 0..3 {
        let id = wait_of_the_opponent(&mut client, &debate).await;
        until_waiting(&debate, true).await;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})).await;
        until_waiting(&debate, false).await;
    }
    // Other calls go on beside a wait.
    let wait = wait_of_the_opponent(&mut client, &debate).await;
    assert_eq!(client.data("debate_get_context", json!({})).await["action"], "wait_for_proposer");
    assert!(client.notifications.is_empty(), "{:?}", client.notifications);
    debate.claim("proposer").await;
    let news = client.result(wait).await["structuredContent"].clone();
    assert_eq!((&news["status"], &news["action"]), (&json!("new_argument"), &json!("respond")));
    assert_eq!(client.end().await, Some(0));
}

#[tokio::test]
async fn the_end_of_stdin_ends_a_wait() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    let mut client = McpClient::start(&agent, &["--role", "opponent", "--debate-id", &debate.id]).await;
    wait_of_the_opponent(&mut client, &debate).await;
    until_waiting(&debate, true).await;
    let start = Instant::now();
    assert_eq!(client.end().await, Some(0));
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    until_waiting(&debate, false).await;
}

#[tokio::test]
async fn a_wait_that_times_out_says_how_to_go_on() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    let mut client = McpClient::start(&agent, &["--role", "opponent"]).await;
    let arguments = json!({"debate_id": debate.id, "role": "opponent", "argument_id": debate.newest(), "timeout": 1});
    let fields = client.data("debate_wait", arguments.clone()).await;
    assert_eq!((&fields["status"], &fields["action"]), (&json!("timeout"), &json!("wait_for_proposer")));
    assert_eq!((&fields["debate_id"], &fields["last_seen_seq"]), (&json!(debate.id), &json!(2)));
    assert_eq!(fields["next"], json!({"tool": "debate_wait", "arguments": arguments}));
    assert!(fields["retry_command"].as_str().unwrap().starts_with("debate_wait {"), "{fields}");
    let unknown = json!({"debate_id": tests::ids::fresh(), "until_opened": true, "timeout": 1});
    assert_eq!(client.data("debate_wait", unknown).await["debate_state"], Value::Null);
}

#[tokio::test]
async fn a_client_that_asks_for_it_is_told_that_the_wait_goes_on() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    let mut client = McpClient::start(&agent, &["--role", "opponent", "--debate-id", &debate.id]).await;
    let arguments = json!({"argument_id": debate.newest(), "timeout": 18});
    let params = json!({"name": "debate_wait", "arguments": arguments, "_meta": {"progressToken": "t1"}});
    let silent = wait_of_the_opponent(&mut client, &debate).await;
    let told = client.begin("tools/call", params).await;
    let result = client.result(told).await;
    assert_eq!(result["structuredContent"]["status"], "timeout");
    let [progress] = &client.notifications[..] else { panic!("{:?}", client.notifications) };
    assert_eq!(progress["method"], "notifications/progress");
    let params = &progress["params"];
    assert_eq!((&params["progressToken"], params["progress"].as_f64()), (&json!("t1"), Some(15.0)));
    assert_eq!(params["total"].as_f64(), Some(18.0));
    debate.claim("proposer").await;
    client.result(silent).await;
}

#[tokio::test]
async fn a_wait_survives_a_restart_of_the_server() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    let mut client = McpClient::start(&agent, &["--role", "opponent", "--debate-id", &debate.id]).await;
    let wait = wait_of_the_opponent(&mut client, &debate).await;
    until_waiting(&debate, true).await;
    server.kill();
    server.restart().await;
    let mut debate = debate.by(&server.client());
    debate.claim("proposer").await;
    assert_eq!(client.result(wait).await["structuredContent"]["action"], "respond");
}

#[tokio::test]
async fn the_arbitrator_waits_for_several_debates() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut first = Debate::create(&server.client()).await;
    let second = Debate::create(&server.client()).await;
    let mut client = McpClient::start(&agent, &["--role", "arbitrator"]).await;
    let wait = client.begin_call("debate_wait", json!({"debate_id": [first.id, second.id]})).await;
    first.intervene().await;
    let fields = client.result(wait).await["structuredContent"].clone();
    assert_eq!(fields["action"], "rule");
    assert_eq!(fields["debates"][0]["id"], first.id);
    assert_eq!(fields["next"]["arguments"], json!({"debate_id": first.id, "role": "arbitrator"}));
    let timed_out = client.data("debate_wait", json!({"debate_id": second.id, "timeout": 0})).await;
    assert_eq!(timed_out["action"], "watch");
}
