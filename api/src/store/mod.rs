//! The only code that speaks SQL: what is read, and the one writer through which everything is written.
//!
//! The same statements run on every backend; what differs between backends is in `backend`, and nowhere else.

mod backend;
mod backup;
mod batch;
mod copy;
mod debate;
mod document;
mod error;
mod library;
mod migrate;
mod others;
mod place;
mod queue;
mod restore;
mod search;
mod sets;
mod snapshot;
mod sources;
mod steps;
mod verify;
mod writer;

use std::sync::Arc;

use sea_orm::ConnectionTrait;

pub use backend::{Location, NoFile};
pub use backup::{Backup, BackupError, backup};
pub use copy::{CopyError, Progress, copy};
pub use debate::Range;
pub use error::{InconsistentRow, OpenError, StoreError, WriteError};
pub use others::{Elsewhere, Others};
pub use restore::{RestoreError, Restored, restore};
pub use snapshot::SnapshotError;
pub use sources::Sources;
pub use verify::{Verified, VerifyError, verify};

use crate::domain::{
    Argument, Debate, Document, DocumentId, DocumentVersion, Hash, NewDebate, NewDocument, NewVersion, Submission,
};
use backend::{Line, Notices};
use debate::Memory;
use writer::Writer;

/// Times are stored in microseconds: what is answered at once must be what is read later.
const STORED_DIGITS: u16 = 6;

/// Something to be stored of a debate.
#[derive(Debug, Clone)]
pub enum Write {
    /// A debate with its MOTION
    Create(NewDebate),
    /// An argument of a debate that is there
    Submit(Submission),
}

/// One argument that was stored, with its debate as the argument left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The debate
    pub debate: Debate,
    /// The argument
    pub argument: Arc<Argument>,
}

/// What became of a [`Write`].
#[derive(Debug, Clone)]
pub struct Written {
    /// The argument, and the debate as it is now
    pub commit: Arc<Commit>,
    /// Whether the same request had been stored before, so that nothing was stored now
    pub replayed: bool,
    /// The hash before the argument, where it was stored now and is not the MOTION
    pub previous: Option<Hash>,
}

/// Something to be stored of a document.
#[derive(Debug, Clone)]
pub enum DocumentWrite {
    /// A document with its first version
    Create(NewDocument),
    /// A further version of a document that is there
    Submit(NewVersion),
}

/// What became of a [`DocumentWrite`].
#[derive(Debug, Clone)]
pub struct DocumentWritten {
    /// The document as it is now
    pub document: Document,
    /// The version that was stored, now or by the same request before
    pub version: Arc<DocumentVersion>,
    /// Whether it had been stored before
    pub replayed: bool,
}

/// The one true state of all debates and documents.
#[derive(Debug)]
pub struct Store {
    read: Line,
    memory: Arc<Memory>,
    writer: Writer,
    notices: Option<Notices>,
    _hold: backend::Hold,
}

impl Store {
    /// Opens the database, brings its schema up to date and starts the writer. `readers` is how many connections read at
    /// the same time; by default as many as suit the database.
    ///
    /// `on_commit` is told of what was stored, in order, once it is durable and before the writers are answered.
    ///
    /// # Errors
    /// Where the database cannot be opened or is held by another server, or where its schema is newer than this program.
    pub async fn open(
        location: &Location,
        readers: Option<u32>,
        sources: Sources,
        on_commit: impl Fn(&[Arc<Commit>]) + Send + 'static,
    ) -> Result<Self, OpenError> {
        let backend::Opened { read, write, hold, wire } = backend::open(location, readers).await?;
        migrate::up(location, &write.current()).await?;
        debate::seal(&write.current()).await.map_err(|error| backend::explained(location, error.into()))?;
        let memory = Arc::new(Memory::new(wire.is_none()));
        let notices = wire.map(|wire| {
            let memory = memory.clone();
            wire.start((sources.new_id)(), move |moved| memory.forget_older(moved))
        });
        let tell = notices.as_ref().map(Notices::teller);
        let writer = Writer::start(write, sources, memory.clone(), move |commits| {
            on_commit(commits);
            if let Some(tell) = &tell {
                tell(commits);
            }
        });
        Ok(Self { read, memory, writer, notices, _hold: hold })
    }

    /// Stores `write`, or tells why not. Once it returns, what was stored survives a crash of the machine.
    ///
    /// The write is carried out even where the caller goes away meanwhile.
    pub async fn write(&self, write: Write) -> Result<Written, WriteError> {
        self.writer.write(write).await
    }

    /// Stores a document or a version of one, as [`Store::write`] does an argument.
    pub async fn write_document(&self, write: DocumentWrite) -> Result<DocumentWritten, WriteError> {
        self.writer.write_document(write).await
    }

    /// Deletes the document, or tells what it is where it was before: gone from lists, its versions still there to read.
    pub async fn delete_document(&self, id: DocumentId) -> Result<Document, WriteError> {
        self.writer.delete_document(id).await
    }

    /// Returns once nothing can be stored any more though nobody closed the store: a fault in this program ended what
    /// writes, and what is remembered may be wrong.
    pub async fn failed(&self) {
        self.writer.failed().await;
    }

    /// Returns once the store has answered, and can be written to.
    pub async fn ping(&self) -> Result<(), StoreError> {
        if self.writer.has_failed() {
            return Err(StoreError::Unavailable("what writes has ended".to_owned()));
        }
        self.read.execute_unprepared("SELECT 1").await?;
        Ok(())
    }

    /// Stores what is queued, takes nothing more, and lets go of the database.
    pub async fn close(&self) {
        self.writer.close().await;
        if let Some(notices) = &self.notices {
            notices.close().await;
        }
        self.read.close().await;
    }
}

#[cfg(test)]
mod tests;
