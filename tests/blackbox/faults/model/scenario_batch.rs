//! Very many stories, many of them told at once.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use tests::{chance::size, client::Client};
use tokio::{
    runtime::{Builder, Runtime},
    task::JoinSet,
};

use super::{
    story::{Difference, tell_any},
    tally::Tally,
};

/// How many stories are told at once.
const AT_ONCE: usize = 64;

/// How many steps a story has at most.
const LONGEST: usize = 120;

/// How many requests there are in a short run, and in a long one for each `AWEAVE_FAULTS`.
const SHORT: usize = 6_000;
const LONG: usize = 100_000;

/// By how many times that may be exceeded until everything was seen that has to be.
const AT_MOST: usize = 20;

/// Stories that are being told.
struct Stories {
    servers: Vec<Client>,
    /// What the next one comes from
    next: AtomicU64,
    /// How many requests there have to be
    goal: usize,
    tally: Mutex<Tally>,
    /// Whether one was told differently
    found: AtomicBool,
}

/// Has stories told that come from this number and those after it until there were enough, and gives what was seen.
///
/// # Errors
/// One that is told differently.
pub async fn tell_many(seed: u64, servers: Vec<Client>) -> Result<Tally, Box<Difference>> {
    let stories = Arc::new(Stories {
        servers,
        next: seed.into(),
        goal: if size() == 1 { SHORT } else { LONG * size() },
        tally: Mutex::default(),
        found: false.into(),
    });
    let mut telling = JoinSet::new();
    for _ in 0..AT_ONCE {
        let stories = stories.clone();
        telling.spawn_blocking(move || stories.tell());
    }
    telling.join_all().await.into_iter().collect::<Result<(), _>>()?;
    let tally = stories.tally.lock().unwrap().clone();
    Ok(tally)
}

/// What one thread tells stories on.
pub fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

impl Stories {
    /// Tells one after another.
    fn tell(&self) -> Result<(), Box<Difference>> {
        let runtime = runtime();
        while !self.are_enough() {
            let seed = self.next.fetch_add(1, Ordering::Relaxed);
            let told = tell_any(seed, LONGEST, &self.servers, None, &runtime);
            let seen = told.inspect_err(|_| self.found.store(true, Ordering::Relaxed))?;
            self.tally.lock().unwrap().add(seen);
        }
        Ok(())
    }

    fn are_enough(&self) -> bool {
        let tally = self.tally.lock().unwrap();
        let all = tally.requests >= self.goal && tally.missing().is_empty();
        all || tally.requests >= AT_MOST * self.goal || self.found.load(Ordering::Relaxed)
    }
}
