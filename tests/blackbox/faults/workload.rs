//! Many clients at work at once, while something fails.

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
    write_log::{WriteLog, Write},
};

/// Clients at work.
pub struct Load {
    write_log: Arc<WriteLog>,
    stop: Arc<AtomicBool>,
    clients: JoinSet<()>,
}

impl Load {
    /// Puts so many to work.
    pub fn start(client: &Client, clients: usize, seed: u64, write_log: WriteLog) -> Self {
        let mut workload = Self { write_log: Arc::new(write_log), stop: Arc::default(), clients: JoinSet::new() };
        for number in 0..clients {
            let mut client = WorkloadClient::new(client.clone(), workload.write_log.clone(), seed.wrapping_add(number as u64));
            let stop = workload.stop.clone();
            workload.clients.spawn(async move {
                let enough = || stop.load(Ordering::Relaxed);
                while !enough() {
                    client.episode(enough).await;
                }
            });
        }
        load
    }

    /// Lets them go on until so many more writes are acknowledged.
    pub async fn goes_on(&mut self, writes: usize) {
        let goal = self.write_log.acknowledged() + writes;
        let start = Instant::now();
        while self.write_log.acknowledged() < goal {
            if let Some(ended) = self.clients.try_join_next() {
                ended.expect("an client was told what cannot be");
            }
            assert!(start.elapsed() < DEADLINE, "{} of {goal} are acknowledged", self.write_log.acknowledged());
            sleep(std::time::Duration::from_millis(2)).await;
        }
    }

    /// How often nobody said what became of a write.
    pub fn unknown(&self) -> usize {
        self.write_log.unknown()
    }

    /// Has them stop once they know what became of everything, and gives that.
    pub async fn end(self) -> Vec<Write> {
        self.stop.store(true, Ordering::Relaxed);
        self.clients.join_all().await;
        self.write_log.writes()
    }
}
