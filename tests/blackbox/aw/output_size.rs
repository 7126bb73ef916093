//! What taking part costs an agent, in bytes that it has to read.

use tests::{
    cli::{Agent, Run},
    debate::{Debate, text},
    server::Server,
};

/// What a document costs besides the text of the other side. Times are counted in full length, since they may be shorter.
fn cost(run: &Run, others: usize) -> usize {
    let document = run.document();
    let data = &document["content"][0]["data"];
    let written = text(&data["argument"]["created_at"]);
    run.stdout.len() - others + "2026-01-31T10:00:00.123456Z".len() - written.len()
}

#[tokio::test]
async fn a_round_costs_each_side_what_it_always_did() {
    const THEIRS: usize = 4_000;
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let mut costs = Vec::new();
    for role in ["opponent", "proposer"] {
        let mine = "m".repeat(THEIRS);
        let submit = ["debate", "submit", "--debate-id", &debate.id, "--role", role, "--target-id", debate.newest()];
        let written = agent.run(&[&submit[..], &["--content", &mine]].concat()).await;
        debate.arguments.push(text(&written.data()["argument"]["id"]));
        let other = if role == "opponent" { "proposer" } else { "opponent" };
        let seen = &debate.arguments[debate.arguments.len() - 2];
        let wait = ["debate", "wait", "--debate-id", &debate.id, "--role", other, "--argument-id", seen];
        let heard = agent.run(&wait).await;
        costs.push((cost(&written, 0), cost(&heard, THEIRS)));
    }
    // What is written, and what is heard, by the opponent and then by the proposer.
    assert_eq!(costs, [(945, 834), (945, 834)]);
}
