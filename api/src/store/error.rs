//! Why the store did not do what it was asked.

use std::fmt;

use crate::domain::{DebateId, DocumentError, RequestId, SubmitError};

/// A row that cannot be: no write of this program leaves it behind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("table {table}, column {column}, row {row}: {reason}")]
pub struct InconsistentRow {
    /// The table
    pub table: &'static str,
    /// The column that gives it away
    pub column: &'static str,
    /// The row's id
    pub row: String,
    /// What is wrong
    pub reason: String,
}

impl InconsistentRow {
    pub(super) fn new(
        table: &'static str,
        column: &'static str,
        row: impl fmt::Display,
        reason: impl fmt::Display,
    ) -> Self {
        Self { table, column, row: row.to_string(), reason: reason.to_string() }
    }
}

/// Why the store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot answer now, but may later: busy, full, away.
    #[error("the store cannot answer now: {0}")]
    Unavailable(String),
    /// It holds a row that cannot be.
    #[error(transparent)]
    Inconsistent(#[from] InconsistentRow),
    /// Anything else.
    #[error("the store failed: {0}")]
    Unexpected(sea_orm::DbErr),
}

/// Why something was not stored.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The domain refuses it.
    #[error("the debate does not allow it: {0:?}")]
    Refused(SubmitError),
    /// No such debate.
    #[error("there is no debate {0}")]
    DebateNotFound(DebateId),
    /// The debate id is in use under another request id.
    #[error("there is a debate {0} already")]
    DebateExists(DebateId),
    /// No such document, or none that takes a version.
    #[error(transparent)]
    DocumentMissing(#[from] DocumentError),
    /// The request id is in use with another payload.
    #[error("the request id {} was used before with another payload", .0.as_str())]
    IdempotencyConflict(RequestId),
    /// The store failed; whether anything was stored is told by a retry with the same request id.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why the store could not be opened; to be shown to whoever starts the server.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The database URL is none that this server understands.
    #[error("the database URL {url} is not understood: {reason}")]
    Url {
        /// The URL, without any password
        url: String,
        /// What is wrong with it
        reason: String,
    },
    /// A file or folder could not be made or read.
    #[error(
        "{path} cannot be opened: {source}; check that this user may read and write there, and that the disk is well"
    )]
    File {
        /// Which
        path: String,
        /// Why
        source: std::io::Error,
    },
    /// The database lies where it would not be safe.
    #[error("{path} {reason} (DEBATE_DB_PATH and --database-url say where the database is)")]
    Place {
        /// The file, or its folder
        path: String,
        /// What is wrong with it
        reason: String,
    },
    /// The library that keeps the database is one that may lose what it acknowledged.
    #[error("this server was built with SQLite {version}, which may corrupt a database; it needs {needed} or later")]
    Library {
        /// What there is
        version: String,
        /// What it takes
        needed: &'static str,
    },
    /// Another server holds the database.
    #[error("{path} is held by another aweave-server; stop that one first, or choose another file with DEBATE_DB_PATH")]
    Held {
        /// The database
        path: String,
    },
    /// The database was written by a later version of this program.
    #[error("the database has schema step {version}, which is newer than this aweave-server; install a newer one")]
    Newer {
        /// The first step that is not known here
        version: String,
    },
    /// The database was written by an earlier version of this program, or never by it.
    #[error(
        "the database has not the schema of this aweave-server; start the server on it once, which brings it up to date"
    )]
    Older,
    /// The database holds tables of the same name that are not ours.
    #[error(
        "the database has a table {table} that is not aweave-server's; give this server a database or a schema of its own"
    )]
    Strangers {
        /// Which
        table: String,
    },
    /// The database's machine does not answer, or not as it should.
    #[error("{database} cannot be reached: {reason}; check that it runs there and lets this machine in")]
    Unreachable {
        /// Where, without user and password
        database: String,
        /// Why
        reason: String,
    },
    /// User or password are not taken.
    #[error("{database} does not let {user} in: {reason}; check user and password in the database URL")]
    Entry {
        /// Where, without user and password
        database: String,
        /// Who
        user: String,
        /// Why
        reason: String,
    },
    /// There is no such database.
    #[error("{database} is not there; create it first: CREATE DATABASE \"{name}\"")]
    NoDatabase {
        /// Where, without user and password
        database: String,
        /// What it should be called
        name: String,
    },
    /// The database may only be read.
    #[error("the database may only be read by {user}; let that role create and write tables, or name another")]
    ReadOnly {
        /// Who
        user: String,
    },
    /// The database does not keep what it acknowledges.
    #[error("the database is not durable: {0}")]
    NotDurable(String),
    /// The database cannot be used.
    #[error("{database} cannot be used: {reason}; {remedy}")]
    Unusable {
        /// Where, without user and password
        database: String,
        /// What the system or the database said
        reason: String,
        /// What to do about it
        remedy: &'static str,
    },
    /// Anything else.
    #[error("the database cannot be opened: {0}")]
    Database(#[from] sea_orm::DbErr),
}
