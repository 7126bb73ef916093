//! A connection for one search.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use futures_util::TryStreamExt;
use sea_orm::{DbErr, QueryResult, RuntimeErr, Statement, Values};
use sea_query_sqlx::SqlxValues;
use sqlx::{AssertSqlSafe, Sqlite, SqlitePool, pool::PoolConnection, sqlite::SqliteError};

use crate::store::backend::search_pool::{ROWS_AT_ONCE, Rows};

/// After how many instructions of its virtual machine SQLite asks whether to go on.
const INSTRUCTIONS: i32 = 1_000;

/// A connection whose statements end at a deadline, or when it is dropped.
#[derive(Debug)]
pub(in super::super) struct SearchConnection {
    connection: PoolConnection<Sqlite>,
    stopped: Arc<AtomicBool>,
    deadline: Instant,
}

impl SearchConnection {
    /// Waits for a connection of this pool.
    pub async fn acquire(pool: &SqlitePool, deadline: Instant) -> Result<Self, sqlx::Error> {
        let mut connection = pool.acquire().await?;
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = stopped.clone();
        // This waits for a statement of the search before, which was told to stop.
        let mut handle = connection.lock_handle().await?;
        handle.set_progress_handler(INSTRUCTIONS, move || !stop.load(Ordering::Relaxed) && Instant::now() < deadline);
        drop(handle);
        Ok(Self { connection, stopped, deadline })
    }

    /// Hands over the rows of a statement, as many as there are until the deadline.
    pub async fn each_row(&mut self, statement: Statement, mut each: impl FnMut(QueryResult)) -> Result<Rows, DbErr> {
        const INTERRUPTED: &str = "9";
        let values = SqlxValues(statement.values.unwrap_or(Values(Vec::new())));
        let mut rows = sqlx::query_with(AssertSqlSafe(statement.sql), values).fetch(&mut *self.connection);
        let mut number: usize = 0;
        loop {
            match rows.try_next().await {
                Ok(Some(row)) => each(row.into()),
                Ok(None) => return Ok(Rows::All),
                Err(sqlx::Error::Database(error))
                    if error.try_downcast_ref::<SqliteError>().is_some_and(|error| {
                        sqlx::error::DatabaseError::code(error).as_deref() == Some(INTERRUPTED)
                    }) =>
                {
                    return Ok(Rows::UntilDeadline);
                }
                Err(error) => return Err(DbErr::Query(RuntimeErr::SqlxError(error.into()))),
            }
            number += 1;
            if number.is_multiple_of(ROWS_AT_ONCE) {
                if Instant::now() >= self.deadline {
                    return Ok(Rows::UntilDeadline);
                }
                tokio::task::yield_now().await;
            }
        }
    }
}

impl Drop for SearchConnection {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}
