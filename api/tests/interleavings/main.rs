//! Every order that matters of what is hand-written for many tasks at once: the register of who waits for news, and the
//! queue of what is written.
//!
//! The server's own files are compiled here once more, with what they share and wait on taken from [`sync`], where another
//! task may go on before each step. Whatever a few tasks do with them is then tried in every order while that is
//! possible, and otherwise in very many: at random, and with few but badly placed changes from one task to another.
//! `AWEAVE_FAULTS` says how many times as many as usual, `AWEAVE_SEED` which.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed, and says where"
)]

mod sync;
mod things;
mod waiting;
mod writing;

#[path = "../../src/app/notifier.rs"]
#[expect(dead_code, reason = "the server uses more of it")]
mod notifier;
#[path = "../../src/store/queue.rs"]
#[expect(dead_code, reason = "the server uses more of it")]
mod queue;

use api::{domain, store};
use shuttle::{
    Config, Runner,
    scheduler::{DfsScheduler, PctScheduler, RandomScheduler, Scheduler},
};
use tests::chance::{seed, size, tell};

/// How many orders of each kind are tried.
const ORDERS: usize = 1_000;

/// How many badly placed changes of task there are at most.
const CHANGES: usize = 4;

/// Tries this in many orders, some at random and some with few changes of task.
fn in_many_orders(what: &str, scenario: impl Fn() + Send + Sync + Copy + 'static) {
    let (seed, orders) = (seed(), ORDERS * size());
    run(RandomScheduler::new_from_seed(seed, orders), scenario);
    run(PctScheduler::new_from_seed(seed, CHANGES, orders), scenario);
    tell(&format!("{what}: {} orders, AWEAVE_SEED={seed}", 2 * orders));
}

/// Tries this in every order that there is.
fn in_every_order(what: &str, scenario: impl Fn() + Send + Sync + 'static) {
    let tried = run(DfsScheduler::new(None, false), scenario);
    tell(&format!("{what}: all {tried} orders"));
}

fn run(scheduler: impl Scheduler + 'static, scenario: impl Fn() + Send + Sync + 'static) -> usize {
    // What is tried here are whole functions of the server, which take more than the usual stack of a test like this.
    let mut config = Config::new();
    config.stack_size = 512 * 1024;
    Runner::new(scheduler, config).run(scenario)
}
