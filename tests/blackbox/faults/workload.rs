//! Many clients that write at once, while faults are injected.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use tests::{client::Client, polling::DEADLINE};
use tokio::{task::JoinSet, time::sleep};

use super::{
    workload_client::WorkloadClient,
    write_log::{Write, WriteLog},
};

/// Running clients.
pub struct Workload {
    write_log: Arc<WriteLog>,
    stop: Arc<AtomicBool>,
    clients: JoinSet<()>,
}

impl Workload {
    /// Starts this many clients.
    pub fn start(client: &Client, clients: usize, seed: u64, write_log: WriteLog) -> Self {
        let mut workload = Self { write_log: Arc::new(write_log), stop: Arc::default(), clients: JoinSet::new() };
        for number in 0..clients {
            let mut client =
                WorkloadClient::new(client.clone(), workload.write_log.clone(), seed.wrapping_add(number as u64));
            let stop = workload.stop.clone();
            workload.clients.spawn(async move {
                let enough = || stop.load(Ordering::Relaxed);
                while !enough() {
                    client.episode(enough).await;
                }
            });
        }
        workload
    }

    /// Waits until this many more writes are acknowledged.
    pub async fn run_for(&mut self, writes: usize) {
        let goal = self.write_log.acknowledged() + writes;
        let start = Instant::now();
        while self.write_log.acknowledged() < goal {
            if let Some(ended) = self.clients.try_join_next() {
                ended.expect("a client got an unexpected response");
            }
            assert!(start.elapsed() < DEADLINE, "{} of {goal} are acknowledged", self.write_log.acknowledged());
            sleep(std::time::Duration::from_millis(2)).await;
        }
    }

    /// How often the outcome of a request was unknown.
    pub fn unknown(&self) -> usize {
        self.write_log.unknown()
    }

    /// Stops the clients once all their writes are acknowledged, and returns the writes.
    pub async fn end(self) -> Vec<Write> {
        self.stop.store(true, Ordering::Relaxed);
        self.clients.join_all().await;
        self.write_log.writes()
    }
}
