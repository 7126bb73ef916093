//! The same random scenarios, legal and illegal moves alike, told by the contract in a few lines and by real servers: each
//! answer is the same, whichever store a server has.
//!
//! The contract is in `contract.rs` and what it uses; it knows nothing of the product but what clients are told. On
//! PostgreSQL a server on SQLite tells the same scenarios beside, so that the servers' own words are compared as well.
//! Each control is a contract with a mistake, which has to be found out and told in a few steps.

mod coverage;
mod expected_response;
mod field_rules;
mod hash_chain;
mod model_debate;
mod model_document;
mod model_request;
mod model_server;
mod moves;
mod mutations;
mod request_builder;
mod runner;
mod scenario;
mod scenario_batch;

use std::time::Instant;

use rstest::rstest;
use tests::{
    random::seed, report::report,
    client::Client,
    server::{Server, Settings},
    store::Backend,
};

use self::{
    model_server::Mistake,
    field_rules::{MAX_CONTENT, MAX_DOCUMENT},
    model_request::{AGENTS, ARBITRATOR},
    scenario_batch::{run_batch, runtime},
    scenario::run_random,
};

/// How many steps tell of a mistake at most, of the most that a scenario has here.
const MAX_STEPS: usize = 8;
const SCENARIO_LENGTH: usize = 30;

/// How many scenarios are tried until a mistake has to be found out: some take a rare turn to be seen.
const MAX_SCENARIOS: u64 = 20_000;

/// The servers that tell: one, and on PostgreSQL one on SQLite beside it.
async fn servers() -> Vec<Server> {
    let settings = Settings::new().env("DEBATE_AUTH_TOKEN", AGENTS).env("DEBATE_ARBITRATOR_TOKEN", ARBITRATOR);
    let settings = settings.args(&["--max-content-bytes", &MAX_CONTENT.to_string()]);
    let settings = settings.args(&["--max-document-bytes", &MAX_DOCUMENT.to_string()]);
    let mut servers = vec![Server::with(settings.clone()).await];
    if Backend::of_this_binary() == Backend::Postgres {
        servers.push(Server::on_backend(Backend::Sqlite, settings).await);
    }
    servers
}

fn callers(servers: &[Server]) -> Vec<Client> {
    servers.iter().map(Server::client).collect()
}

#[tokio::test]
async fn a_story_is_told_alike_by_the_contract_and_by_every_store() {
    let (seed, start) = (seed(), Instant::now());
    let servers = servers().await;
    let coverage = run_batch(seed, callers(&servers)).await.unwrap_or_else(|different| panic!("{different}"));
    assert_eq!(coverage.missing(), [""; 0], "never seen");
    for server in &servers {
        for (state, count) in &coverage.debates {
            let path = format!("/debates?state={state}&limit=1");
            let listed = server.client().with_token(AGENTS).get(&path).await.data(200);
            assert_eq!(listed["total"], *count, "{state}");
        }
        let (fine, said) = server.verify();
        assert!(fine, "{said}");
    }
    report(&format!(
        "{} requests to each of {} servers, {} kinds of answers, in {:?}, AWEAVE_SEED={seed}",
        coverage.requests,
        servers.len(),
        coverage.kinds(),
        start.elapsed(),
    ));
}

#[rstest]
#[case(Mistake::ForgetsRequests)]
#[case(Mistake::KeepsTheDeletedListed)]
#[case(Mistake::LetsTheOpponentGoOn)]
#[case(Mistake::TakesSeveralLate)]
#[case(Mistake::TellsOwnArguments)]
#[tokio::test]
async fn a_contract_with_a_mistake_is_found_out_in_a_few_steps(#[case] mistake: Mistake) {
    let (seed, servers) = (seed(), servers().await);
    let clients = callers(&servers);
    let told = tokio::task::spawn_blocking(move || {
        let runtime = runtime();
        let scenario = |n| run_random(seed.wrapping_add(n), SCENARIO_LENGTH, &clients, Some(mistake), &runtime);
        (0..MAX_SCENARIOS).find_map(|n| scenario(n).err())
    });
    let found = told.await.unwrap().expect("nobody noticed");
    assert!(found.scenario.len() <= MAX_STEPS, "{found}");
}
