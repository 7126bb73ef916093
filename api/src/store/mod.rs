//! The only code that speaks SQL. Readers query the database directly; all writes go through one queue to one task.
//!
//! The way of a write: [`Store::write_debate`] puts it into the queue (`batch_queue.rs`), the writer (`writer.rs`) takes a
//! batch from there, and `batch_transaction.rs` decides its writes and stores them in one transaction. What a batch knows of
//! debates and documents is in `debate/batch.rs` and `document/batch.rs`.
//!
//! The same statements run on every database; what differs between databases is in `backend`.

mod attempts;
mod backend;
mod backup;
mod batch_limits;
mod batch_queue;
mod batch_transaction;
mod clock_and_ids;
mod copy;
mod database_file;
mod debate;
mod decoded;
mod document;
mod error;
mod fault;
mod guarded_statement;
mod insert_rows;
mod migrate;
mod padded_ids;
mod peer_updates;
mod refold;
mod restore;
mod search;
mod snapshot;
mod time;
mod verify;
mod webhook;
mod write_metrics;
mod write_requests;
mod writer;

use std::sync::Arc;

use sea_orm::ConnectionTrait;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

pub use attempts::Health;
pub use backend::{Location, NotAFile};
pub use backup::{Backup, BackupError, backup};
pub use clock_and_ids::{ClockAndIds, ClockOutOfRange};
pub use copy::{CopyError, Progress, copy};
pub use debate::{Found, Hit, Range, VerifiedHistory};
pub use error::{InconsistentRow, OpenError, RowName, StoreError, WriteError};
pub use fault::{Fault, MAX_FAULTS, Page};
pub use peer_updates::{PeerPresence, PeerUpdates, Peers};
pub use restore::{RestoreError, Restored, restore};
pub use snapshot::SnapshotError;
pub use verify::{Faults, Verified, VerifyError, verify, verify_with_progress};
pub use webhook::{Delivery, MAX_CONTENT_CHARACTERS, MessageWriter, WebhookMessage};
pub use write_requests::{
    Commit, DebateWrite, DebateWritten, DocumentDeleted, DocumentWrite, DocumentWritten, FreeSeat, SeatFreed,
};

use crate::domain::DocumentId;
use attempts::Attempts;
use backend::{BoundedPool, Notifier, SearchPool};
use batch_queue::Queue;
use debate::{Caches, SearchFiller};
use writer::{Writer, WriterTask};

/// Times are stored in microseconds. They are rounded before a write is answered, so that later reads return the same.
const STORED_DIGITS: u16 = 6;

/// The most writes in the queue; further callers wait until there is room.
const QUEUE_CAPACITY: usize = 4 * batch_limits::MAX_BATCH_WRITES;

/// The database with all debates and documents.
#[derive(Debug)]
pub struct Store {
    read: BoundedPool,
    search: SearchPool,
    write: Arc<BoundedPool>,
    message_writer: Arc<MessageWriter>,
    caches: Arc<Caches>,
    search_filler: Arc<SearchFiller>,
    queue: Queue,
    writer: WriterTask,
    notifier: Option<Notifier>,
    location: Location,
    clock_and_ids: ClockAndIds,
    reading: Attempts,
    writing: Arc<Attempts>,
    trying_to_write: Mutex<()>,
    _file_lock: Option<backend::FileLock>,
}

