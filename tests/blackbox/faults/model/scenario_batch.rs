//! Runs many random scenarios in parallel.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use tests::{client::Client, random::fault_factor};
use tokio::{
    runtime::{Builder, Runtime},
    task::JoinSet,
};

use super::{
    coverage::Coverage,
    scenario::{Difference, MAX_SHRINK_STEPS, run_random},
};

/// How many scenarios run in parallel.
const AT_ONCE: usize = 16;

/// The maximum number of steps of a scenario.
const MAX_STEPS: usize = 120;

/// The number of requests of a short run, and of a long run per unit of `AWEAVE_FAULTS`.
const SHORT_RUN: usize = 6_000;
const LONG_RUN: usize = 100_000;

/// The run may take this many times more requests to reach full coverage. A short one is not made much longer by what is rare.
const SHORT_MAX_FACTOR: usize = 4;
const LONG_MAX_FACTOR: usize = 40;

/// How many of the required outcomes may be missing after a short run. With random seeds 17 are, give or take 6: a run
/// does not fail by chance, and does where many outcomes no longer occur. Which those are tells a long run.
const MISSING_IN_SHORT_RUN: usize = 45;

/// A batch of scenarios.
struct Batch {
    servers: Vec<Client>,
    /// The seed of the next scenario
    next: AtomicU64,
    /// The minimum number of requests
    goal: usize,
    coverage: Mutex<Coverage>,
    /// Whether a scenario has failed
    failed: AtomicBool,
}

/// Runs scenarios with this seed and those after it until there were enough requests and everything required was
/// covered.
///
/// # Errors
/// The first scenario in which a server differs from the model.
pub async fn run_batch(seed: u64, servers: Vec<Client>) -> Result<Coverage, Box<Difference>> {
    let scenarios = Arc::new(Batch {
        servers,
        next: seed.into(),
        goal: if fault_factor() == 1 { SHORT_RUN } else { LONG_RUN * fault_factor() },
        coverage: Mutex::default(),
        failed: false.into(),
    });
    let mut threads = JoinSet::new();
    for _ in 0..AT_ONCE {
        let scenarios = scenarios.clone();
        threads.spawn_blocking(move || scenarios.run());
    }
    threads.join_all().await.into_iter().collect::<Result<(), _>>()?;
    let coverage = scenarios.coverage.lock().unwrap().clone();
    Ok(coverage)
}

/// How many of the required outcomes may be missing: the rarest in a short run, none in a long one.
pub fn may_be_missing() -> usize {
    if fault_factor() == 1 { MISSING_IN_SHORT_RUN } else { 0 }
}

/// The runtime of one thread.
pub fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

impl Batch {
    /// Runs one scenario after another.
    fn run(&self) -> Result<(), Box<Difference>> {
        let runtime = runtime();
        while !self.is_complete() {
            let seed = self.next.fetch_add(1, Ordering::Relaxed);
            let result = run_random(seed, MAX_STEPS, &self.servers, None, &runtime, MAX_SHRINK_STEPS);
            let covered = result.inspect_err(|_| self.failed.store(true, Ordering::Relaxed))?;
            self.coverage.lock().unwrap().add(covered);
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        let coverage = self.coverage.lock().unwrap();
        let all = coverage.requests >= self.goal && coverage.missing().is_empty();
        let max_factor = if fault_factor() == 1 { SHORT_MAX_FACTOR } else { LONG_MAX_FACTOR };
        all || coverage.requests >= max_factor * self.goal || self.failed.load(Ordering::Relaxed)
    }
}
