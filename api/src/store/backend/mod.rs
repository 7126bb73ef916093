//! What differs between databases: how to connect, how a write transaction begins, which errors pass, how servers tell
//! each other of writes.
//!
//! The only folder that may ask which backend it is, and this the only file that does.

mod line;
mod postgres;
mod sqlite;
mod texts;

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, IsolationLevel, RuntimeErr,
    SqliteTransactionMode, TransactionOptions, TransactionTrait, prelude::Uuid,
};

pub(super) use line::Line;
pub(super) use postgres::{Notices, Wire};
pub(super) use sqlite::{copy_into, hold, open_alone, settle};
pub(super) use texts::statement;

use super::{
    error::{OpenError, StoreError},
    steps::{self, Step},
};

/// Where the database is.
#[derive(Debug, Clone)]
pub enum Location {
    /// A file of SQLite
    Sqlite(PathBuf),
    /// A database of a PostgreSQL server
    Postgres(postgres::Address),
}

impl FromStr for Location {
    type Err = OpenError;

    fn from_str(url: &str) -> Result<Self, Self::Err> {
        let refused = |url: String, reason: &str| Err(OpenError::Url { url, reason: reason.to_owned() });
        // Whatever stands before an @ may be a password.
        let shown = || url.rsplit_once('@').map_or(url.to_owned(), |(_, rest)| format!("…@{rest}"));
        if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            return match postgres::Address::parse(url) {
                Some(address) => Ok(Self::Postgres(address)),
                // Where it cannot be told apart, any part of it may be a password.
                None => refused(
                    "postgres:…".to_owned(),
                    "it should be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters as %XX",
                ),
            };
        }
        let Some(path) = url.strip_prefix("sqlite:") else {
            return refused(shown(), "it should be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE");
        };
        let path = path.strip_prefix("//").unwrap_or(path);
        if path.is_empty() || path.contains(":memory:") || path.contains('?') {
            let reason = "it should name a file, as in sqlite:/home/me/debate.db, without parameters";
            return refused(shown(), reason);
        }
        Ok(Self::Sqlite(path.into()))
    }
}

/// A database that is no file.
#[derive(Debug, thiserror::Error)]
#[error(
    "{database} is a database of PostgreSQL, which has tools of its own for this: pg_dump and pg_restore, or base backups; \
     aweave-server copy --from URL --to sqlite:PATH makes a file of it"
)]
pub struct NoFile {
    /// Where it is, without user and password
    pub database: String,
}

impl Location {
    /// A database that is this file.
    pub(super) fn of_file(path: &Path) -> Self {
        Self::Sqlite(path.to_owned())
    }

    /// The file that the database is.
    ///
    /// # Errors
    /// Where it is none.
    pub(super) fn file(&self) -> Result<&Path, NoFile> {
        match self {
            Self::Sqlite(path) => Ok(path),
            Self::Postgres(_) => Err(NoFile { database: self.to_string() }),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => path.display().fmt(f),
            Self::Postgres(address) => address.fmt(f),
        }
    }
}

/// An open database.
pub(super) struct Opened {
    pub read: Line,
    pub write: Line,
    pub hold: Hold,
    /// How servers tell each other of writes; none where no other server writes to it as long as it is held
    pub wire: Option<Wire>,
}

/// Keeps what must not end before the store does.
#[derive(Debug)]
pub(super) enum Hold {
    /// Keeps other servers away from the file
    Alone { _lock: sqlite::Lock },
    /// Others may write as well
    Shared,
}

/// Opens the database, with so many connections that read at the same time; by default as many as suit it.
pub(super) async fn open(location: &Location, readers: Option<u32>) -> Result<Opened, OpenError> {
    let opened = match location {
        Location::Sqlite(path) => sqlite::open(path, readers).await,
        Location::Postgres(address) => postgres::open(address, readers).await,
    };
    opened.map_err(|error| explained(location, error))
}

/// Whether there is something to open, as opening a file would make it.
pub(super) fn is_there(location: &Location) -> bool {
    match location {
        Location::Sqlite(path) => path.exists(),
        Location::Postgres(_) => true,
    }
}

/// Opens a database that is there, to look at only, also while servers write to it.
pub(super) async fn open_to_read(location: &Location) -> Result<DatabaseConnection, OpenError> {
    let opened = match location {
        Location::Sqlite(path) => sqlite::open_to_read(path).await,
        Location::Postgres(address) => postgres::open(address, Some(1)).await.map(|opened| opened.read.current()),
    };
    opened.map_err(|error| explained(location, error))
}

/// Has the database check what lies below its rows, as far as it can.
pub(super) async fn check_pages(location: &Location, connection: &DatabaseConnection) -> Result<(), StoreError> {
    match location {
        Location::Sqlite(_) => sqlite::check_pages(connection).await,
        // It checks each page as it reads it, where it is set up to.
        Location::Postgres(_) => Ok(()),
    }
}

