//! Random scenarios of valid and invalid requests run at real servers and in a model. Every response must be the same
//! on every store.
//!
//! The model is in `model_server.rs` and the modules that it uses. It is written from the API contract only. On
//! PostgreSQL the scenarios run at a SQLite server as well, so that the error messages of both can be compared. The
//! control tests in `model_controls.rs` use a model with a mistake, which must be found and shrunk to a few steps.

mod agent_rules;
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
mod model_moves;
mod model_plan;
mod model_request;
pub mod model_server;
mod mutations;
mod request_builder;
mod runner;
pub mod scenario;
pub mod scenario_batch;
mod scenario_steps;

use std::time::Instant;

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
    scenario_batch::{may_be_missing, run_batch},
};

/// The servers under test: one, and on PostgreSQL a second one on SQLite.
pub async fn servers() -> Vec<Server> {
    let settings = Settings::new().env("DEBATE_AUTH_TOKEN", AGENTS).env("DEBATE_ARBITRATOR_TOKEN", ARBITRATOR);
    let settings = settings.args(&["--max-content-bytes", &MAX_CONTENT.to_string()]);
    let settings = settings.args(&["--max-document-bytes", &MAX_DOCUMENT.to_string()]);
    let mut servers = vec![Server::with(settings.clone()).await];
    if Backend::of_this_binary() == Backend::Postgres {
        servers.push(Server::on_backend(Backend::Sqlite, settings).await);
    }
    servers
}

pub fn callers(servers: &[Server]) -> Vec<Client> {
    servers.iter().map(Server::client).collect()
}

#[tokio::test]
async fn real_servers_respond_like_the_model_on_every_store() {
    let (seed, start) = (seed(), Instant::now());
    let servers = servers().await;
    let coverage = run_batch(seed, callers(&servers)).await.unwrap_or_else(|different| panic!("{different}"));
    let missing = coverage.missing();
    assert!(missing.len() <= may_be_missing(), "{} outcomes never occurred: {missing:?}", missing.len());
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
        "{} requests to each of {} servers, {} kinds of answers, {} missing, in {:?}, AWEAVE_SEED={seed}",
        coverage.requests,
        servers.len(),
        coverage.kinds(),
        missing.len(),
        start.elapsed(),
    ));
}
