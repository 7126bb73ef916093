//! How many bytes an agent has to read and to write per turn.

use serde_json::json;
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
    assert_eq!([opponents, proposers], [(1160, 1442), (1160, 957)]);
    // In the format that the guides tell agents to read.
    let [opponents, proposers] = costs("markdown").await;
    assert_eq!([opponents, proposers], [(256, 675), (256, 355)]);
    let rounds = [proposers.0 + opponents.1, opponents.0 + proposers.1];
    assert!(rounds.iter().all(|round| *round <= 1_800), "a round of the proposer and of the opponent: {rounds:?}");
}

/// What a side says in a round besides the issues.
const TEXT: &str = "The plan has a new version.";

/// What the proposer and then the opponent make of the issues in a round: the change, the status in a table, and why.
const ROUND: [[(&str, &str, &str); 5]; 2] = [
    [
        ("fix", "resolved", "paid before the call, plan 3.1"),
        ("dispute", "rejected", "not so: queue.rs:88 locks first, test skips_locked"),
        ("fix", "resolved", "the lease is renewed every 10 s, plan 3.4"),
        ("fix", "resolved", "test limit_holds, plan 5.2"),
        ("fix", "resolved", "called jobs_denied everywhere, plan 4.2"),
    ],
    [
        ("resolve", "resolved", "checked in plan 3.1"),
        ("withdraw", "rejected", "queue.rs:88 does lock first"),
        ("reopen", "open", "still lost when the renewal fails, plan 3.4 has no retry"),
        ("resolve", "resolved", "checked in plan 5.2"),
        ("reopen", "open", "dashboards.json:7 still has the former name"),
    ],
];

/// The issues of a round as a table in the text.
fn table(issues: &[(&str, &str, &str)]) -> String {
    let rows = (1..).zip(issues).map(|(n, (_, status, why))| format!("| I{n} | {status} | {why} |\n"));
    format!("| issue | status | |\n|---|---|---|\n{}\n", rows.collect::<String>())
}

/// The issues of a round as options. What is resolved needs no reason.
fn options(issues: &[(&str, &str, &str)]) -> Vec<String> {
    let option = |(n, (change, _, why)): (u32, &(&str, &str, &str))| {
        let reason = if *change == "resolve" { String::new() } else { format!(": {why}") };
        [format!("--{change}"), format!("I{n}{reason}")]
    };
    (1..).zip(issues).flat_map(option).collect()
}

/// What the proposer and the opponent read, and what they write about the issues, in a round with five open issues.
async fn round(server: &Server, in_options: bool) -> [(usize, usize); 2] {
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let raised = ["critical", "high", "high", "medium", "low"]
        .map(|severity| json!({"change": "raise", "severity": severity, "title": "A fault"}));
    debate.claim_with("opponent", if in_options { json!(raised) } else { json!([]) }).await;
    let (mut read, mut written) = ([0, 0], [0, 0]);
    for (side, (role, other)) in [("proposer", "opponent"), ("opponent", "proposer")].into_iter().enumerate() {
        let (content, options) = if in_options {
            (TEXT.to_owned(), options(&ROUND[side]))
        } else {
            (table(&ROUND[side]) + TEXT, Vec::new())
        };
        let seen = debate.newest().to_owned();
        let markdown = ["--debate-id", &debate.id, "--format", "markdown"];
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let submit = ["debate", "submit", "--role", role, "--target-id", &seen, "--content", &content];
        let answer = agent.run(&[&submit[..], &markdown, &options].concat()).await;
        read[side] += answer.stdout.len();
        written[side] += content.len() - TEXT.len() + options.iter().map(|word| word.len() + 1).sum::<usize>();
        let id = answer.stdout.split(" --argument-id ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        debate.arguments.push(id.to_owned());
        let wait = ["debate", "wait", "--role", other, "--argument-id", &seen];
        let news = agent.run(&[&wait[..], &markdown].concat()).await;
        assert!(news.stdout.contains(TEXT), "{news:?}");
        read[1 - side] += news.stdout.len() - TEXT.len();
    }
    [(read[0], written[0]), (read[1], written[1])]
}

/// What a round cost in markdown when agents kept such tables by hand, before the server kept issues.
const BEFORE: [usize; 2] = [1873, 1875];

#[tokio::test]
async fn a_round_with_five_issues_costs_at_most_70_percent_of_what_it_cost_with_tables() {
    let server = Server::shared().await;
    let (in_options, in_tables) = (round(&server, true).await, round(&server, false).await);
    // What the proposer reads and writes, and what the opponent does.
    assert_eq!(in_tables, [(1243, 327), (953, 297)]);
    assert_eq!(in_options, [(1047, 245), (1023, 196)]);
    for ((read, written), before) in in_options.into_iter().zip(BEFORE) {
        assert!(10 * (read + written) <= 7 * before, "{read} and {written} of {before}");
    }
}
