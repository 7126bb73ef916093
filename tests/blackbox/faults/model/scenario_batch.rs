//! Very many scenarios, many of them told at once.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use tests::{random::fault_factor, client::Client};
use tokio::{
    runtime::{Builder, Runtime},
    task::JoinSet,
};

use super::{
    scenario::{Difference, run_random},
    coverage::Coverage,
};

/// How many scenarios are told at once.
const AT_ONCE: usize = 64;

/// How many steps a scenario has at most.
const LONGEST: usize = 120;

/// How many requests there are in a short run, and in a long one for each `AWEAVE_FAULTS`.
const SHORT: usize = 6_000;
const LONG: usize = 100_000;

/// By how many times that may be exceeded until everything was seen that has to be.
const AT_MOST: usize = 20;

/// Batch that are being told.
struct Batch {
    servers: Vec<Client>,
    /// What the next one comes from
    next: AtomicU64,
    /// How many requests there have to be
    goal: usize,
    coverage: Mutex<Coverage>,
    /// Whether one was told differently
    found: AtomicBool,
}

/// Has scenarios told that come from this number and those after it until there were enough, and gives what was seen.
///
/// # Errors
/// One that is told differently.
pub async fn run_batch(seed: u64, servers: Vec<Client>) -> Result<Coverage, Box<Difference>> {
    let scenarios = Arc::new(Batch {
        servers,
        next: seed.into(),
        goal: if fault_factor() == 1 { SHORT } else { LONG * fault_factor() },
        coverage: Mutex::default(),
        found: false.into(),
    });
    let mut telling = JoinSet::new();
    for _ in 0..AT_ONCE {
        let scenarios = scenarios.clone();
        telling.spawn_blocking(move || scenarios.tell());
    }
    telling.join_all().await.into_iter().collect::<Result<(), _>>()?;
    let coverage = scenarios.coverage.lock().unwrap().clone();
    Ok(coverage)
}

/// What one thread tells scenarios on.
pub fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

impl Batch {
    /// Tells one after another.
    fn tell(&self) -> Result<(), Box<Difference>> {
        let runtime = runtime();
        while !self.are_enough() {
            let seed = self.next.fetch_add(1, Ordering::Relaxed);
            let told = run_random(seed, LONGEST, &self.servers, None, &runtime);
            let seen = told.inspect_err(|_| self.found.store(true, Ordering::Relaxed))?;
            self.coverage.lock().unwrap().add(seen);
        }
        Ok(())
    }

    fn are_enough(&self) -> bool {
        let coverage = self.coverage.lock().unwrap();
        let all = coverage.requests >= self.goal && coverage.missing().is_empty();
        all || coverage.requests >= AT_MOST * self.goal || self.found.load(Ordering::Relaxed)
    }
}
