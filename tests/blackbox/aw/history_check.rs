//! `aw` warns when a history does not continue the one it saw before.

use serde_json::Value;
use tests::{
    cli::Agent,
    debate::Debate,
    server::{Server, Settings},
};

async fn context(agent: &Agent, debate: &Debate) -> Value {
    let run = agent.run(&["debate", "get-context", "--debate-id", &debate.id]).await;
    run.data();
    run.document()
}

#[tokio::test]
async fn a_changed_history_causes_a_warning() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let mut debate = Debate::create(&server.client()).await;
    let agent = Agent::new(&server.url());
    debate.claim("opponent").await;
    // A copy of the database to restore later.
    server.terminate();
    server.wait_for_exit().await;
    let path = server.store().path().to_owned();
    let before = std::fs::read(&path).expect("the database is there");
    server.restart().await;
    debate.claim("proposer").await;
    let seen = context(&agent, &debate).await;
    assert!(seen["metadata"].get("warning").is_none(), "{seen}");
    assert!(!seen.to_string().contains("\"hash\""), "{seen}");
    debate.claim("opponent").await;
    let seen = context(&agent, &debate).await;
    assert!(seen["metadata"].get("warning").is_none(), "{seen}");

    // The restored database lacks two arguments, and others are written instead.
    server.terminate();
    server.wait_for_exit().await;
    std::fs::write(&path, before).expect("the database can be written");
    server.restart().await;
    let warning = |seen: &Value| seen["metadata"]["warning"].as_str().unwrap_or_default().to_owned();
    let short = context(&agent, &debate).await;
    assert!(warning(&short).contains("2 arguments"), "{short}");
    debate.arguments.truncate(2);
    for role in ["proposer", "opponent", "proposer"] {
        debate.claim(role).await;
    }
    let other = context(&agent, &debate).await;
    assert!(warning(&other).contains("was changed"), "{other}");
    assert!(server.verify().0, "verify cannot notice a history that was rewritten as a whole");
    // An agent that sees the debate for the first time cannot notice.
    let newcomer = context(&Agent::new(&server.url()), &debate).await;
    assert_eq!(warning(&newcomer), "");
}
