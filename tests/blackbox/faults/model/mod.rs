//! Random scenarios of valid and invalid requests run at real servers and in a model. Every response must be the same
//! on every store.
//!
//! The model is in `model_server.rs` and the modules that it uses. It is written from the API contract only. On
//! PostgreSQL the scenarios run at a SQLite server as well, so that the error messages of both can be compared. The
//! control tests use a model with a mistake, which must be found and shrunk to a few steps.

mod change_builder;
mod change_mutations;
mod coverage;
mod expected_response;
mod field_rules;
mod hash_chain;
mod issue_coverage;
mod issue_rules;
mod model_citations;
mod model_debate;
mod model_document;
pub mod model_issues;
mod model_request;
mod model_server;
mod mutations;
mod request_builder;
mod runner;
mod scenario;
mod scenario_batch;
mod scenario_steps;

use std::time::Instant;

use rstest::rstest;
use tests::{
    client::Client,
    random::seed,
    report::report,
    server::{Server, Settings},
    store::Backend,
};

use self::{
    field_rules::{MAX_CONTENT, MAX_DOCUMENT},
    model_request::{AGENTS, ARBITRATOR},
    model_server::Mistake,
    scenario::run_random,
    scenario_batch::{run_batch, runtime},
};

/// The maximum length of a shrunk scenario, and of a random one.
const MAX_STEPS: usize = 8;
const SCENARIO_LENGTH: usize = 30;

/// The number of scenarios within which a mistake must be found.
const MAX_SCENARIOS: u64 = 20_000;

/// The servers under test: one, and on PostgreSQL a second one on SQLite.
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
async fn real_servers_respond_like_the_model_on_every_store() {
    let (seed, start) = (seed(), Instant::now());
    let servers = servers().await;
    let coverage = run_batch(seed, callers(&servers)).await.unwrap_or_else(|different| panic!("{different}"));
    assert_eq!(coverage.missing(), [""; 0], "outcomes that never occurred");
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
#[case(Mistake::IgnoresBlockingIssues)]
#[case(Mistake::KeepsReferred)]
#[case(Mistake::KeepsTheDeletedListed)]
#[case(Mistake::LetsTheOpponentGoOn)]
#[case(Mistake::TakesSeveralLate)]
#[case(Mistake::TellsOwnArguments)]
#[tokio::test]
async fn control_a_model_with_a_mistake_is_detected_in_a_few_steps(#[case] mistake: Mistake) {
    let (seed, servers) = (seed(), servers().await);
    let clients = callers(&servers);
    let found = tokio::task::spawn_blocking(move || {
        let runtime = runtime();
        let scenario = |n| run_random(seed.wrapping_add(n), SCENARIO_LENGTH, &clients, Some(mistake), &runtime);
        (0..MAX_SCENARIOS).find_map(|n| scenario(n).err())
    });
    let difference = found.await.unwrap().expect("the mistake is detected");
    assert!(difference.scenario.len() <= MAX_STEPS, "{difference}");
}
