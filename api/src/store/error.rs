//! The errors of the store.

use std::fmt;

use uuid::Uuid;

use crate::domain::{DebateId, DocumentError, DocumentId, RequestId, SeatTaken, Side, SubmitError};

/// A row that this program never writes, or one that does not fit the others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("table {table}, column {column}, row {row}: {reason}")]
pub struct InconsistentRow {
    /// The table
    pub table: &'static str,
    /// The column with the impossible value
    pub column: &'static str,
    /// The row
    pub row: RowName,
    /// What is wrong with the value
    pub reason: String,
}

/// How errors name a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowName {
    /// A debate, with the `seq` of its newest argument as far as it can be told
    Debate(Uuid, Option<i64>),
    /// An argument
    Argument {
        /// Its id, if it is there
        id: Option<Uuid>,
        /// Its debate
        debate: Uuid,
        /// Its `seq`
        seq: i64,
    },
    /// An issue
    Issue {
        /// Its number; none if it cannot be read
        number: Option<i32>,
        /// Its debate
        debate: Uuid,
        /// The `seq` of the argument that changed it last
        seq: i64,
    },
    /// A document
    Document(Uuid),
    /// A version of a document
    Version(Uuid, i64),
    /// A row of something that belongs to neither debates nor documents
    Other(String),
}

impl fmt::Display for RowName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Debate(id, Some(seq)) => write!(f, "{id} (seq {seq})"),
            Self::Debate(id, None) | Self::Document(id) => id.fmt(f),
            Self::Argument { id: Some(id), debate, seq } => write!(f, "{id} (debate {debate}, seq {seq})"),
            Self::Argument { id: None, debate, seq } => write!(f, "of debate {debate}, seq {seq}"),
            Self::Issue { number: Some(number), debate, seq } => write!(f, "I{number} (debate {debate}, seq {seq})"),
            Self::Issue { number: None, debate, seq } => write!(f, "of debate {debate}, seq {seq}"),
            Self::Version(id, version) => write!(f, "{id} v{version}"),
            Self::Other(name) => f.write_str(name),
        }
    }
}

impl InconsistentRow {
    pub(super) fn new(table: &'static str, column: &'static str, row: RowName, reason: impl fmt::Display) -> Self {
        Self { table, column, row, reason: reason.to_string() }
    }

    /// The error for a row that cannot be decoded, for example because a text is not UTF-8. `error` names the column.
    pub(super) fn undecodable(table: &'static str, row: RowName, error: &sea_orm::DbErr) -> Self {
        Self::new(table, "*", row, format!("cannot be read: {error}"))
    }

    /// The debate that it belongs to, and the `seq` of the argument where it is one.
    pub fn debate(&self) -> Option<(DebateId, Option<u64>)> {
        match self.row {
            RowName::Debate(id, _) | RowName::Issue { debate: id, .. } => Some((DebateId(id), None)),
            RowName::Argument { debate, seq, .. } => Some((DebateId(debate), u64::try_from(seq).ok())),
            RowName::Document(_) | RowName::Version(..) | RowName::Other(_) => None,
        }
    }

    /// The document that it belongs to, and the number of the version where it is one.
    pub fn document(&self) -> Option<(DocumentId, Option<u64>)> {
        match self.row {
            RowName::Document(id) => Some((DocumentId(id), None)),
            RowName::Version(id, version) => Some((DocumentId(id), u64::try_from(version).ok())),
            RowName::Debate(..) | RowName::Argument { .. } | RowName::Issue { .. } | RowName::Other(_) => None,
        }
    }
}

/// Why a query or a write failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database is busy, full or unreachable; a retry may succeed.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// The database has a row that this program never writes.
    #[error(transparent)]
    Inconsistent(#[from] InconsistentRow),
    /// Any other error of the database.
    #[error("the database failed: {0}")]
    Unexpected(sea_orm::DbErr),
}

