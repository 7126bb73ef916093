//! Which programs wrote an argument, at what cost.

use serde_json::{Value, json};
use tests::{
    cli::Agent,
    client::Client,
    debate::Debate,
    request_bodies::{self, with},
    server::Server,
};

const LARGEST: u64 = 9_007_199_254_740_991;

fn codex() -> Value {
    json!({
        "program": "codex", "model": "gpt-5", "purpose": "turn", "input_tokens": 1200, "cached_tokens": 1000,
        "output_tokens": 40, "cost_microusd": 1500, "seconds": 31, "changed_paths": 2,
        "calls": 4, "failed_calls": 3, "denied_calls": 1,
    })
}

async fn record(client: &Client, debate: &Debate) -> Value {
    client.get(&debate.path("/record")).await.data(200)["record"].clone()
}

#[tokio::test]
async fn every_write_of_an_argument_stores_its_agents() {
    let server = Server::shared().await;
    let client = server.client();
    let named = |body: Value, name: &str| with(body, "agents", json!([{"program": name}]));
    let mut debate = Debate::create_with(&client, &named(request_bodies::creation(), "a")).await;
    let claim = request_bodies::claim("opponent", debate.newest());
    debate.write("arguments", &named(claim, "b")).await;
    let appeal = request_bodies::answer_to(debate.newest());
    debate.write("appeal", &named(appeal, "c")).await;
    debate.write("ruling", &named(request_bodies::decision(), "d")).await;
    debate.write("intervention", &named(request_bodies::decision(), "e")).await;
    debate.write("ruling", &named(request_bodies::decision(), "f")).await;
    let resolution = request_bodies::answer_to(debate.newest());
    debate.write("resolution", &named(resolution, "g")).await;
    let history = debate.history().await;
    let programs: Vec<_> = history.iter().map(|argument| argument["agents"][0]["program"].as_str().unwrap()).collect();
    assert_eq!(programs, ["a", "b", "c", "d", "e", "f", "g"]);
}

#[tokio::test]
async fn what_is_given_is_stored_and_the_record_has_sums_for_each_role_program_model_and_purpose() {
    let server = Server::shared().await;
    let client = server.client();
    let mut debate = Debate::create(&client).await;
    let failed = json!({"program": "codex", "purpose": "failed", "seconds": 2});
    let given = json!([codex(), failed, with(codex(), "starts", 3), {}]);
    let claim = with(request_bodies::claim("opponent", debate.newest()), "agents", given.clone());
    assert_eq!(debate.write("arguments", &claim).await["argument"]["agents"], given);
    let largest = json!([{"program": "codex", "input_tokens": LARGEST}, {"program": "codex", "input_tokens": 7}]);
    debate.write("arguments", &with(request_bodies::claim("proposer", debate.newest()), "agents", largest)).await;
    let record = record(&client, &debate).await;
    assert_eq!(
        record["agents"],
        json!([
            {"role": "proposer", "starts": 2, "program": "codex", "input_tokens": LARGEST},
            {
                "role": "opponent", "starts": 4, "program": "codex", "model": "gpt-5", "purpose": "turn",
                "input_tokens": 2400, "cached_tokens": 2000, "output_tokens": 80, "cost_microusd": 3000, "seconds": 62,
                "changed_paths": 4, "calls": 8, "failed_calls": 6, "denied_calls": 2,
            },
            {"role": "opponent", "starts": 1, "program": "codex", "purpose": "failed", "seconds": 2},
            {"role": "opponent", "starts": 1},
        ])
    );
    let opponent = &record["statistics"]["by_role"]["opponent"];
    let sums = ["input_tokens", "cached_tokens", "output_tokens", "cost_microusd", "agent_seconds"];
    assert_eq!(sums.map(|name| opponent[name].as_u64()), [2400, 2000, 80, 3000, 64].map(Some));
    let arbitrator = record["statistics"]["by_role"]["arbitrator"].as_object().unwrap();
    assert!(sums.iter().all(|name| !arbitrator.contains_key(*name)), "{arbitrator:?}");
}