impl Store {
    /// Opens the database, migrates its schema and starts the writer. `readers` is the number of connections for reading;
    /// by default 4 for SQLite and 8 for PostgreSQL.
    ///
    /// `on_commit` gets the commits in order, once they are durable and before their callers are answered. `message_writer` has the
    /// receivers of webhooks, for whom messages are stored with the arguments that cause them.
    ///
    /// # Errors
    /// If the database cannot be opened, is locked by another server, or has a newer schema than this program.
    pub async fn open(
        location: &Location,
        readers: Option<u32>,
        clock_and_ids: ClockAndIds,
        message_writer: MessageWriter,
        on_commit: impl Fn(&[Arc<Commit>]) + Send + 'static,
    ) -> Result<Self, OpenError> {
        let backend::Opened { read, write, file_lock } = backend::open(location, readers).await?;
        migrate::up(location, &write.current()).await?;
        let backfilled = debate::backfill_hashes(&write.current()).await;
        backfilled.map_err(|error| backend::explained(location, error.into()))?;
        let search = SearchPool::open(location).await?;

        // Whoever holds the lock of a database file is its only writer.
        let caches = Arc::new(Caches::new(file_lock.is_some()));
        let notifier = backend::start_notifier(location, (clock_and_ids.new_id)(), {
            let caches = caches.clone();
            move |last_seqs| caches.debates.invalidate_older(last_seqs)
        });
        let notify_peers = notifier.as_ref().map(Notifier::sender);
        let (write, message_writer) = (Arc::new(write), Arc::new(message_writer));
        let search_filler = Arc::new(SearchFiller::new(read.clone(), write.clone()));
        let (filled, texts_added) = (message_writer.clone(), search_filler.clone());
        let on_commit = move |commits: &[Arc<Commit>]| {
            on_commit(commits);
            filled.committed(commits);
            texts_added.wake();
            if let Some(notify_peers) = &notify_peers {
                notify_peers(commits);
            }
        };
        let stop = CancellationToken::new();
        let (queue, batches) = batch_queue::open(QUEUE_CAPACITY, stop.clone());
        let writing = Arc::new(Attempts::default());
        let writer = Writer {
            pool: write.clone(),
            clock_and_ids,
            caches: caches.clone(),
            message_writer: message_writer.clone(),
            attempts: writing.clone(),
        };
        tokio::spawn(search_filler.clone().run(stop.clone()));
        let writer = writer.start(batches, stop, on_commit);
        Ok(Self {
            read,
            search,
            write,
            message_writer,
            caches,
            search_filler,
            queue,
            writer,
            notifier,
            location: location.clone(),
            clock_and_ids,
            reading: Attempts::default(),
            writing,
            trying_to_write: Mutex::default(),
            _file_lock: file_lock,
        })
    }

    /// Creates a debate or adds an argument. Once it returns, the write survives a crash of the machine.
    ///
    /// The write is carried out even if the caller goes away.
    pub async fn write_debate(&self, write: DebateWrite) -> Result<DebateWritten, WriteError> {
        let mut written: DebateWritten = self.queue.write(write).await?;
        // What came before an argument never changes, so this can be read after the commit.
        written.unseen_citations = self.unseen_citations(&written.argument).await?;
        Ok(written)
    }

    /// Frees a seat, with the same guarantees as [`Store::write_debate`]. Freeing it again changes nothing.
    pub async fn free_seat(&self, seat: FreeSeat) -> Result<SeatFreed, WriteError> {
        self.queue.write(seat).await
    }

    /// Creates a document or adds a version, with the same guarantees as [`Store::write_debate`].
    pub async fn write_document(&self, write: DocumentWrite) -> Result<DocumentWritten, WriteError> {
        self.queue.write(write).await
    }

    /// Marks a document as deleted: lists leave it out, and its versions can still be read. Deleting it again changes
    /// nothing.
    pub async fn delete_document(&self, id: DocumentId) -> Result<DocumentDeleted, WriteError> {
        self.queue.write(id).await
    }

    /// Returns once the writer has ended without being stopped: a bug in this program, after which the caches may be wrong.
    pub async fn failed(&self) {
        self.writer.failed().await;
    }

    /// Checks that the database answers and that the writer runs.
    pub async fn ping(&self) -> Result<(), StoreError> {
        if self.writer.has_failed() {
            return Err(StoreError::Unavailable("the writer has stopped".to_owned()));
        }
        self.read.execute_unprepared("SELECT 1").await?;
        Ok(())
    }

    /// Stores what is queued, takes no further writes, and closes the database.
    pub async fn close(&self) {
        self.writer.close().await;
        if let Some(notifier) = &self.notifier {
            notifier.close().await;
        }
        self.search.close().await;
        self.read.close().await;
    }
}

#[cfg(test)]
mod batch_queue_tests;
#[cfg(test)]
mod search_tests;
#[cfg(test)]
mod seat_tests;
#[cfg(test)]
mod tests;
