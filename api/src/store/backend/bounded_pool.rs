//! A connection pool whose queries cannot hang.

use std::{
    fmt,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use sea_orm::{
    ConnAcquireErr, ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, Statement,
};
use tokio::time::timeout;

/// How long a query may take. PostgreSQL itself cancels a statement before that, so a query that takes longer means that
/// the connection is lost.
const QUERY_TIMEOUT: Duration = Duration::from_secs(6);

/// How long closing the pool may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

type Connect = Arc<dyn Fn() -> DatabaseConnection + Send + Sync>;

/// A connection pool. If a database behind a network does not answer in time, the whole pool is replaced: nothing tells
/// which of its connections still work. Clones are the same pool.
#[derive(Clone)]
pub(in crate::store) struct BoundedPool {
    current: Arc<RwLock<DatabaseConnection>>,
    connect: Option<Connect>,
}

impl BoundedPool {
    /// A pool of connections to a file, which cannot be lost.
    pub fn local(connection: DatabaseConnection) -> Self {
        Self { current: Arc::new(RwLock::new(connection)), connect: None }
    }

    /// A pool of connections over a network. `connect` makes a new pool without waiting for its connections.
    pub fn remote(connect: impl Fn() -> DatabaseConnection + Send + Sync + 'static) -> Self {
        Self { current: Arc::new(RwLock::new(connect())), connect: Some(Arc::new(connect)) }
    }

    /// The current pool.
    pub fn current(&self) -> DatabaseConnection {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs queries that use the current pool, with the usual timeout.
    pub async fn bounded<T, E: From<DbErr>>(&self, query: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        self.with_timeout(QUERY_TIMEOUT, query).await
    }

    /// Runs queries that use the current pool, and replaces the pool if they take too long.
    pub async fn with_timeout<T, E: From<DbErr>>(
        &self,
        limit: Duration,
        query: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let Some(connect) = &self.connect else { return query.await };
        match timeout(limit, query).await {
            Ok(result) => result,
            Err(_) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = connect();
                Err(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout).into())
            }
        }
    }

    /// Closes all connections.
    pub async fn close(&self) {
        if let Err(error) = self.with_timeout(CLOSE_TIMEOUT, self.current().close()).await {
            tracing::warn!(%error, "the database connections could not be closed cleanly");
        }
    }
}

impl fmt::Debug for BoundedPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundedPool").field("current", &self.current()).finish_non_exhaustive()
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for BoundedPool {
    fn get_database_backend(&self) -> DbBackend {
        self.current().get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let connection = self.current();
        self.bounded(connection.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        let connection = self.current();
        self.bounded(connection.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let connection = self.current();
        self.bounded(connection.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let connection = self.current();
        self.bounded(connection.query_all_raw(statement)).await
    }
}
