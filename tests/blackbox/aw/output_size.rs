//! How many bytes of output an agent has to read per turn.

use tests::{
    cli::{Agent, Run},
    debate::{Debate, text},
    server::Server,
};

/// The size of the output without the other side's text. Timestamps are counted with all digits.
fn cost(run: &Run, others: usize) -> usize {
    let document = run.document();
    let data = &document["content"][0]["data"];
    let written = text(&data["argument"]["created_at"]);
    run.stdout.len() - others + "2026-01-31T10:00:00.123456Z".len() - written.len()
}

#[tokio::test]
async fn the_output_of_a_turn_has_a_fixed_size() {
    const THEIRS: usize = 4_000;
    let server = Server::shared().await;
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
    // The output of `submit` and of `wait`, for the opponent and for the proposer.
    assert_eq!(costs, [(1164, 1153), (1164, 848)]);
}
