//! A connection for one search.

use std::time::{Duration, Instant};

use futures_util::TryStreamExt;
use sea_orm::{DbErr, QueryResult, RuntimeErr, Statement, Values};
use sea_query_sqlx::SqlxValues;
use sqlx::{AssertSqlSafe, Connection, PgPool, Postgres, pool::PoolConnection, postgres::PgDatabaseError};
use tokio::time::{sleep_until, timeout};

use super::Address;
use crate::store::backend::search_pool::{ROWS_AT_ONCE, Rows};

/// How long the end of a statement may take after it was cancelled.
const CANCEL_TIMEOUT: Duration = Duration::from_millis(500);

/// The settings of a search: it uses one core, compiling it would take longer than running it, and as long as PostgreSQL does not know
/// how many texts there are, it would sort all of them instead of reading the newest from the index.
const BEGIN: &str = "SELECT pg_backend_pid(), set_config('max_parallel_workers_per_gather', '0', false), \
     set_config('jit', 'off', false), set_config('enable_sort', 'off', false)";

/// The connections for searches, and one that cancels them.
#[derive(Debug)]
pub(in super::super) struct SearchConnections {
    searching: PgPool,
    cancelling: PgPool,
}

impl SearchConnections {
    /// As many connections for searches, which are opened when they are needed.
    pub fn new(address: &Address, connections: u32) -> Self {
        Self { searching: address.pool(connections), cancelling: address.pool(1) }
    }

    /// Waits for a connection.
    pub async fn acquire(&self, deadline: Instant) -> Result<SearchConnection, sqlx::Error> {
        let mut connection = self.searching.acquire().await?;
        let (pid, ..): (i32, String, String, String) = sqlx::query_as(BEGIN).fetch_one(&mut *connection).await?;
        let cancelling = self.cancelling.clone();
        Ok(SearchConnection { connection: Some(connection), pid, cancelling, deadline, state: StatementState::Ended })
    }

    /// Closes all connections.
    pub async fn close(&self) {
        self.searching.close().await;
        self.cancelling.close().await;
    }
}

/// What the connection does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StatementState {
    Running,
    /// PostgreSQL was told to cancel it, which may come too late and cancel the next one
    Cancelled,
    Ended,
}

/// A connection whose statements end at a deadline, or when it is dropped.
#[derive(Debug)]
pub(in super::super) struct SearchConnection {
    connection: Option<PoolConnection<Postgres>>,
    pid: i32,
    cancelling: PgPool,
    deadline: Instant,
    state: StatementState,
}

impl SearchConnection {
    /// Hands over the rows of a statement, as many as there are until the deadline.
    pub async fn each_row(&mut self, statement: Statement, mut each: impl FnMut(QueryResult)) -> Result<Rows, DbErr> {
        const CANCELLED: &str = "57014";
        let Some(connection) = self.connection.as_mut() else { return Ok(Rows::UntilDeadline) };
        if self.state == StatementState::Cancelled || Instant::now() >= self.deadline {
            return Ok(Rows::UntilDeadline);
        }
        self.state = StatementState::Running;
        let values = SqlxValues(statement.values.unwrap_or(Values(Vec::new())));
        let mut rows = sqlx::query_with(AssertSqlSafe(statement.sql), values).fetch(&mut **connection);
        let mut number: usize = 0;
        loop {
            // PostgreSQL sends rows as soon as it has many, and the last ones when it is told to cancel.
            let next = if self.state == StatementState::Cancelled {
                match timeout(CANCEL_TIMEOUT, rows.try_next()).await {
                    Ok(next) => next,
                    Err(_) => return Ok(Rows::UntilDeadline),
                }
            } else {
                tokio::select! {
                    biased;
                    () = sleep_until(self.deadline.into()) => {
                        self.state = StatementState::Cancelled;
                        cancel(&self.cancelling, self.pid).await;
                        continue;
                    }
                    next = rows.try_next() => next,
                }
            };
            match next {
                Ok(Some(row)) => each(row.into()),
                Ok(None) if self.state == StatementState::Cancelled => return Ok(Rows::UntilDeadline),
                Ok(None) => {
                    self.state = StatementState::Ended;
                    return Ok(Rows::All);
                }
                Err(sqlx::Error::Database(error))
                    if error.try_downcast_ref::<PgDatabaseError>().is_some_and(|error| error.code() == CANCELLED) =>
                {
                    return Ok(Rows::UntilDeadline);
                }
                Err(error) => return Err(DbErr::Query(RuntimeErr::SqlxError(error.into()))),
            }
            number += 1;
            if number.is_multiple_of(ROWS_AT_ONCE) {
                tokio::task::yield_now().await;
            }
        }
    }
}

impl Drop for SearchConnection {
    /// Cancels a statement that still runs, and closes its connection: whoever had it next might be cancelled instead.
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let (state, pid, cancelling) = (self.state, self.pid, self.cancelling.clone());
        if state == StatementState::Ended {
            return;
        }
        tokio::spawn(async move {
            if state == StatementState::Running {
                cancel(&cancelling, pid).await;
            }
            if let Err(error) = connection.detach().close_hard().await {
                tracing::debug!(%error, "the connection of a search could not be closed");
            }
        });
    }
}

async fn cancel(cancelling: &PgPool, pid: i32) {
    let cancel = sqlx::query("SELECT pg_cancel_backend($1)").bind(pid).execute(cancelling);
    match timeout(CANCEL_TIMEOUT, cancel).await {
        Ok(Ok(_)) => {}
        // It ends by its own timeout.
        Ok(Err(error)) => tracing::debug!(%error, "a search could not be cancelled"),
        Err(_) => tracing::debug!("a search could not be cancelled in time"),
    }
}
