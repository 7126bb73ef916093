//! Model checks of the hand-written concurrency with Shuttle: the wake-ups of waiters, and the write queue.
//!
//! The server's own files are compiled once more here, with the locks and channels of [`locks_and_channels`], which let another task run
//! before each operation. Small scenarios run in every order of their tasks; larger ones in many orders, some at random
//! and some with few context switches. `AWEAVE_FAULTS` multiplies the number of orders, `AWEAVE_SEED` repeats a run.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed, and says where"
)]

mod fixtures;
mod locks_and_channels;
mod waiting;
mod writing;

#[path = "../../src/store/batch_limits.rs"]
mod batch_limits;
#[path = "../../src/store/batch_queue.rs"]
#[expect(dead_code, reason = "only the server uses all of it")]
mod batch_queue;
#[path = "../../src/app/notifier/mod.rs"]
#[expect(dead_code, reason = "the server uses more of it")]
mod notifier;

use api::{domain, store};
use shuttle::{
    Config, Runner,
    scheduler::{DfsScheduler, PctScheduler, RandomScheduler, Scheduler},
};
use tests::{
    random::{fault_factor, seed},
    report::report,
};

/// The number of orders that each scheduler runs.
const ORDERS: usize = 1_000;

/// The most context switches at bad moments in one order.
const MAX_CONTEXT_SWITCHES: usize = 4;

/// Runs a scenario in many orders, some at random and some with few context switches.
fn in_many_orders(what: &str, scenario: impl Fn() + Send + Sync + Copy + 'static) {
    let (seed, orders) = (seed(), ORDERS * fault_factor());
    run(RandomScheduler::new_from_seed(seed, orders), scenario);
    run(PctScheduler::new_from_seed(seed, MAX_CONTEXT_SWITCHES, orders), scenario);
    report(&format!("{what}: {} orders, AWEAVE_SEED={seed}", 2 * orders));
}

/// Runs a scenario in every possible order.
fn in_every_order(what: &str, scenario: impl Fn() + Send + Sync + 'static) {
    let tried = run(DfsScheduler::new(None, false), scenario);
    report(&format!("{what}: all {tried} orders"));
}

fn run(scheduler: impl Scheduler + 'static, scenario: impl Fn() + Send + Sync + 'static) -> usize {
    // Whole functions of the server run here, which need more than Shuttle's default stack.
    let mut config = Config::new();
    config.stack_size = 512 * 1024;
    Runner::new(scheduler, config).run(scenario)
}
