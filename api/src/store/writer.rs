//! The one task that writes: it takes batches from the queue and stores each in one transaction.

use std::{slice, sync::Arc};

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    ClockAndIds, Commit, MessageWriter,
    attempts::Attempts,
    backend::{BoundedPool, is_contended},
    batch_queue::{Batches, QueuedWrite},
    batch_transaction,
    debate::Caches,
    error::StoreError,
    write_metrics,
};

/// How often a single write is tried in all, as another server may get in between.
const MAX_ATTEMPTS: usize = 3;

/// The writer, before it starts.
pub(super) struct Writer {
    pub pool: Arc<BoundedPool>,
    pub clock_and_ids: ClockAndIds,
    pub caches: Arc<Caches>,
    pub message_writer: Arc<MessageWriter>,
    pub attempts: Arc<Attempts>,
}

impl Writer {
    /// Starts the task. It ends once `stop` is cancelled and the queue is empty. `on_commit` gets each batch's commits in
    /// order, once they are durable and before the callers get their outcomes.
    pub fn start(
        self,
        batches: Batches,
        stop: CancellationToken,
        on_commit: impl Fn(&[Arc<Commit>]) + Send + 'static,
    ) -> WriterTask {
        let task = TaskTracker::new();
        task.spawn(self.run(batches, on_commit));
        task.close();
        WriterTask { stop, task }
    }

    async fn run(self, mut batches: Batches, on_commit: impl Fn(&[Arc<Commit>]) + Send) {
        while let Some(mut batch) = batches.next().await {
            let commits = self.store(&mut batch).await;
            on_commit(&commits);
            batch.iter().for_each(write_metrics::count);
            batch.into_iter().for_each(QueuedWrite::answer);
        }
        self.pool.close().await;
    }

    /// Stores a batch and gives each of its writes an outcome. If the batch fails as a whole, each write is tried by
    /// itself, so that no write makes another one fail.
    async fn store(&self, batch: &mut [QueuedWrite]) -> Vec<Arc<Commit>> {
        match self.store_together(batch).await {
            Ok(commits) => commits,
            Err(StoreError::Unavailable(reason)) => {
                batch.iter_mut().for_each(|write| write.fail(StoreError::Unavailable(reason.clone())));
                Vec::new()
            }
            Err(error) => {
                tracing::warn!(%error, "a batch failed; trying its writes one by one");
                let mut commits = Vec::new();
                for write in batch {
                    commits.extend(self.store_one(write).await);
                }
                commits
            }
        }
    }

    async fn store_one(&self, write: &mut QueuedWrite) -> Vec<Arc<Commit>> {
        let mut attempt = 1;
        loop {
            let error = match self.store_together(slice::from_mut(write)).await {
                Ok(commits) => return commits,
                Err(StoreError::Unexpected(error)) if attempt < MAX_ATTEMPTS => {
                    tracing::warn!(%error, attempt, "a write failed; trying it again");
                    attempt += 1;
                    continue;
                }
                Err(StoreError::Unexpected(error)) if !self.caches.debates.is_sole_writer() && is_contended(&error) => {
                    StoreError::Unavailable(error.to_string())
                }
                Err(error) => error,
            };
            write.fail(error);
            return Vec::new();
        }
    }

    /// One transaction, in bounded time.
    async fn store_together(&self, writes: &mut [QueuedWrite]) -> Result<Vec<Arc<Commit>>, StoreError> {
        let connection = self.pool.current();
        self.caches.debates.batch_begins();
        let storing =
            batch_transaction::store(&connection, self.clock_and_ids, &self.caches, &self.message_writer, writes);
        let stored = self.pool.bounded(storing).await;
        match &stored {
            Ok(_) if writes.iter().any(write_metrics::is_stored) => self.attempts.succeeded(),
            Err(StoreError::Unavailable(_)) => self.attempts.failed((self.clock_and_ids.now)()),
            // Nothing was to be stored, or the database refused just this.
            Ok(_) | Err(_) => {}
        }
        if stored.is_ok() {
            self.caches.debates.batch_settled();
        } else {
            // It may have been cancelled half-way, or have been committed without an answer.
            self.caches.debates.invalidate(writes.iter().filter_map(QueuedWrite::debate_id));
        }
        stored
    }
}

/// The running writer.
#[derive(Debug)]
pub(super) struct WriterTask {
    stop: CancellationToken,
    task: TaskTracker,
}

impl WriterTask {
    /// Whether the task has ended without being stopped, which only a bug in this program causes.
    pub fn has_failed(&self) -> bool {
        self.task.is_empty() && !self.stop.is_cancelled()
    }

    /// Returns once the task has failed.
    pub async fn failed(&self) {
        self.task.wait().await;
        if self.stop.is_cancelled() {
            std::future::pending().await
        }
    }

    /// Stores what is queued, then stops.
    pub async fn close(&self) {
        self.stop.cancel();
        self.task.wait().await;
    }
}
