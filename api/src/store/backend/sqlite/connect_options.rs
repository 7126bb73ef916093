//! The pragmas and pools of the connections that a server keeps open.

use std::{path::Path, time::Duration};

use sea_orm::{ConnectOptions, ConnectionTrait, DatabaseConnection, Statement};
use sqlx::{
    Connection,
    sqlite::{SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use crate::store::error::OpenError;

/// How long a statement waits while another process, such as a backup, locks the file.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The prepared statements that each connection caches: each statement in each of its padded sizes.
const STATEMENT_CACHE_CAPACITY: usize = 256;

/// How many rows a query may read ahead of its consumer.
pub(super) const ROW_BUFFER_SIZE: usize = 1024;

/// The pages in the write-ahead log after which it is checkpointed: about as many as one block of its index holds.
///
/// An argument writes about ten pages. With SQLite's default of 1,000, one commit in a hundred would wait for a checkpoint;
/// with a much larger value, recovery after a crash would take long.
const WAL_AUTOCHECKPOINT: &str = "4000";

/// The page cache of a reading connection (negative: in KiB). It fits the index of 100,000 debates, which a deep page of the
/// list walks through, and is allocated only as pages are read.
const READ_CACHE_SIZE: &str = "-8000";

/// The page cache of a connection for searches. It fits the texts, of the usual length, that are looked at where no index helps.
const SEARCH_CACHE_SIZE: &str = "-16000";

/// The page cache of the writing connection: SQLite's default. A write touches few pages of each index, and allocating a
/// larger cache takes longer than reading them again.
const WRITE_CACHE_SIZE: &str = "-2000";

/// The options of the one connection that writes.
pub(super) fn to_write(path: &Path) -> ConnectOptions {
    options(path, 1, WRITE_CACHE_SIZE, close_if_in_transaction)
}

/// The options of this many connections that read.
pub(super) fn to_read(path: &Path, connections: u32) -> ConnectOptions {
    options(path, connections, READ_CACHE_SIZE, |pool| pool)
}

/// The options of this many connections that search.
pub(in super::super) fn to_search(path: &Path, connections: u32) -> ConnectOptions {
    options(path, connections, SEARCH_CACHE_SIZE, |pool| pool)
}

/// The options of a pool with this many connections and this page cache; `pool_options` adjusts the pool.
fn options(
    path: &Path,
    connections: u32,
    cache_size: &'static str,
    pool_options: fn(SqlitePoolOptions) -> SqlitePoolOptions,
) -> ConnectOptions {
    let file = path.to_owned();
    let mut options = ConnectOptions::new("sqlite:");
    options
        .max_connections(connections)
        .min_connections(1)
        // A connection to a file does not go stale: it need not be tested before use nor be closed after a while.
        .test_before_acquire(false)
        .map_sqlx_sqlite_pool_opts(move |pool| pool_options(pool.idle_timeout(None).max_lifetime(None)))
        .sqlx_logging_level(log::LevelFilter::Debug)
        .map_sqlx_sqlite_opts(move |sqlite| {
            sqlite
                .filename(&file)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .pragma("wal_autocheckpoint", WAL_AUTOCHECKPOINT)
                .pragma("cache_size", cache_size)
                .foreign_keys(true)
                .busy_timeout(BUSY_TIMEOUT)
                .statement_cache_capacity(STATEMENT_CACHE_CAPACITY)
                .row_buffer_size(ROW_BUFFER_SIZE)
        });
    options
}

/// Closes connections that are returned to the pool within a transaction.
///
/// If the disk fails, SQLite may roll back by itself. The ROLLBACK of sqlx then fails, and sqlx would run all later
/// transactions inside the failed one: acknowledged and never committed.
fn close_if_in_transaction(pool: SqlitePoolOptions) -> SqlitePoolOptions {
    pool.after_release(|connection, _| {
        Box::pin(async move {
            if connection.is_in_transaction() {
                // A rollback that sqlx has queued runs before this.
                connection.ping().await?;
            }
            Ok(!connection.is_in_transaction())
        })
    })
}

/// Reads back the settings that make commits survive a power cut.
pub(super) async fn check_durable(connection: &DatabaseConnection) -> Result<(), OpenError> {
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
