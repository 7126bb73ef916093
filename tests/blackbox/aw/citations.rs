//! Warnings of citations, commands that print what is cited, and `aw docs list --debate-id`.

use serde_json::json;
use tests::{
    cli::Agent,
    debate::{Debate, text},
    document::Document,
    issue_changes::raise,
    mcp::McpClient,
    request_bodies,
    server::Server,
};

#[tokio::test]
async fn aw_warns_of_what_does_not_exist_and_of_what_the_opponent_has_not_seen() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let plan = Document::create(&server.client()).await;
    let [first, second, third] = [1, 2, 3].map(|version| format!("doc_id={} v{version}", plan.id));
    let id = tests::ids::fresh();
    let create = ["debate", "create", "--debate-id", &id, "--title", "T", "--type", "general_debate", "--content"];
    let content = format!("{first} {second}");
    let created = agent.run(&[&create[..], &[content.as_str()]].concat()).await.document();
    let warning = text(&created["metadata"]["warning"]);
    assert!(warning.contains(&second) && !warning.contains(&first), "{warning}");

    plan.submit(&request_bodies::document("Two.")).await;
    let submit =
        ["debate", "submit", "--debate-id", &id, "--role", "opponent", "--target-id", "#1", "--content", &first];
    let claimed = agent.run(&submit).await.document();
    assert_eq!(claimed["metadata"].get("warning"), None, "{claimed}");

    let completion = ["debate", "request-completion", "--debate-id", &id, "--target-id", "#2", "--content"];
    let content = format!("{first} {second} {third}");
    let asked = agent.run(&[&completion[..], &[content.as_str(), "--format", "markdown"]].concat()).await;
    let line = asked.stdout.lines().find(|line| line.starts_with("**Warning: ")).unwrap_or_default().to_owned();
    let (unknown, unseen) = line.split_once("; no argument").unwrap_or_else(|| panic!("{}", asked.stdout));
    assert!(unknown.contains(&third) && !unknown.contains(&second), "{line}");
    assert!(unseen.contains(&second) && !unseen.contains(&first) && !unseen.contains(&third), "{line}");
}

#[tokio::test]
async fn docs_list_can_be_narrowed_to_what_a_debate_cites() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let (plan, _other) = (Document::create(&server.client()).await, Document::create(&server.client()).await);
    let content = format!("doc_id={} v1", plan.id);
    let body = request_bodies::with(request_bodies::creation(), "motion_content", content);
    let debate = Debate::create_with(&server.client(), &body).await;
    for id in [debate.id.as_str(), &debate.id[..30]] {
        let run = agent.run(&["docs", "list", "--debate-id", id]).await;
        let documents = run.data()["documents"].as_array().unwrap().clone();
        assert_eq!(documents.iter().map(|one| text(&one["id"])).collect::<Vec<_>>(), [plan.id.as_str()]);
        assert_eq!((&run.document()["total_count"], &run.document()["has_more"]), (&1.into(), &false.into()));
    }
    agent.run(&["docs", "list", "--debate-id", &tests::ids::fresh()]).await.failure(2, "DEBATE_NOT_FOUND");
    agent.run(&["docs", "list", "--debate-id", "x"]).await.failure(4, "INVALID_INPUT");
}

/// `metadata.also` of what `aw debate` prints, with names for the ids of the debate and the plan.
async fn also(agent: &Agent, args: &str, debate: &str, plan: &str) -> Vec<String> {
    let args = format!("debate {args} --debate-id {debate}");
    let document = agent.run(&args.split(' ').collect::<Vec<_>>()).await.document();
    let commands = document["metadata"]["also"].as_array().cloned().unwrap_or_default();
    commands.iter().map(|command| text(command).replace(debate, "DEBATE").replace(plan, "PLAN")).collect()
}

#[tokio::test]
async fn a_reader_is_led_to_what_is_cited_for_the_first_time() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let plan = Document::create(&server.client()).await;
    for content in ["Two.", "Three."] {
        plan.submit(&request_bodies::document(content)).await;
    }
    let cited = |version: u8| format!("doc_id={} v{version}", plan.id);
    let body = request_bodies::with(request_bodies::creation(), "motion_content", cited(1));
    let mut debate = Debate::create_with(&server.client(), &body).await;
    let id = debate.id.clone();
    let expected = ["aw docs get PLAN --version 1"];
    assert_eq!(also(&agent, "wait --role opponent", &id, &plan.id).await, expected);
    assert_eq!(also(&agent, "get-context --role opponent", &id, &plan.id).await, expected);

    let claim = |role: &str, target: &str, content: String| {
        request_bodies::with(request_bodies::claim(role, target), "content", content)
    };
    debate.write("arguments", &claim("opponent", debate.newest(), format!("Not {}.", cited(1)))).await;
    let known = also(&agent, "wait --role proposer --argument-id #1", &id, &plan.id).await;
    assert!(known.iter().all(|command| command.starts_with("aw debate ")), "{known:?}");
    let claimed = debate.newest().to_owned();
    debate.write("arguments", &claim("proposer", debate.newest(), cited(3))).await;
    let expected = ["aw docs diff PLAN --from 1 --to 3"];
    let wait = format!("wait --role opponent --argument-id {claimed}");
    assert_eq!(also(&agent, &wait, &id, &plan.id).await, expected);
    assert_eq!(also(&agent, "get-context --role opponent", &id, &plan.id).await, expected);
    let run = agent.shell(&expected[0].replace("PLAN", &plan.id)).await;
    assert!(run.stdout.contains("-One.\n") && run.stdout.contains("+Three."), "{run:?}");
}