/// Begins a transaction that only reads: everything in it is of one moment.
pub(super) async fn begin_read(
    location: &Location,
    connection: &DatabaseConnection,
) -> Result<DatabaseTransaction, DbErr> {
    let isolation_level = match location {
        // Whatever reads a file in one transaction reads it as it was at its beginning.
        Location::Sqlite(_) => None,
        Location::Postgres(_) => Some(IsolationLevel::RepeatableRead),
    };
    connection.begin_with_options(TransactionOptions { isolation_level, ..TransactionOptions::default() }).await
}

/// Begins a transaction that will write: what it reads stays true until it commits.
pub(super) async fn begin_write(connection: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    connection.begin_with_options(options).await
}

/// Carries out steps in one transaction, all or none of them, with as few trips to the database as it allows.
pub(super) async fn carry_out(connection: &DatabaseConnection, steps: Vec<Step>) -> Result<(), DbErr> {
    if connection.get_database_backend() == DbBackend::Sqlite && sqlite::script::suits(&steps) {
        return sqlite::script::carry_out(connection, steps).await;
    }
    let transaction = begin_write(connection).await?;
    steps::carry_out(&transaction, steps).await?;
    transaction.commit().await
}

/// Keeps other servers from changing the schema until the transaction ends.
pub(super) async fn lock_schema(location: &Location, transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    match location {
        // Whoever writes has the file for himself.
        Location::Sqlite(_) => Ok(()),
        Location::Postgres(_) => postgres::lock_schema(transaction).await,
    }
}

/// Makes the index of titles, where there is none and there can be one.
pub(super) async fn index_titles(location: &Location, transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    match location {
        Location::Sqlite(_) => sqlite::titles::index(transaction).await,
        Location::Postgres(_) => postgres::titles::index(transaction).await,
    }
}

/// The SQL that aggregates rows of `debates` to a JSON array of arrays, in the order in which `debate::rows` reads them.
pub(super) fn debates_as_json(connection: &impl ConnectionTrait) -> &'static str {
    if connection.get_database_backend() == DbBackend::Sqlite {
        sqlite::DEBATES_AS_JSON
    } else {
        postgres::DEBATES_AS_JSON
    }
}

/// The debates whose title holds a text, where that is found without looking at debates; in no order. None where whoever
/// asks for such debates does better by himself.
pub(super) async fn find_titles(connection: &impl ConnectionTrait, folded: &str) -> Result<Option<Vec<Uuid>>, DbErr> {
    if connection.get_database_backend() == DbBackend::Sqlite {
        return sqlite::titles::find(connection, folded).await;
    }
    Ok(None)
}

/// Finds out whether these tables may be read and written.
pub(super) async fn check_rights(
    location: &Location,
    transaction: &DatabaseTransaction,
    tables: &[&str],
) -> Result<(), OpenError> {
    match location {
        // Whoever could open the file may do everything with it.
        Location::Sqlite(_) => Ok(()),
        Location::Postgres(_) => postgres::check_rights(transaction, tables).await,
    }
}

/// Why the database could not be opened, in words that fit it.
pub(super) fn explained(location: &Location, error: OpenError) -> OpenError {
    let OpenError::Database(cause) = error else { return error };
    let remedy = match location {
        Location::Postgres(address) if postgres::is_forbidden(&cause) => {
            return OpenError::ReadOnly { user: address.user().to_owned() };
        }
        Location::Postgres(_) => "look at what PostgreSQL logged meanwhile, then try again",
        Location::Sqlite(_) => {
            "check that its disk is well and has room, and that this user may write to it and to its folder, then try again"
        }
    };
    OpenError::Unusable { database: location.to_string(), reason: cause.to_string(), remedy }
}

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        if is_passing(&error) { Self::Unavailable(error.to_string()) } else { Self::Unexpected(error) }
    }
}

/// Whether the same statement may succeed later: the database is busy, full, read-only or away.
fn is_passing(error: &DbErr) -> bool {
    // Whatever keeps it from being reached may change.
    if let DbErr::ConnectionAcquire(_) | DbErr::Conn(_) = error {
        return true;
    }
    match source(error) {
        Some(sqlx::Error::Database(error)) => {
            sqlite::is_passing(error.as_ref()) || postgres::is_passing(error.as_ref())
        }
        Some(
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed,
        ) => true,
        Some(_) | None => false,
    }
}

/// Whether it failed only because another server got in between: it may succeed at once.
pub(super) fn is_contended(error: &DbErr) -> bool {
    match source(error) {
        Some(sqlx::Error::Database(error)) => error.is_unique_violation() || postgres::is_contended(error.as_ref()),
        Some(_) | None => matches!(error, DbErr::RecordNotUpdated),
    }
}

fn source(error: &DbErr) -> Option<&sqlx::Error> {
    let (DbErr::Conn(RuntimeErr::SqlxError(source))
    | DbErr::Exec(RuntimeErr::SqlxError(source))
    | DbErr::Query(RuntimeErr::SqlxError(source))) = error
    else {
        return None;
    };
    Some(source)
}
