//! Warnings of citations, and `aw docs list --debate-id`.

use tests::{
    cli::Agent,
    debate::{Debate, text},
    document::Document,
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