#[tokio::test]
async fn agents_are_no_part_of_the_payload_that_a_repetition_compares() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let first = with(request_bodies::claim("opponent", debate.newest()), "agents", json!([codex()]));
    let stored = debate.write("arguments", &first).await;
    for other in [json!([]), Value::Null, json!([{"program": "another"}])] {
        let again = debate.attempt("arguments", &with(first.clone(), "agents", other)).await.data(200);
        assert_eq!((&again["replayed"], &again["argument"]), (&json!(true), &stored["argument"]));
    }
}

#[tokio::test]
async fn an_empty_list_is_as_if_absent() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let claim = with(request_bodies::claim("opponent", debate.newest()), "agents", json!([]));
    assert_eq!(debate.write("arguments", &claim).await["argument"].get("agents"), None);
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let claim = |agents: Value| with(request_bodies::claim("opponent", debate.newest()), "agents", agents);
    for (agents, named) in [
        (json!([{"program": ""}]), "agents[0].program"),
        (json!([{}, {"model": "a\u{7}"}]), "agents[1].model"),
        (json!([{"purpose": "thinking"}]), "agents[0].purpose"),
        (json!([{"seconds": 1.5}]), "agents[0].seconds"),
        (json!([{"output_tokens": -1}]), "agents[0].output_tokens"),
        (json!([{"input_tokens": LARGEST + 1}]), "agents[0].input_tokens"),
        (json!([{"starts": LARGEST + 1}]), "agents[0].starts"),
        (json!([{}, {"denied_calls": LARGEST + 1}]), "agents[1].denied_calls"),
        (json!(vec![json!({}); 17]), "agents"),
        (json!(["codex"]), "agents"),
        (json!({}), "agents"),
    ] {
        let error = debate.attempt("arguments", &claim(agents.clone())).await.refusal("INVALID_INPUT");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(named), "{agents}: {message}");
    }
    let long = json!([{"program": "é".repeat(101)}]);
    let error = debate.attempt("arguments", &claim(long)).await.refusal("CONTENT_TOO_LARGE");
    assert_eq!((&error["limit"], &error["actual"]), (&json!(100), &json!(101)));
    let most = vec![json!({"program": "é".repeat(100), "model": "😀".repeat(100), "seconds": LARGEST}); 16];
    debate.attempt("arguments", &claim(most.into())).await.data(201);
}

#[tokio::test]
async fn aw_names_its_host_and_does_not_tell_the_other_side() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let opponent = Agent::new(&server.url()).env("CLAUDECODE", "1");
    let submit =
        ["debate", "submit", "--debate-id", &debate.id, "--role", "opponent", "--target-id", "#1", "--content"];
    let written = opponent.run(&[&submit[..], &["First."]].concat()).await.data();
    assert_eq!(written["argument"].get("agents"), None);
    assert_eq!(debate.history().await[1]["agents"], json!([{"program": "claude-code"}]));
    let wait = ["debate", "wait", "--debate-id", &debate.id, "--role", "proposer", "--argument-id", "#1"];
    let heard = opponent.run(&wait).await.data();
    assert_eq!((&heard["argument"]["content"], heard["argument"].get("agents")), (&json!("First."), None));
    let agents = format!("[{}]", codex());
    let answer = ["debate", "submit", "--debate-id", &debate.id, "--role", "proposer", "--target-id", "#2", "--agents"];
    opponent.run(&[&answer[..], &[&agents, "--content", "Second."]].concat()).await.data();
    assert_eq!(debate.history().await[2]["agents"], json!([codex()]));
    let context = opponent.run(&["debate", "get-context", "--debate-id", &debate.id]).await;
    assert!(!context.stdout.contains("gpt-5"), "{}", context.stdout);
    let export = opponent.run(&["debate", "export", "--debate-id", &debate.id, "--format", "markdown"]).await;
    assert!(export.stdout.contains("Written by codex gpt-5, turn, 1200 tokens read"), "{}", export.stdout);
    let wrong = opponent.run(&[&answer[..], &["{}", "--content", "Third."]].concat()).await;
    wrong.failure(4, "INVALID_INPUT");
}
