//! The queue between the callers of the store and the one task that writes.
//!
//! While one batch is being stored, the next one fills up: the higher the load, the more writes share a transaction. A
//! write that arrives alone is stored at once.

use tokio::task::yield_now;
use tokio_util::sync::CancellationToken;

use super::batch_limits::{MAX_BATCH_BYTES, MAX_BATCH_WRITES};
use crate::{
    domain::{DebateId, DocumentId},
    locks_and_channels::{mpsc, oneshot},
    store::{
        DebateWrite, DebateWritten, DocumentDeleted, DocumentWrite, DocumentWritten, FreeSeat, SeatFreed, StoreError,
        WriteError,
    },
};

/// One write, its outcome once it is decided, and the caller who waits for it.
#[derive(Debug)]
pub struct Pending<W, T> {
    /// What to write.
    pub write: W,
    outcome: Option<Result<T, WriteError>>,
    caller: oneshot::Sender<Result<T, WriteError>>,
}

impl<W, T> Pending<W, T> {
    /// Sets the outcome; a later one replaces it.
    pub fn set_outcome(&mut self, outcome: Result<T, WriteError>) {
        self.outcome = Some(outcome);
    }

    /// The outcome so far.
    pub fn outcome(&self) -> Option<&Result<T, WriteError>> {
        self.outcome.as_ref()
    }

    fn is_accepted(&self) -> bool {
        self.outcome.as_ref().is_some_and(Result::is_ok)
    }

    fn answer(self) {
        if let Some(outcome) = self.outcome {
            // The caller may be gone; the write is stored all the same.
            let _ = self.caller.send(outcome);
        }
    }
}

/// A write in the queue.
#[derive(Debug)]
pub enum QueuedWrite {
    /// A debate or an argument. Boxed, as what has a whole debate is much larger than the rest.
    Debate(Box<Pending<DebateWrite, DebateWritten>>),
    /// The freeing of a seat.
    SeatFreeing(Box<Pending<FreeSeat, SeatFreed>>),
    /// A document or a version.
    Document(Pending<DocumentWrite, DocumentWritten>),
    /// The deletion of a document.
    DocumentDeletion(Pending<DocumentId, DocumentDeleted>),
}

impl From<Pending<DebateWrite, DebateWritten>> for QueuedWrite {
    fn from(pending: Pending<DebateWrite, DebateWritten>) -> Self {
        Self::Debate(Box::new(pending))
    }
}

impl From<Pending<FreeSeat, SeatFreed>> for QueuedWrite {
    fn from(pending: Pending<FreeSeat, SeatFreed>) -> Self {
        Self::SeatFreeing(Box::new(pending))
    }
}

impl From<Pending<DocumentWrite, DocumentWritten>> for QueuedWrite {
    fn from(pending: Pending<DocumentWrite, DocumentWritten>) -> Self {
        Self::Document(pending)
    }
}

impl From<Pending<DocumentId, DocumentDeleted>> for QueuedWrite {
    fn from(pending: Pending<DocumentId, DocumentDeleted>) -> Self {
        Self::DocumentDeletion(pending)
    }
}

impl QueuedWrite {
    /// The length of the texts to store, in bytes.
    fn content_bytes(&self) -> usize {
        match self {
            Self::Debate(pending) => match &pending.write {
                DebateWrite::Create(new) => new.text_bytes(),
                DebateWrite::Submit(submission) => submission.text_bytes(),
            },
            Self::Document(Pending { write: DocumentWrite::Create(new), .. }) => new.text.content.as_str().len(),
            Self::Document(Pending { write: DocumentWrite::Submit(new), .. }) => new.text.content.as_str().len(),
            Self::SeatFreeing(_) | Self::DocumentDeletion(_) => 0,
        }
    }

    /// The debate that it changes, if any.
    pub fn debate_id(&self) -> Option<DebateId> {
        match self {
            Self::Debate(pending) => Some(pending.write.debate_id()),
            Self::SeatFreeing(pending) => Some(pending.write.debate_id),
            Self::Document(_) | Self::DocumentDeletion(_) => None,
        }
    }

    /// Whether the outcome so far is a success.
    pub fn is_accepted(&self) -> bool {
        match self {
            Self::Debate(pending) => pending.is_accepted(),
            Self::SeatFreeing(pending) => pending.is_accepted(),
            Self::Document(pending) => pending.is_accepted(),
            Self::DocumentDeletion(pending) => pending.is_accepted(),
        }
    }

    /// Sets an error as the outcome.
    pub fn fail(&mut self, error: StoreError) {
        match self {
            Self::Debate(pending) => pending.set_outcome(Err(error.into())),
            Self::SeatFreeing(pending) => pending.set_outcome(Err(error.into())),
            Self::Document(pending) => pending.set_outcome(Err(error.into())),
            Self::DocumentDeletion(pending) => pending.set_outcome(Err(error.into())),
        }
    }

    /// Sends the outcome to the caller. Without an outcome the caller gets [`StoreError::Unavailable`].
    pub fn answer(self) {
        match self {
            Self::Debate(pending) => pending.answer(),
            Self::SeatFreeing(pending) => pending.answer(),
            Self::Document(pending) => pending.answer(),
            Self::DocumentDeletion(pending) => pending.answer(),
        }
    }
}

/// Opens a queue with room for `capacity` writes; further callers wait until there is room. Once `stop` is cancelled, it
/// takes no new writes and still hands out those that it took.
pub fn open(capacity: usize, stop: CancellationToken) -> (Queue, Batches) {
    let (sender, receiver) = mpsc::channel(capacity);
    (Queue(sender), Batches { receiver, stop, last_batch_len: 0 })
}

/// The sending end of the queue.
#[derive(Debug)]
pub struct Queue(mpsc::Sender<QueuedWrite>);

impl Queue {
    /// Queues `write` and returns its outcome. The write is carried out even if the caller goes away.
    pub async fn write<W, T>(&self, write: W) -> Result<T, WriteError>
    where
        QueuedWrite: From<Pending<W, T>>,
    {
        let closed = || StoreError::Unavailable("the writer has stopped".to_owned());
        let (caller, outcome) = oneshot::channel();
        self.0.send(Pending { write, outcome: None, caller }.into()).await.map_err(|_| closed())?;
        outcome.await.map_err(|_| closed())?
    }
}

/// The receiving end of the queue.
#[derive(Debug)]
pub struct Batches {
    receiver: mpsc::Receiver<QueuedWrite>,
    stop: CancellationToken,
    last_batch_len: usize,
}

impl Batches {
    /// Waits for the next writes; returns none once the queue has stopped and is empty.
    pub async fn next(&mut self) -> Option<Vec<QueuedWrite>> {
        let first = loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled(), if !self.receiver.is_closed() => self.receiver.close(),
                first = self.receiver.recv() => break first?,
            }
        };
        if self.last_batch_len > 1 {
            // Callers that were just answered may write again at once: let them join this batch.
            yield_now().await;
        }
        let mut bytes = first.content_bytes();
        let mut batch = vec![first];
        while batch.len() < MAX_BATCH_WRITES
            && bytes < MAX_BATCH_BYTES
            && let Ok(next) = self.receiver.try_recv()
        {
            bytes += next.content_bytes();
            batch.push(next);
        }
        self.last_batch_len = batch.len();
        Some(batch)
    }
}
