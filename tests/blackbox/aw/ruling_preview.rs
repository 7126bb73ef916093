//! `aw debate ruling --dry-run`.

use serde_json::json;
use tests::{
    cli::Agent,
    debate::{Debate, text},
    issue_changes::{change, raise},
    server::Server,
};

#[tokio::test]
async fn a_dry_run_of_a_ruling_says_what_would_follow_and_stores_nothing() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("high", "No limit"), raise("low", "A name")])).await;
    debate.appeal_with(json!([change("refer", "I1")])).await;
    let before = debate.stored().await;
    let ruling = ["debate", "ruling", "--debate-id", &debate.id, "--client-request-id", "once"];
    let ruling = [&ruling[..], &["--dismiss", "I1", "--content", "It is bounded elsewhere."]].concat();
    let dry_run = [&ruling[..], &["--dry-run"]].concat();

    let told = agent.run(&dry_run).await;
    let message = text(&told.document()["metadata"]["message"]);
    assert!(message.contains("Nothing is stored") && message.contains("AWAITING_PROPOSER"), "{message}");
    assert!(message.contains("dismissed I1"), "{message}");
    assert_eq!(told.data()["issue_counts"]["blocking"], 0);
    assert!(told.data()["turns"].as_array().is_some_and(|turns| turns.len() == 3), "{told:?}");
    assert_eq!(debate.stored().await, before);

    // A refusal is that of the ruling itself, and leads on like it.
    let unknown = agent.run(&[&dry_run[..], &["--uphold", "I9"]].concat()).await;
    unknown.failure(4, "INVALID_INPUT");
    assert_eq!(debate.stored().await, before);

    // Its request id is free, and the ruling does what was told.
    let stored = agent.run(&ruling).await;
    assert_eq!(stored.data()["debate_state"], told.data()["debate_state"]);
    assert_eq!(debate.issues("").await["counts"], told.data()["issue_counts"]);
}
