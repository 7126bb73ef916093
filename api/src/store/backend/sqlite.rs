//! What differs between databases: how to connect, how a write transaction begins, which errors pass.
//!
//! The only file that may ask which backend it is.

use std::{
    fmt,
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, DbErr, RuntimeErr,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
    sqlx::{
        self,
        sqlite::{SqliteJournalMode, SqliteSynchronous},
    },
};

use super::{
    error::{OpenError, StoreError},
    library, place,
};

/// Connections that read at the same time.
const READERS: u32 = 4;

/// How long a statement waits for another process, such as a backup, that locks the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Prepared statements that each connection keeps: every statement in each of its padded sizes.
const STATEMENTS_KEPT: usize = 256;

/// Rows that a reading statement may be ahead of whoever takes them.
const ROWS_AHEAD: usize = 1024;

/// Where the database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A file of SQLite
    Sqlite(PathBuf),
}

impl FromStr for Location {
    type Err = OpenError;

    fn from_str(url: &str) -> Result<Self, Self::Err> {
        let refused = |reason: &str| {
            // Whatever stands before an @ may be a password.
            let shown = url.rsplit_once('@').map_or(url.to_owned(), |(_, rest)| format!("…@{rest}"));
            Err(OpenError::Url { url: shown, reason: reason.to_owned() })
        };
        if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            return refused("this version keeps debates in SQLite only; give sqlite:PATH");
        }
        let Some(path) = url.strip_prefix("sqlite:") else {
            return refused("it should be sqlite:PATH");
        };
        let path = path.strip_prefix("//").unwrap_or(path);
        if path.is_empty() || path.contains(":memory:") || path.contains('?') {
            return refused("it should name a file, as in sqlite:/home/me/debate.db, without parameters");
        }
        Ok(Self::Sqlite(path.into()))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => path.display().fmt(f),
        }
    }
}

/// Keeps other servers away from the database as long as it lives.
#[derive(Debug)]
pub(super) struct Hold {
    _lock: File,
}

/// An open database.
pub(super) struct Opened {
    pub read: DatabaseConnection,
    pub write: DatabaseConnection,
    pub hold: Hold,
    /// Whether no other server writes to it as long as it is held
    pub alone: bool,
}

/// Opens the database, creating it where it is missing.
pub(super) async fn open(location: &Location) -> Result<Opened, OpenError> {
    let Location::Sqlite(path) = location;
    let hold = Hold { _lock: prepare_file(path)? };
    let write = Database::connect(sqlite(path, 1)).await?;
    library::check(&write).await?;
    check_durable(&write).await?;
    let read = Database::connect(sqlite(path, READERS)).await?;
    Ok(Opened { read, write, hold, alone: true })
}

/// Opens a database that is there, to look at only, also while a server holds it.
pub(super) async fn open_to_read(location: &Location) -> Result<DatabaseConnection, OpenError> {
    let Location::Sqlite(path) = location;
    let file = path.to_owned();
    fs::metadata(&file).map_err(|source| OpenError::File { path: file.display().to_string(), source })?;
    let mut options = ConnectOptions::new("sqlite:");
    options.max_connections(1).sqlx_logging_level(log::LevelFilter::Debug).map_sqlx_sqlite_opts(move |sqlite| {
        sqlite.filename(&file).read_only(true).busy_timeout(BUSY_TIMEOUT).row_buffer_size(ROWS_AHEAD)
    });
    Ok(Database::connect(options).await?)
}

/// Has the database check what lies below its rows, as far as it can.
pub(super) async fn check_pages(connection: &DatabaseConnection) -> Result<(), StoreError> {
    let check = Statement::from_string(connection.get_database_backend(), "PRAGMA integrity_check(1)");
    let found: Option<String> = match connection.query_one_raw(check).await? {
        Some(row) => Some(row.try_get_by_index(0)?),
        None => None,
    };
    match found {
        Some(fault) if fault != "ok" => {
            Err(StoreError::Unexpected(DbErr::Custom(format!("the file is damaged: {fault}"))))
        }
        Some(_) | None => Ok(()),
    }
}

