//! The queue through which everything is written, many at a time.
//!
//! While one batch is being stored the next one gathers, so the busier it gets the more writes share a transaction; a
//! write that comes alone is stored at once.

use std::{mem, sync::Arc};

use sea_orm::DatabaseConnection;
use tokio::sync::{mpsc, oneshot};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Commit, Sources, Write, Written,
    batch::{self, Outcomes},
    debate::Memory,
    error::{StoreError, WriteError},
};

/// The most writes in one transaction.
const MAX_BATCH: usize = 256;

/// The most writes that wait; whoever brings more waits for a place.
const QUEUE: usize = 4 * MAX_BATCH;

/// How often a write that failed by itself is tried again, as when another server got in between.
const TRIES: usize = 3;

type Answer = oneshot::Sender<Result<Written, WriteError>>;

/// The way to the one task that writes.
#[derive(Debug)]
pub(super) struct Writer {
    queue: mpsc::Sender<(Write, Answer)>,
    stop: CancellationToken,
    task: TaskTracker,
}

impl Writer {
    /// Starts the task that writes over `connection`.
    pub fn start(
        connection: DatabaseConnection,
        sources: Sources,
        memory: Arc<Memory>,
        on_commit: impl Fn(&[Arc<Commit>]) + Send + 'static,
    ) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let (stop, task) = (CancellationToken::new(), TaskTracker::new());
        task.spawn(run(connection, sources, memory, on_commit, waiting, stop.clone()));
        task.close();
        Self { queue, stop, task }
    }

    /// Queues `write` and returns what became of it. The queue carries it out even where the caller goes away.
    pub async fn write(&self, write: Write) -> Result<Written, WriteError> {
        let closed = || StoreError::Unavailable("the writer has stopped".to_owned());
        let (answer, answered) = oneshot::channel();
        self.queue.send((write, answer)).await.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }

    /// Stores what is queued and stops.
    pub async fn close(&self) {
        self.stop.cancel();
        self.task.wait().await;
    }
}

async fn run(
    connection: DatabaseConnection,
    sources: Sources,
    memory: Arc<Memory>,
    on_commit: impl Fn(&[Arc<Commit>]) + Send,
    mut waiting: mpsc::Receiver<(Write, Answer)>,
    stop: CancellationToken,
) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled(), if !waiting.is_closed() => {
                // Nothing new is taken; what is queued still comes out.
                waiting.close();
                continue;
            }
            taken = waiting.recv_many(&mut batch, MAX_BATCH) => if taken == 0 { break },
        }
        let (writes, answers): (Vec<_>, Vec<_>) = mem::take(&mut batch).into_iter().unzip();
        let outcomes = carry_out(&connection, sources, &memory, &writes).await;
        let commits: Vec<_> = batch::commits(&outcomes).cloned().collect();
        on_commit(&commits);
        for (answer, outcome) in answers.into_iter().zip(outcomes) {
            // Whoever asked may be gone; what was stored stays stored.
            let _ = answer.send(outcome);
        }
        if let Err(error) = memory.count(&connection).await {
            tracing::warn!(%error, "the debates could not be counted; lists count them one by one until they are");
        }
    }
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "the database could not be closed in order");
    }
}

/// Carries out a batch, and where it fails as a whole, each of its writes alone, so that one cannot harm another.
async fn carry_out(connection: &DatabaseConnection, sources: Sources, memory: &Memory, writes: &[Write]) -> Outcomes {
    match batch::carry_out(connection, sources, memory, writes).await {
        Ok(outcomes) => outcomes,
        Err(StoreError::Unavailable(error)) => {
            let unavailable = |_: &Write| Err(StoreError::Unavailable(error.clone()).into());
            writes.iter().map(unavailable).collect()
        }
        Err(error) => {
            tracing::warn!(%error, writes = writes.len(), "a batch failed; its writes are tried one by one");
            let mut outcomes = Vec::with_capacity(writes.len());
            for write in writes {
                outcomes.push(alone(connection, sources, memory, write).await);
            }
            outcomes
        }
    }
}

async fn alone(
    connection: &DatabaseConnection,
    sources: Sources,
    memory: &Memory,
    write: &Write,
) -> Result<Written, WriteError> {
    let mut tries = 1;
    loop {
        match batch::carry_out(connection, sources, memory, std::slice::from_ref(write)).await {
            Ok(outcomes) => {
                let lost = || StoreError::Unavailable("the write was lost".to_owned());
                return outcomes.into_iter().next().ok_or_else(lost)?;
            }
            Err(StoreError::Unexpected(error)) if tries < TRIES => {
                tracing::warn!(%error, tries, "a write failed and is tried again");
                tries += 1;
            }
            Err(error) => return Err(error.into()),
        }
    }
}