#[tokio::test]
async fn the_arbitrator_is_led_to_the_plan_its_changes_and_the_issues_of_a_request_to_finish() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let plan = Document::create(&server.client()).await;
    for content in ["Two.", "Three."] {
        plan.submit(&request_bodies::document(content)).await;
    }
    let cited = |version: u8| format!("doc_id={} v{version}", plan.id);
    let body = request_bodies::with(request_bodies::creation(), "motion_content", cited(1));
    let mut debate = Debate::create_with(&server.client(), &body).await;
    let id = debate.id.clone();
    debate.claim_with("opponent", json!([raise("low", "One")])).await;
    let second = request_bodies::with(request_bodies::claim("proposer", debate.newest()), "content", cited(2));
    debate.write("arguments", &second).await;
    // More than get-context shows at once.
    for _ in 0..6 {
        debate.claim("opponent").await;
        debate.claim("proposer").await;
    }
    debate.claim("opponent").await;
    let end = request_bodies::with(request_bodies::answer_to(debate.newest()), "content", cited(3));
    let asked = debate.newest().to_owned();
    debate.write("resolution", &end).await;
    let expected = [
        "aw docs get PLAN --version 3",
        "aw docs diff PLAN --from 1 --to 3",
        "aw docs diff PLAN --from 2 --to 3",
        "aw debate issues --debate-id DEBATE --all",
    ];
    let wait = format!("wait --role arbitrator --argument-id {asked}");
    for args in
        ["get-context --role arbitrator", "get-context --limit 0 --role arbitrator", "wait --role arbitrator", &wait]
    {
        let led = also(&agent, args, &id, &plan.id).await;
        assert_eq!(led[..4], expected, "{args}");
    }
    let page = ["debate", "get-context", "--role", "arbitrator", "--format", "markdown", "--debate-id", &id];
    let page = agent.run(&page).await.stdout.replace(&plan.id, "PLAN");
    assert!(page.contains(&format!("Read first:\n\n```\n{}\n", expected[..3].join("\n"))), "{page}");
    for command in expected {
        agent.shell(&command.replace("PLAN", &plan.id).replace("DEBATE", &id)).await;
    }
    debate.rule(false).await;
    assert!(also(&agent, "get-context --role arbitrator", &id, &plan.id).await.is_empty());
}

#[tokio::test]
async fn the_arbitrator_is_led_to_what_else_the_sides_cite_since_the_last_ruling() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let client = server.client();
    let [plan, data, old] = [(); 3].map(|()| Document::create(&client));
    let (plan, data, old) = (plan.await, data.await, old.await);
    data.submit(&request_bodies::document("Two.")).await;
    let cites = |document: &Document, version: u8| format!("doc_id={} v{version}", document.id);
    let both = format!("{} {}", cites(&plan, 1), cites(&old, 1));
    let body = request_bodies::with(request_bodies::creation(), "motion_content", both);
    let mut debate = Debate::create_with(&server.client(), &body).await;
    let id = debate.id.clone();
    let [data_read, old_read] =
        [(&data, 2), (&old, 1)].map(|(document, version)| format!("aw docs get {} --version {version}", document.id));
    let led = async |limit: &str| {
        let commands = [format!("get-context --role arbitrator{limit}"), "wait --role arbitrator".to_owned()];
        let mut found = Vec::new();
        for command in commands {
            let mut all = also(&agent, &command, &id, &plan.id).await;
            all.retain(|one| !one.starts_with("aw debate ruling"));
            found.push(all);
        }
        assert_eq!(found[0], found[1], "{limit}");
        found.remove(0)
    };
    // Before any ruling, what the motion cites counts, too.
    let claim = request_bodies::with(request_bodies::claim("opponent", debate.newest()), "content", cites(&data, 1));
    debate.write("arguments", &claim).await;
    let appeal = request_bodies::with(request_bodies::answer_to(debate.newest()), "content", cites(&data, 2));
    debate.write("appeal", &request_bodies::with(appeal, "options", json!([{"label": "A"}]))).await;
    for limit in ["", " --limit 0", " --limit 1"] {
        assert_eq!(led(limit).await, [data_read.clone(), old_read.clone()], "{limit}");
    }
    let mut mcp = McpClient::start(&agent, &["--role", "arbitrator", "--debate-id", &id]).await;
    let told = mcp.request("tools/call", json!({"name": "debate_get_context", "arguments": {}})).await.to_string();
    assert!(told.contains(&format!(r#""document_id":"{}","version":2"#, data.id)), "{told}");
    debate.rule(false).await;
    // After it only what came since.
    debate.intervene().await;
    assert!(led("").await.is_empty());
    debate.rule(false).await;
    let claim = request_bodies::with(request_bodies::claim("proposer", debate.newest()), "content", cites(&data, 2));
    debate.write("arguments", &claim).await;
    debate.intervene().await;
    assert_eq!(led("").await, std::slice::from_ref(&data_read), "an intervention");
    debate.rule(false).await;
    let claim = request_bodies::with(request_bodies::claim("proposer", debate.newest()), "content", cites(&plan, 1));
    debate.write("arguments", &claim).await;
    debate.claim("opponent").await;
    let end = request_bodies::with(request_bodies::answer_to(debate.newest()), "content", cites(&data, 2));
    debate.write("resolution", &end).await;
    assert_eq!(led(" --limit 0").await, ["aw docs get PLAN --version 1".to_owned(), data_read], "a request to finish");
}
