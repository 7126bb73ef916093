//! Many clients at work at once, while something fails.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use tests::{client::Client, patience::PATIENCE};
use tokio::{task::JoinSet, time::sleep};

use super::{
    episode::Author,
    ledger::{Ledger, Write},
};

/// Clients at work.
pub struct Load {
    ledger: Arc<Ledger>,
    stop: Arc<AtomicBool>,
    authors: JoinSet<()>,
}

impl Load {
    /// Puts so many to work.
    pub fn start(client: &Client, authors: usize, seed: u64, ledger: Ledger) -> Self {
        let mut load = Self { ledger: Arc::new(ledger), stop: Arc::default(), authors: JoinSet::new() };
        for number in 0..authors {
            let mut author = Author::new(client.clone(), load.ledger.clone(), seed.wrapping_add(number as u64));
            let stop = load.stop.clone();
            load.authors.spawn(async move {
                let enough = || stop.load(Ordering::Relaxed);
                while !enough() {
                    author.episode(enough).await;
                }
            });
        }
        load
    }

    /// Lets them go on until so many more writes are acknowledged.
    pub async fn goes_on(&mut self, writes: usize) {
        let goal = self.ledger.acknowledged() + writes;
        let start = Instant::now();
        while self.ledger.acknowledged() < goal {
            if let Some(ended) = self.authors.try_join_next() {
                ended.expect("an author was told what cannot be");
            }
            assert!(start.elapsed() < PATIENCE, "{} of {goal} are acknowledged", self.ledger.acknowledged());
            sleep(std::time::Duration::from_millis(2)).await;
        }
    }

    /// How often nobody said what became of a write.
    pub fn unknown(&self) -> usize {
        self.ledger.unknown()
    }

    /// Has them stop once they know what became of everything, and gives that.
    pub async fn end(self) -> Vec<Write> {
        self.stop.store(true, Ordering::Relaxed);
        self.authors.join_all().await;
        self.ledger.writes()
    }
}
