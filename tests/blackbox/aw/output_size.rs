//! How many bytes of output an agent has to read per turn.

use tests::{
    cli::{Agent, Run},
    debate::{Debate, text},
    server::Server,
};

/// The length of the text that each side writes.
const WRITTEN: usize = 4_000;

/// The size of the output without the other side's text. Timestamps in JSON are counted with all digits.
fn cost(run: &Run, others: usize) -> usize {
    let size = run.stdout.len() - others;
    match serde_json::from_str::<serde_json::Value>(&run.stdout) {
        Ok(document) => {
            let argument = &document["content"][0]["data"]["argument"];
            size + "2026-01-31T10:00:00.123456Z".len() - text(&argument["created_at"]).len()
        }
        Err(_) => size,
    }
}

/// The output of `submit` and of the other side's `wait`, first for the opponent's claim, then for the proposer's.
async fn costs(format: &str) -> [(usize, usize); 2] {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let mut costs = [(0, 0); 2];
    for (turn, (role, other)) in [("opponent", "proposer"), ("proposer", "opponent")].into_iter().enumerate() {
        let mine = "m".repeat(WRITTEN);
        let seen = debate.newest().to_owned();
        let submit = ["debate", "submit", "--debate-id", &debate.id, "--role", role, "--target-id", &seen];
        let written = agent.run(&[&submit[..], &["--content", &mine, "--format", format]].concat()).await;
        let wait = ["debate", "wait", "--debate-id", &debate.id, "--role", other, "--argument-id", &seen];
        let heard = agent.run(&[&wait[..], &["--format", format]].concat()).await;
        costs[turn] = (cost(&written, 0), cost(&heard, WRITTEN));
        let stored = debate.stored().await;
        debate.arguments.push(text(&stored["arguments"][turn]["id"]));
    }
    costs
}

#[tokio::test]
async fn the_output_of_a_turn_has_a_fixed_size() {
    let [opponents, proposers] = costs("json").await;
    assert_eq!([opponents, proposers], [(1164, 1153), (1164, 848)]);
    // In the format that the guides tell agents to read.
    let [opponents, proposers] = costs("markdown").await;
    assert_eq!([opponents, proposers], [(343, 737), (343, 417)]);
    let rounds = [proposers.0 + opponents.1, opponents.0 + proposers.1];
    assert!(rounds.iter().all(|round| *round <= 1_800), "a round of the proposer and of the opponent: {rounds:?}");
}