/// Why a write was not stored.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The rules of debates do not allow it.
    #[error("the debate does not allow it: {0:?}")]
    Refused(SubmitError),
    /// There is no such debate.
    #[error("there is no debate {0}")]
    DebateNotFound(DebateId),
    /// Another request created a debate with this id.
    #[error("debate {0} already exists")]
    DebateExists(DebateId),
    /// The seat of this side belongs to the holder of another key.
    #[error("the seat of the {0} is taken")]
    SeatTaken(Side),
    /// There is no such document, or it is deleted.
    #[error(transparent)]
    DocumentMissing(#[from] DocumentError),
    /// The request id was used with other content.
    #[error("the request id {} was already used with another payload", .0.as_str())]
    IdempotencyConflict(RequestId),
    /// The database failed. A retry with the same request id tells whether the write was stored.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SeatTaken> for WriteError {
    fn from(SeatTaken(side): SeatTaken) -> Self {
        Self::SeatTaken(side)
    }
}

/// Why the database could not be opened, for whoever starts the server.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The database URL is invalid.
    #[error("the database URL {url} is invalid: {reason}")]
    Url {
        /// The URL without user and password
        url: String,
        /// What is wrong with it
        reason: String,
    },
    /// A file or folder cannot be created or read.
    #[error(
        "{path} cannot be opened: {source}; check that this user may read and write there, and that the disk works"
    )]
    File {
        /// The file or folder
        path: String,
        /// The error of the system
        source: std::io::Error,
    },
    /// The database file is in an unsafe place.
    #[error("{path} {reason} (the database is set by DEBATE_DB_PATH or --database-url)")]
    UnsafePlace {
        /// The file or its folder
        path: String,
        /// What is wrong with it
        reason: String,
    },
    /// The linked SQLite library has a bug that may corrupt the database.
    #[error("this server was built with SQLite {version}, which may corrupt a database; it needs {required} or later")]
    LibraryVersion {
        /// The linked version
        version: String,
        /// The first version that is safe
        required: &'static str,
    },
    /// Another server uses the database file.
    #[error(
        "{path} is in use by another aweave-server; stop that one first, or choose another file with DEBATE_DB_PATH"
    )]
    Locked {
        /// The database file
        path: String,
    },
    /// A newer version of this program migrated the database.
    #[error("the database has migration {version}, which is newer than this aweave-server; install a newer one")]
    Newer {
        /// The first unknown migration
        version: String,
    },
    /// An older version of this program, or none, migrated the database.
    #[error("the database lacks migrations of this aweave-server; start the server on it once to apply them")]
    Older,
    /// The database has a table of the same name that another program created.
    #[error("the database has a table {table} of another program; give this server a database or a schema of its own")]
    ForeignTable {
        /// The table
        table: String,
    },
    /// The database cannot be connected to.
    #[error(
        "{database} cannot be reached: {reason}; check that it runs there and accepts connections from this machine"
    )]
    Unreachable {
        /// The URL without user and password
        database: String,
        /// The error of the connection
        reason: String,
    },
    /// User or password are wrong.
    #[error("{database} refuses user {user}: {reason}; check user and password in the database URL")]
    Login {
        /// The URL without user and password
        database: String,
        /// The user
        user: String,
        /// The error of the database
        reason: String,
    },
    /// The database does not exist.
    #[error("{database} does not exist; create it first: CREATE DATABASE \"{name}\"")]
    NoDatabase {
        /// The URL without user and password
        database: String,
        /// The name of the database
        name: String,
    },
    /// The user may not write to the database.
    #[error(
        "{user} may not write to the database; grant that role the rights to create and write tables, or use another"
    )]
    ReadOnly {
        /// The user
        user: String,
    },
    /// Commits would not survive a crash of the machine.
    #[error("the database is not durable: {0}")]
    NotDurable(String),
    /// The database failed while it was opened.
    #[error("{database} cannot be used: {reason}; {remedy}")]
    Unusable {
        /// The URL without user and password
        database: String,
        /// The error of the system or the database
        reason: String,
        /// What to do
        remedy: &'static str,
    },
    /// The same without a remedy, until the caller adds one.
    #[error("the database cannot be opened: {0}")]
    Database(#[from] sea_orm::DbErr),
}
