//! The one task that writes: it carries out what comes through the queue, one batch after another.

use std::sync::Arc;

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Commit, DebateWrite, DocumentWrite, DocumentWritten, Sources, Written,
    backend::{Line, is_contended},
    batch,
    debate::Memory,
    error::{StoreError, WriteError},
    queue::{self, Batches, Outcomes, Queue, Writes},
};
use crate::domain::{Document, DocumentId};

/// The most writes that wait; whoever brings more waits for a place.
const QUEUE: usize = 4 * queue::MAX_BATCH;

/// How often a write that failed by itself is tried again, as when another server got in between.
const TRIES: usize = 3;

/// The way to the one task that writes.
#[derive(Debug)]
pub(super) struct Writer {
    queue: Queue,
    stop: CancellationToken,
    task: TaskTracker,
}

impl Writer {
    /// Starts the task that writes over `line`.
    pub fn start(
        line: Line,
        sources: Sources,
        memory: Arc<Memory>,
        on_commit: impl Fn(&[Arc<Commit>]) + Send + 'static,
    ) -> Self {
        let (stop, task) = (CancellationToken::new(), TaskTracker::new());
        let (queue, batches) = queue::open(QUEUE, stop.clone());
        task.spawn(run(line, sources, memory, on_commit, batches));
        task.close();
        Self { queue, stop, task }
    }

    /// Carries out `write`, even where the caller goes away, and returns what became of it.
    pub async fn write(&self, write: DebateWrite) -> Result<Written, WriteError> {
        self.queue.write(write).await
    }

    /// The same for a document.
    pub async fn write_document(&self, write: DocumentWrite) -> Result<DocumentWritten, WriteError> {
        self.queue.write_document(write).await
    }

    /// The same for the deletion of a document.
    pub async fn delete_document(&self, id: DocumentId) -> Result<Document, WriteError> {
        self.queue.delete_document(id).await
    }

    /// Whether the task has ended though nobody stopped it, which only a fault in this program makes it do.
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

    /// Stores what is queued and stops.
    pub async fn close(&self) {
        self.stop.cancel();
        self.task.wait().await;
    }
}

async fn run(
    line: Line,
    sources: Sources,
    memory: Arc<Memory>,
    on_commit: impl Fn(&[Arc<Commit>]) + Send,
    mut batches: Batches,
) {
    while let Some(batch) = batches.next().await {
        let outcomes = carry_out(&line, sources, &memory, batch.writes()).await;
        let commits: Vec<_> = outcomes.commits().cloned().collect();
        on_commit(&commits);
        batch.answer(outcomes);
    }
    line.close().await;
}

/// Carries out a batch, and where it fails as a whole, each of its writes alone, so that one cannot harm another.
async fn carry_out(line: &Line, sources: Sources, memory: &Memory, writes: Writes<'_>) -> Outcomes {
    match attempt(line, sources, memory, writes).await {
        Ok(outcomes) => outcomes,
        Err(StoreError::Unavailable(error)) => Outcomes {
            debates: unavailable(writes.debates, &error),
            documents: unavailable(writes.documents, &error),
            deletions: unavailable(writes.deletions, &error),
        },
        Err(error) => {
            tracing::warn!(%error, "a batch failed; its writes are tried one by one");
            let mut outcomes = Outcomes::default();
            for debates in writes.debates.chunks(1) {
                let alone = alone(line, sources, memory, Writes { debates, ..Writes::default() }, |its| its.debates);
                outcomes.debates.push(alone.await);
            }
            for documents in writes.documents.chunks(1) {
                let alone =
                    alone(line, sources, memory, Writes { documents, ..Writes::default() }, |its| its.documents);
                outcomes.documents.push(alone.await);
            }
            for deletions in writes.deletions.chunks(1) {
                let alone =
                    alone(line, sources, memory, Writes { deletions, ..Writes::default() }, |its| its.deletions);
                outcomes.deletions.push(alone.await);
            }
            outcomes
        }
    }
}

fn unavailable<W, T>(writes: &[W], error: &str) -> Vec<Result<T, WriteError>> {
    writes.iter().map(|_| Err(StoreError::Unavailable(error.to_owned()).into())).collect()
}

