//! `aw debate search`.

use serde_json::json;
use tests::{
    cli::Agent,
    debate::{Debate, text},
    issue_changes::{change, raise},
    request_bodies::{self, with},
    server::Server,
    stub_server::{Reply, StubServer},
};

#[tokio::test]
async fn earlier_rulings_are_found_in_json_and_in_markdown_with_what_cites_them() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("high", "A pool per shard")])).await;
    debate.appeal_with(json!([change("refer", "I1")])).await;
    let ruling = with(request_bodies::decision(), "content", "One pool for ALL shards.");
    debate.write("ruling", &ruling).await;

    let found = agent.run(&["debate", "search", "Pool"]).await;
    let hits = found.data()["hits"].as_array().unwrap().clone();
    assert_eq!(hits.iter().map(|hit| text(&hit["kind"])).collect::<Vec<_>>(), ["ruling", "issue"]);
    assert_eq!((&found.document()["total_count"], &found.document()["has_more"]), (&json!(2), &json!(false)));
    let page = agent.run(&["debate", "search", "all SHARDS", "--format", "markdown"]).await.stdout;
    let cited = format!("debate={} #4", debate.id);
    assert!(page.contains(&cited) && page.contains("> One pool for ALL shards."), "{page}");

    let one = agent.run(&["debate", "search", "pool", "--kind", "issue", "--kind", "argument", "--limit", "1"]).await;
    assert_eq!((&one.data()["hits"][0]["issue"], &one.document()["total_count"]), (&json!("I1"), &json!(1)));
    agent.run(&["debate", "search", ""]).await.failure(4, "INVALID_INPUT");
    agent.run(&["debate", "search", "pool", "--kind", "claim"]).await.failure(4, "INVALID_INPUT");
    agent.run(&["debate", "search"]).await.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn what_was_not_looked_at_is_said_with_what_to_do_about_it() {
    let found = |complete: bool| json!({"hits": [], "total": 0, "complete": complete});
    let (some, all) = (vec![Reply::Succeed(200, found(false))], vec![Reply::Succeed(200, found(true))]);
    let (some, all) = (StubServer::start(some).await, StubServer::start(all).await);
    let search = ["debate", "search", "the pool"];
    let told = Agent::new(&some.url()).run(&search).await;
    let message = text(&told.document()["metadata"]["message"]);
    assert_eq!(told.data()["complete"], false);
    assert!(message.contains("Not all texts were looked at") && message.contains("longer words"), "{message}");
    let page = Agent::new(&some.url()).run(&[&search[..], &["--format", "markdown"]].concat()).await.stdout;
    assert!(page.contains("Not all texts were looked at"), "{page}");
    let message = text(&Agent::new(&all.url()).run(&search).await.document()["metadata"]["message"]);
    assert!(!message.contains("Not all texts"), "{message}");
}
