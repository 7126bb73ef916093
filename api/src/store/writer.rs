//! The queue through which everything is written, many at a time.
//!
//! While one batch is being stored the next one gathers, so the busier it gets the more writes share a transaction; a
//! write that comes alone is stored at once.

use std::sync::Arc;

use tokio::{
    sync::{mpsc, oneshot},
    task::yield_now,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Commit, DocumentWrite, DocumentWritten, Sources, Write, Written,
    backend::{Line, is_contended},
    batch::{self, Outcomes, Writes},
    debate::Memory,
    error::{StoreError, WriteError},
};
use crate::domain::{Document, DocumentId};

/// The most writes in one transaction.
const MAX_BATCH: usize = 256;

/// A transaction that has as many bytes of text takes no further write, so that large documents neither fill the memory
/// nor keep short arguments waiting.
const FULL_BATCH: usize = 8 * 1024 * 1024;

/// The most writes that wait; whoever brings more waits for a place.
const QUEUE: usize = 4 * MAX_BATCH;

/// How often a write that failed by itself is tried again, as when another server got in between.
const TRIES: usize = 3;

type Answer<T> = oneshot::Sender<Result<T, WriteError>>;

/// A write, and whom to tell what became of it.
enum Queued {
    Debate(Write, Answer<Written>),
    Document(DocumentWrite, Answer<DocumentWritten>),
    Deletion(DocumentId, Answer<Document>),
}

/// The way to the one task that writes.
#[derive(Debug)]
pub(super) struct Writer {
    queue: mpsc::Sender<Queued>,
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
        let (queue, waiting) = mpsc::channel(QUEUE);
        let (stop, task) = (CancellationToken::new(), TaskTracker::new());
        task.spawn(run(line, sources, memory, on_commit, waiting, stop.clone()));
        task.close();
        Self { queue, stop, task }
    }

    /// Queues `write` and returns what became of it. The queue carries it out even where the caller goes away.
    pub async fn write(&self, write: Write) -> Result<Written, WriteError> {
        self.queue(|answer| Queued::Debate(write, answer)).await
    }

    /// The same for a document.
    pub async fn write_document(&self, write: DocumentWrite) -> Result<DocumentWritten, WriteError> {
        self.queue(|answer| Queued::Document(write, answer)).await
    }

    /// The same for the deletion of a document.
    pub async fn delete_document(&self, id: DocumentId) -> Result<Document, WriteError> {
        self.queue(|answer| Queued::Deletion(id, answer)).await
    }

    async fn queue<T>(&self, queued: impl FnOnce(Answer<T>) -> Queued) -> Result<T, WriteError> {
        let closed = || StoreError::Unavailable("the writer has stopped".to_owned());
        let (answer, answered) = oneshot::channel();
        self.queue.send(queued(answer)).await.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }

    /// Stores what is queued and stops.
    pub async fn close(&self) {
        self.stop.cancel();
        self.task.wait().await;
    }
}

/// The writes of one kind in a batch, and whom to tell what became of them.
struct Lane<W, T> {
    writes: Vec<W>,
    answers: Vec<Answer<T>>,
}

impl<W, T> Default for Lane<W, T> {
    fn default() -> Self {
        Self { writes: Vec::new(), answers: Vec::new() }
    }
}

impl<W, T> Lane<W, T> {
    fn push(&mut self, write: W, answer: Answer<T>) {
        self.writes.push(write);
        self.answers.push(answer);
    }

    fn answer(self, outcomes: Vec<Result<T, WriteError>>) {
        for (answer, outcome) in self.answers.into_iter().zip(outcomes) {
            // Whoever asked may be gone; what was stored stays stored.
            let _ = answer.send(outcome);
        }
    }
}

/// Writes that share a transaction.
#[derive(Default)]
struct Batch {
    debates: Lane<Write, Written>,
    documents: Lane<DocumentWrite, DocumentWritten>,
    deletions: Lane<DocumentId, Document>,
    writes: usize,
    bytes: usize,
}

impl Batch {
    /// `first` and whatever else waits, as far as it fits.
    fn gather(first: Queued, waiting: &mut mpsc::Receiver<Queued>) -> Self {
        let mut batch = Self::default();
        batch.push(first);
        while batch.writes < MAX_BATCH
            && batch.bytes < FULL_BATCH
            && let Ok(next) = waiting.try_recv()
        {
            batch.push(next);
        }
        batch
    }

    fn push(&mut self, queued: Queued) {
        self.writes += 1;
        self.bytes += queued.bytes();
        match queued {
            Queued::Debate(write, answer) => self.debates.push(write, answer),
            Queued::Document(write, answer) => self.documents.push(write, answer),
            Queued::Deletion(id, answer) => self.deletions.push(id, answer),
        }
    }

    fn writes(&self) -> Writes<'_> {
        Writes { debates: &self.debates.writes, documents: &self.documents.writes, deletions: &self.deletions.writes }
    }

    fn answer(self, outcomes: Outcomes) {
        self.debates.answer(outcomes.debates);
        self.documents.answer(outcomes.documents);
        self.deletions.answer(outcomes.deletions);
    }
}

impl Queued {
    /// How long the text is that it brings.
    fn bytes(&self) -> usize {
        let content = match self {
            Self::Debate(Write::Create(new), _) => &new.motion,
            Self::Debate(Write::Submit(submission), _) => &submission.content,
            Self::Document(DocumentWrite::Create(new), _) => &new.text.content,
            Self::Document(DocumentWrite::Submit(new), _) => &new.text.content,
            Self::Deletion(..) => return 0,
        };
        content.as_str().len()
    }
}

async fn run(
    line: Line,
    sources: Sources,
    memory: Arc<Memory>,
    on_commit: impl Fn(&[Arc<Commit>]) + Send,
    mut waiting: mpsc::Receiver<Queued>,
    stop: CancellationToken,
) {
    loop {
        let first = tokio::select! {
            biased;
            () = stop.cancelled(), if !waiting.is_closed() => {
                // Nothing new is taken; what is queued still comes out.
                waiting.close();
                continue;
            }
            first = waiting.recv() => first,
        };
        let Some(first) = first else { break };
        // Whoever was answered just now and writes again comes along, instead of waiting for a transaction of one.
        yield_now().await;
        let batch = Batch::gather(first, &mut waiting);
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
        memory.doubt(writes.debates.iter().map(Write::debate_id));
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
    use super::*;
    use crate::domain::{Content, Metadata, NewDocument, Summary, Text, TextRule, Unit};

    fn queued(bytes: usize) -> Queued {
        let rule = TextRule { limit: bytes, unit: Unit::Bytes, may_be_empty: true };
        let text = Text {
            summary: Summary::parse(String::new()).unwrap(),
            content: Content::parse("x".repeat(bytes), rule).unwrap(),
            metadata: Metadata::default(),
        };
        let (answer, _) = oneshot::channel();
        Queued::Document(DocumentWrite::Create(NewDocument { text: text.into(), request_id: None }), answer)
    }

    /// How many of these writes each transaction takes.
    async fn batches(bytes: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let (queue, mut waiting) = mpsc::channel(QUEUE);
        for bytes in bytes {
            queue.send(queued(bytes)).await.unwrap();
        }
        let mut batches = Vec::new();
        while let Ok(first) = waiting.try_recv() {
            batches.push(Batch::gather(first, &mut waiting).writes);
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
}
