//! The comparison of servers with the model finds mistakes: a model with one differs, and its scenario is shrunk to a few steps.
//!
//! The scenarios are always the same. The number of the first one is a little below that of the one in which the mistake
//! shows: what is tested is that it is noticed and shrunk, not how long random choices take to get there. A short run
//! shrinks only the two that take the least time.

use std::time::Instant;

use rstest::rstest;
use tests::{client::Client, random::fault_factor, report::report};

use super::model::{
    callers,
    model_server::Mistake,
    scenario::{MAX_SHRINK_STEPS, run_random},
    scenario_batch::runtime,
    servers,
};

/// The maximum length of a shrunk scenario, and of a random one.
const MAX_STEPS: usize = 8;
const SCENARIO_LENGTH: usize = 30;

/// The number of scenarios within which a mistake must be found.
const MAX_SCENARIOS: u64 = 20_000;

#[rstest]
#[case(Mistake::ForgetsRequests, 60, false)]
#[case(Mistake::IgnoresBlockingIssues, 95, false)]
#[case(Mistake::KeepsReferred, 90, false)]
#[case(Mistake::KeepsTheDeletedListed, 250, true)]
#[case(Mistake::LetsTheOpponentGoOn, 470, false)]
#[case(Mistake::TakesSeveralLate, 2_360, true)]
#[case(Mistake::TellsOwnArguments, 10, false)]
#[tokio::test]
async fn a_model_with_a_mistake_is_detected(
    #[case] mistake: Mistake,
    #[case] first: u64,
    #[case] is_soon_shrunk: bool,
) {
    let shrinks = is_soon_shrunk || fault_factor() > 1;
    let start = Instant::now();
    let (servers, others) = (servers().await, servers().await);
    let (clients, other_clients) = (callers(&servers), callers(&others));
    let found = tokio::task::spawn_blocking(move || {
        let runtime = runtime();
        let shrink_steps = if shrinks { MAX_SHRINK_STEPS } else { 0 };
        let scenario =
            |n, clients: &[Client], mistake| run_random(n, SCENARIO_LENGTH, clients, mistake, &runtime, shrink_steps);
        let difference = (first..first + MAX_SCENARIOS).find_map(|n| scenario(n, &clients, Some(mistake)).err())?;
        scenario(difference.seed, &other_clients, None).expect("without the mistake there is no difference");
        Some(difference)
    });
    let difference = found.await.unwrap().expect("the mistake is detected");
    assert!(!shrinks || difference.scenario.len() <= MAX_STEPS, "{difference}");
    report(&format!("{mistake:?}: scenario {}, {:?}", difference.seed, start.elapsed()));
}