/// Makes the folder and the file, readable by their owner only, and locks the file against other servers.
fn prepare_file(path: &Path) -> Result<File, OpenError> {
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |source| OpenError::File { path, source }
    };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed(folder))?;
    }
    place::check(path)?;
    let private =
        |path: &Path| OpenOptions::new().create(true).append(true).mode(0o600).open(path).map_err(failed(path));
    private(path)?;
    // Not the database itself: closing any handle on it would drop the locks that SQLite holds there.
    let mut lock_path = path.as_os_str().to_owned();
    lock_path.push(".lock");
    let lock = private(Path::new(&lock_path))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(OpenError::Held { path: shown(path) }),
        Err(TryLockError::Error(source)) => Err(OpenError::File { path: shown(path), source }),
    }
}

fn shown(path: &Path) -> String {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

fn sqlite(path: &Path, connections: u32) -> ConnectOptions {
    let file = path.to_owned();
    let mut options = ConnectOptions::new("sqlite:");
    options
        .max_connections(connections)
        .min_connections(1)
        // A connection to a file does not go stale: neither ask it before each use nor close it for its age.
        .test_before_acquire(false)
        .map_sqlx_sqlite_pool_opts(|pool| pool.idle_timeout(None).max_lifetime(None))
        .sqlx_logging_level(log::LevelFilter::Debug)
        .map_sqlx_sqlite_opts(move |sqlite| {
            sqlite
                .filename(&file)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .foreign_keys(true)
                .busy_timeout(BUSY_TIMEOUT)
                .statement_cache_capacity(STATEMENTS_KEPT)
                .row_buffer_size(ROWS_AHEAD)
        });
    options
}

/// Reads back what the promise to survive a power cut rests on.
async fn check_durable(connection: &DatabaseConnection) -> Result<(), OpenError> {
    let ask = |pragma: &str| Statement::from_string(connection.get_database_backend(), format!("PRAGMA {pragma}"));
    let synchronous: Option<i32> = match connection.query_one_raw(ask("synchronous")).await? {
        Some(row) => Some(row.try_get_by_index(0)?),
        None => None,
    };
    let journal: Option<String> = match connection.query_one_raw(ask("journal_mode")).await? {
        Some(row) => Some(row.try_get_by_index(0)?),
        None => None,
    };
    const FULL: i32 = 2;
    if synchronous != Some(FULL) || journal.as_deref() != Some("wal") {
        return Err(OpenError::NotDurable(format!("synchronous is {synchronous:?}, journal_mode {journal:?}")));
    }
    Ok(())
}

/// Begins a transaction that will write: what it reads stays true until it commits.
pub(super) async fn begin_write(connection: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    connection.begin_with_options(options).await
}

/// Begins a transaction that only reads: everything in it is of one moment.
pub(super) async fn begin_read(connection: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Deferred),
        ..TransactionOptions::default()
    };
    connection.begin_with_options(options).await
}

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        if is_passing(&error) { Self::Unavailable(error.to_string()) } else { Self::Unexpected(error) }
    }
}

/// Whether the same statement may succeed later: the database is busy, full, read-only or away.
fn is_passing(error: &DbErr) -> bool {
    if let DbErr::ConnectionAcquire(_) = error {
        return true;
    }
    let (DbErr::Conn(RuntimeErr::SqlxError(source))
    | DbErr::Exec(RuntimeErr::SqlxError(source))
    | DbErr::Query(RuntimeErr::SqlxError(source))) = error
    else {
        return false;
    };
    if let sqlx::Error::Database(error) = &**source {
        // SQLITE_BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN; the low byte of the extended code.
        const PASSING: [i32; 6] = [5, 6, 8, 10, 13, 14];
        return error
            .code()
            .and_then(|code| code.parse::<i32>().ok())
            .is_some_and(|code| PASSING.contains(&(code & 0xff)));
    }
    matches!(
        &**source,
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed
    )
}