/// One transaction, in bounded time.
async fn attempt(line: &Line, sources: Sources, memory: &Memory, writes: Writes<'_>) -> Result<Outcomes, StoreError> {
    let connection = line.current();
    let carried_out = line.bounded(batch::carry_out(&connection, sources, memory, writes)).await;
    if carried_out.is_err() {
        // It may have been given up half-way, or have stored everything and never heard of it.
        memory.doubt(writes.debates.iter().map(DebateWrite::debate_id));
    }
    carried_out
}

/// Carries out one write, whose kind is told by where its outcome is.
async fn alone<T>(
    line: &Line,
    sources: Sources,
    memory: &Memory,
    write: Writes<'_>,
    its: fn(Outcomes) -> Vec<Result<T, WriteError>>,
) -> Result<T, WriteError> {
    let mut tries = 1;
    loop {
        match attempt(line, sources, memory, write).await {
            Ok(outcomes) => {
                let lost = || StoreError::Unavailable("the write was lost".to_owned());
                return its(outcomes).pop().ok_or_else(lost)?;
            }
            Err(StoreError::Unexpected(error)) if tries < TRIES => {
                tracing::warn!(%error, tries, "a write failed and is tried again");
                tries += 1;
            }
            Err(StoreError::Unexpected(error)) if !memory.is_alone() && is_contended(&error) => {
                return Err(StoreError::Unavailable(error.to_string()).into());
            }
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::{FutureExt, poll};
    use tokio::task::unconstrained;

    use super::*;
    use crate::{
        domain::{Content, DocumentText, Metadata, NewDocument, Summary, TextRule, Unit},
        store::queue::{Batch, FULL_BATCH},
    };

    fn document(bytes: usize) -> DocumentWrite {
        let rule = TextRule { limit: bytes, unit: Unit::Bytes, may_be_empty: true };
        let text = DocumentText {
            summary: Summary::parse(String::new()).unwrap(),
            content: Content::parse("x".repeat(bytes), rule).unwrap(),
            metadata: Metadata::default(),
        };
        DocumentWrite::Create(NewDocument { text: text.into(), request_id: None })
    }

    /// Brings a write in one go; nobody waits for the answer.
    fn bring(queue: &Queue, bytes: usize) {
        let brought = unconstrained(queue.write_document(document(bytes)));
        assert!(brought.now_or_never().is_none());
    }

    /// How many of these writes each transaction takes.
    async fn batches(bytes: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let stop = CancellationToken::new();
        let (queue, mut waiting) = queue::open(QUEUE, stop.clone());
        bytes.into_iter().for_each(|bytes| bring(&queue, bytes));
        stop.cancel();
        let mut batches = Vec::new();
        while let Some(batch) = waiting.next().await {
            batches.push(batch.writes().documents.len());
        }
        batches
    }

    #[tokio::test]
    async fn a_transaction_takes_so_many_writes_and_so_many_bytes() {
        assert_eq!(batches([0; 600]).await, [256, 256, 88]);
        assert_eq!(batches([FULL_BATCH / 2; 5]).await, [2, 2, 1]);
        assert_eq!(batches([1, FULL_BATCH, 1, 1]).await, [2, 2]);
        assert_eq!(batches([2 * FULL_BATCH, 1]).await, [1, 1], "one that is too large by itself comes alone");
    }

    #[tokio::test]
    async fn writes_wait_for_company_only_where_the_last_ones_had_some() {
        let (queue, mut waiting) = queue::open(QUEUE, CancellationToken::new());
        let took = |batch: Option<Batch>| batch.map(|batch| batch.writes().documents.len());
        for _ in 0..2 {
            bring(&queue, 1);
            assert_eq!(waiting.next().now_or_never().map(took), Some(Some(1)), "alone, and not at once");
        }

        bring(&queue, 1);
        bring(&queue, 1);
        assert_eq!(took(waiting.next().await), Some(2));

        bring(&queue, 1);
        let mut next = pin!(waiting.next());
        assert!(poll!(next.as_mut()).is_pending(), "did not wait for the other of the two");
        bring(&queue, 1);
        assert_eq!(took(next.await), Some(2));
    }
}
