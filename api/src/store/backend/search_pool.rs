//! The connections for searches. They are few and of their own, so that searches take neither the connections nor all cores that other
//! reads need.

use std::{num::NonZeroUsize, thread, time::Instant};

use sea_orm::{Database, DatabaseConnection, DbErr, QueryResult, RuntimeErr, Statement};
use tokio::time::timeout_at;

use super::{Location, explained, postgres, sqlite};
use crate::store::error::OpenError;

/// After how many rows a search lets others use its thread.
pub(super) const ROWS_AT_ONCE: usize = 32;

/// Which rows of a statement were handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum Rows {
    /// All of them
    All,
    /// Those that were found until the deadline
    UntilDeadline,
}

/// The connections for searches: as many as there may be searches at once, half as many as there are cores.
#[derive(Debug)]
pub(in crate::store) struct SearchPool(Pools);

#[derive(Debug)]
enum Pools {
    Sqlite(DatabaseConnection),
    Postgres(postgres::SearchConnections),
}

impl SearchPool {
    /// Opens a database that is there.
    pub async fn open(location: &Location) -> Result<Self, OpenError> {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let connections = u32::try_from(cores / 2).unwrap_or(u32::MAX).max(1);
        match location {
            Location::Sqlite(path) => {
                let connection = Database::connect(sqlite::to_search(path, connections)).await;
                Ok(Self(Pools::Sqlite(connection.map_err(|error| explained(location, error.into()))?)))
            }
            Location::Postgres(address) => {
                Ok(Self(Pools::Postgres(postgres::SearchConnections::new(address, connections))))
            }
        }
    }

    /// A connection whose statements end at the deadline; none if there was none until then.
    pub async fn acquire(&self, deadline: Instant) -> Result<Option<SearchConnection>, DbErr> {
        let acquiring = async {
            Ok(match &self.0 {
                Pools::Sqlite(connection) => {
                    let pool = connection.get_sqlite_connection_pool();
                    Connection::Sqlite(sqlite::SearchConnection::acquire(pool, deadline).await?)
                }
                Pools::Postgres(connections) => Connection::Postgres(connections.acquire(deadline).await?),
            })
        };
        match timeout_at(deadline.into(), acquiring).await {
            Ok(Ok(connection)) => Ok(Some(SearchConnection(connection))),
            Ok(Err(sqlx::Error::PoolTimedOut)) | Err(_) => Ok(None),
            Ok(Err(error)) => Err(DbErr::Conn(RuntimeErr::SqlxError(error.into()))),
        }
    }

    /// Closes all connections.
    pub async fn close(&self) {
        match &self.0 {
            Pools::Sqlite(connection) => connection.get_sqlite_connection_pool().close().await,
            Pools::Postgres(connections) => connections.close().await,
        }
    }
}

/// A connection for one search.
#[derive(Debug)]
pub(in crate::store) struct SearchConnection(Connection);

#[derive(Debug)]
enum Connection {
    Sqlite(sqlite::SearchConnection),
    Postgres(postgres::SearchConnection),
}

impl SearchConnection {
    /// Hands over the rows of a statement, as many as there are until the deadline.
    pub async fn each_row(&mut self, statement: Statement, each: impl FnMut(QueryResult)) -> Result<Rows, DbErr> {
        match &mut self.0 {
            Connection::Sqlite(connection) => connection.each_row(statement, each).await,
            Connection::Postgres(connection) => connection.each_row(statement, each).await,
        }
    }
}
