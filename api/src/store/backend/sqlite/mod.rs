//! SQLite: one file, which one server holds.

pub(super) mod script;
pub(super) mod titles;

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
    time::Duration,
};

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbErr, Statement};
use sqlx::{
    Connection,
    error::DatabaseError,
    sqlite::{SqliteError, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use super::{Hold, Line, Opened};
use crate::store::{
    error::{OpenError, StoreError},
    library, place,
};

/// See [`super::debates_as_json`].
pub(super) const DEBATES_AS_JSON: &str = "json_group_array(json_array(hex(id), title, debate_type, state, state_detail, \
    option_count, last_seq, hex(last_argument_id), created_at, updated_at, hex(head)))";

/// Connections that read at the same time.
const READERS: u32 = 4;

/// How long a statement waits for another process, such as a backup, that locks the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Prepared statements that each connection keeps: every statement in each of its padded sizes.
const STATEMENTS_KEPT: usize = 256;

/// Rows that a reading statement may be ahead of whoever takes them.
const ROWS_AHEAD: usize = 1024;

/// Pages in the log after which they are written to where they belong: about as many as its index has in one piece.
///
/// A turn of a debate takes ten or so. By SQLite's own figure, 1,000, one commit in a hundred would have to wait for that
/// work; with much more a restart after a crash would take long.
const LOGGED_PAGES: &str = "4000";

/// What a connection that reads keeps of the file in memory, in KiB, taken only as it is read: the index of a hundred thousand
/// debates, which a deep page of their list walks through.
const KEPT_TO_READ: &str = "-8000";

/// The same for the one that writes, which is SQLite's own figure: a turn touches a few pages of each index, most of them
/// the newest or any at all, and to make memory of more would take longer than to read them again.
const KEPT_TO_WRITE: &str = "-2000";

/// Keeps other servers away from the file as long as it lives.
pub(in crate::store) type Lock = File;

/// Opens the file, creating it where it is missing.
pub(super) async fn open(path: &Path, readers: Option<u32>) -> Result<Opened, OpenError> {
    let hold = Hold::Alone { _lock: hold(path)? };
    private(path)?;
    let write = Database::connect(options(path, 1, KEPT_TO_WRITE, unless_in_a_transaction)).await?;
    library::check(&write).await?;
    check_durable(&write).await?;
    let read = Database::connect(options(path, readers.unwrap_or(READERS), KEPT_TO_READ, |pool| pool)).await?;
    Ok(Opened { read: Line::local(read), write: Line::local(write), hold, wire: None })
}

/// Opens a file that is there, to look at only, also while a server holds it.
pub(super) async fn open_to_read(path: &Path) -> Result<DatabaseConnection, OpenError> {
    let file = path.to_owned();
    fs::metadata(&file).map_err(|source| OpenError::File { path: file.display().to_string(), source })?;
    let mut options = ConnectOptions::new("sqlite:");
    options.max_connections(1).sqlx_logging_level(log::LevelFilter::Debug).map_sqlx_sqlite_opts(move |sqlite| {
        sqlite.filename(&file).read_only(true).busy_timeout(BUSY_TIMEOUT).row_buffer_size(ROWS_AHEAD)
    });
    Ok(Database::connect(options).await?)
}

/// Opens a file that is there and that nobody else uses, and leaves it to the file how it keeps its log.
pub(in crate::store) async fn open_alone(path: &Path) -> Result<DatabaseConnection, OpenError> {
    let file = path.to_owned();
    let mut options = ConnectOptions::new("sqlite:");
    options.max_connections(1).sqlx_logging_level(log::LevelFilter::Debug).map_sqlx_sqlite_opts(move |sqlite| {
        sqlite
            .filename(&file)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
            .row_buffer_size(ROWS_AHEAD)
    });
    Ok(Database::connect(options).await?)
}

/// Writes all that the database holds at this moment into a file that is there and empty. Nobody who writes waits for it.
pub(in crate::store) async fn copy_into(connection: &DatabaseConnection, target: &Path) -> Result<(), DbErr> {
    let target = target.to_str().ok_or_else(|| DbErr::Custom("the path is not UTF-8".to_owned()))?;
    let copy =
        Statement::from_sql_and_values(connection.get_database_backend(), "VACUUM INTO ?", [target.to_owned().into()]);
    connection.execute_raw(copy).await?;
    Ok(())
}

/// Has what lies in logs beside the file written into it, so that it is whole without them.
pub(in crate::store) async fn settle(path: &Path) -> Result<(), OpenError> {
    let connection = open_alone(path).await?;
    let one_file = Statement::from_string(connection.get_database_backend(), "PRAGMA journal_mode = DELETE");
    connection.query_one_raw(one_file).await?;
    Ok(connection.close().await?)
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

/// Makes the folder, readable by its owner only, and keeps servers away from the file, which need not be there yet.
pub(in crate::store) fn hold(path: &Path) -> Result<Lock, OpenError> {
    make(place::folder(path))?;
    place::check(path)?;
    // Not the database itself: closing any handle on it would drop the locks that SQLite holds there.
    let lock = private(&place::named(path, ".lock"))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(OpenError::Held { path: shown(path) }),
        Err(TryLockError::Error(source)) => Err(OpenError::File { path: shown(path), source }),
    }
}

/// Makes a folder, and those above it that are missing, readable by their owner only and on the disk for good: what is
/// acknowledged in it would be lost with it.
fn make(folder: &Path) -> Result<(), OpenError> {
    let missing: Vec<&Path> =
        folder.ancestors().take_while(|part| !part.as_os_str().is_empty() && !part.exists()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed(folder))?;
    missing.into_iter().rev().try_for_each(|made| place::sync_names(made).map_err(failed(made)))
}

/// Makes a file that only its owner may read, where there is none.
fn private(path: &Path) -> Result<File, OpenError> {
    OpenOptions::new().create(true).append(true).mode(0o600).open(path).map_err(failed(path))
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> OpenError {
    let path = path.display().to_string();
    move |source| OpenError::File { path, source }
}

fn shown(path: &Path) -> String {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// How to open so many connections to the file, which keep that much of it; `kept` says which are of further use once they
/// were used.
fn options(
    path: &Path,
    connections: u32,
    pages: &'static str,
    kept: fn(SqlitePoolOptions) -> SqlitePoolOptions,
) -> ConnectOptions {
    let file = path.to_owned();
    let mut options = ConnectOptions::new("sqlite:");
    options
        .max_connections(connections)
        .min_connections(1)
        // A connection to a file does not go stale: neither ask it before each use nor close it for its age.
        .test_before_acquire(false)
        .map_sqlx_sqlite_pool_opts(move |pool| kept(pool.idle_timeout(None).max_lifetime(None)))
        .sqlx_logging_level(log::LevelFilter::Debug)
        .map_sqlx_sqlite_opts(move |sqlite| {
            sqlite
                .filename(&file)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .pragma("wal_autocheckpoint", LOGGED_PAGES)
                .pragma("cache_size", pages)
                .foreign_keys(true)
                .busy_timeout(BUSY_TIMEOUT)
                .statement_cache_capacity(STATEMENTS_KEPT)
                .row_buffer_size(ROWS_AHEAD)
        });
    options
}

/// Gives up connections that a transaction is left in.
///
/// Where the disk fails SQLite may end one by itself. sqlx, whose own end of it fails then, would have all that follow be
/// parts of it, acknowledged and never committed.
fn unless_in_a_transaction(pool: SqlitePoolOptions) -> SqlitePoolOptions {
    pool.after_release(|connection, _| {
        Box::pin(async move {
            if connection.is_in_transaction() {
                // An end that was asked for without waiting comes before.
                connection.ping().await?;
            }
            Ok(!connection.is_in_transaction())
        })
    })
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

/// Whether the file is busy, full, read-only, away or cannot be read: the low byte of the extended code tells.
pub(super) fn is_passing(error: &(dyn DatabaseError + 'static)) -> bool {
    const BUSY: i32 = 5;
    const LOCKED: i32 = 6;
    const READONLY: i32 = 8;
    const IOERR: i32 = 10;
    // Not only what it says: SQLite calls it so as well when the disk fails to read.
    const CORRUPT: i32 = 11;
    const FULL: i32 = 13;
    const CANTOPEN: i32 = 14;
    let code = error.try_downcast_ref::<SqliteError>().and_then(|error| error.code()?.parse::<i32>().ok());
    code.is_some_and(|code| [BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN].contains(&(code & 0xff)))
}
