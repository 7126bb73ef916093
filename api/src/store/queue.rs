//! The queue through which everything is written, many at a time.
//!
//! While one batch is being stored the next one gathers, so the busier it gets the more writes share a transaction; a
//! write that comes alone is stored at once.

use std::sync::Arc;

use tokio::task::yield_now;
use tokio_util::sync::CancellationToken;

use crate::{
    domain::{Document, DocumentId},
    store::{Commit, DebateWrite, DocumentWrite, DocumentWritten, StoreError, WriteError, Written},
    sync::{mpsc, oneshot},
};

/// The most writes in one transaction.
pub const MAX_BATCH: usize = 256;

/// A transaction that has as many bytes of text takes no further write, so that large documents neither fill the memory
/// nor keep short arguments waiting.
pub const FULL_BATCH: usize = 8 * 1024 * 1024;

type Answer<T> = oneshot::Sender<Result<T, WriteError>>;

/// A write, and whom to tell what became of it.
enum Queued {
    Debate(DebateWrite, Answer<Written>),
    Document(DocumentWrite, Answer<DocumentWritten>),
    Deletion(DocumentId, Answer<Document>),
}

impl Queued {
    /// How long the text is that it brings.
    fn bytes(&self) -> usize {
        let content = match self {
            Self::Debate(DebateWrite::Create(new), _) => &new.motion,
            Self::Debate(DebateWrite::Submit(submission), _) => &submission.content,
            Self::Document(DocumentWrite::Create(new), _) => &new.text.content,
            Self::Document(DocumentWrite::Submit(new), _) => &new.text.content,
            Self::Deletion(..) => return 0,
        };
        content.as_str().len()
    }
}

/// Where writes are brought, at most `places` before they are taken out; whoever brings more waits for a place. It takes
/// nothing new once `stop` is cancelled, and what it took still comes out.
pub fn open(places: usize, stop: CancellationToken) -> (Queue, Batches) {
    let (queue, waiting) = mpsc::channel(places);
    (Queue(queue), Batches { waiting, stop, last_took: 0 })
}

/// The way in.
#[derive(Debug)]
pub struct Queue(mpsc::Sender<Queued>);

impl Queue {
    /// Queues `write` and returns what became of it. It comes out even where the caller goes away.
    pub async fn write(&self, write: DebateWrite) -> Result<Written, WriteError> {
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
        self.0.send(queued(answer)).await.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }
}

/// The way out, for one who carries out what comes.
#[derive(Debug)]
pub struct Batches {
    waiting: mpsc::Receiver<Queued>,
    stop: CancellationToken,
    /// How many writes came together last
    last_took: usize,
}

impl Batches {
    /// The next writes, as soon as there are any; none once it has stopped and is empty.
    pub async fn next(&mut self) -> Option<Batch> {
        let first = loop {
            tokio::select! {
                biased;
                // Nothing new is taken; what is queued still comes out.
                () = self.stop.cancelled(), if !self.waiting.is_closed() => self.waiting.close(),
                first = self.waiting.recv() => break first?,
            }
        };
        if self.last_took > 1 {
            // Whoever was answered just now and writes again comes along, instead of waiting for a transaction of one.
            yield_now().await;
        }
        let batch = Batch::gather(first, &mut self.waiting);
        self.last_took = batch.count;
        Some(batch)
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
pub struct Batch {
    debates: Lane<DebateWrite, Written>,
    documents: Lane<DocumentWrite, DocumentWritten>,
    deletions: Lane<DocumentId, Document>,
    count: usize,
    bytes: usize,
}

impl Batch {
    /// `first` and whatever else waits, as far as it fits.
    fn gather(first: Queued, waiting: &mut mpsc::Receiver<Queued>) -> Self {
        let mut batch = Self::default();
        batch.push(first);
        while batch.count < MAX_BATCH
            && batch.bytes < FULL_BATCH
            && let Ok(next) = waiting.try_recv()
        {
            batch.push(next);
        }
        batch
    }

    fn push(&mut self, queued: Queued) {
        self.count += 1;
        self.bytes += queued.bytes();
        match queued {
            Queued::Debate(write, answer) => self.debates.push(write, answer),
            Queued::Document(write, answer) => self.documents.push(write, answer),
            Queued::Deletion(id, answer) => self.deletions.push(id, answer),
        }
    }

    /// What is to be carried out.
    pub fn writes(&self) -> Writes<'_> {
        Writes { debates: &self.debates.writes, documents: &self.documents.writes, deletions: &self.deletions.writes }
    }

    /// Tells everybody what became of it.
    pub fn answer(self, outcomes: Outcomes) {
        self.debates.answer(outcomes.debates);
        self.documents.answer(outcomes.documents);
        self.deletions.answer(outcomes.deletions);
    }
}

/// The writes of a batch, by kind.
#[derive(Debug, Clone, Copy, Default)]
pub struct Writes<'a> {
    pub debates: &'a [DebateWrite],
    pub documents: &'a [DocumentWrite],
    pub deletions: &'a [DocumentId],
}

/// What became of each write of a batch, in the batch's order.
#[derive(Debug, Default)]
pub struct Outcomes {
    pub debates: Vec<Result<Written, WriteError>>,
    pub documents: Vec<Result<DocumentWritten, WriteError>>,
    pub deletions: Vec<Result<Document, WriteError>>,
}

impl Outcomes {
    /// What was stored of debates, in order.
    pub fn commits(&self) -> impl Iterator<Item = &Arc<Commit>> {
        self.debates.iter().flatten().filter(|written| !written.replayed).map(|written| &written.commit)
    }
}
