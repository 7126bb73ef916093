//! A way to the database that does not hang.

use std::{
    fmt,
    sync::{PoisonError, RwLock},
    time::Duration,
};

use sea_orm::{
    ConnAcquireErr, ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, Statement,
};
use tokio::time::timeout;

/// How long a database may take to answer. It gives up on a statement before that, so whatever takes longer is lost on
/// the way.
const PATIENCE: Duration = Duration::from_secs(6);

/// How long letting go of it may take.
const PARTING: Duration = Duration::from_secs(1);

type Reach = Box<dyn Fn() -> DatabaseConnection + Send + Sync>;

/// Connections to a database. Where it is reached over a network and does not answer in time, they are given up and made
/// anew, as nobody says whether the old ones lead anywhere.
pub(in crate::store) struct Line {
    current: RwLock<DatabaseConnection>,
    reach: Option<Reach>,
}

impl Line {
    /// To a database in this process, which is not lost on the way.
    pub fn local(connection: DatabaseConnection) -> Self {
        Self { current: RwLock::new(connection), reach: None }
    }

    /// Over a network, where `reach` makes connections without waiting for them.
    pub fn remote(reach: impl Fn() -> DatabaseConnection + Send + Sync + 'static) -> Self {
        Self { current: RwLock::new(reach()), reach: Some(Box::new(reach)) }
    }

    /// The connections as they are now.
    pub fn current(&self) -> DatabaseConnection {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Does `work`, which goes over the current connections, in bounded time.
    pub async fn bounded<T, E: From<DbErr>>(&self, work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        self.within(PATIENCE, work).await
    }

    /// The same, where the answer is of use for so long only.
    pub async fn within<T, E: From<DbErr>>(
        &self,
        patience: Duration,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let Some(reach) = &self.reach else { return work.await };
        match timeout(patience, work).await {
            Ok(done) => done,
            Err(_) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = reach();
                Err(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout).into())
            }
        }
    }

    /// Lets go of the database.
    pub async fn close(&self) {
        if let Err(error) = self.within(PARTING, self.current().close()).await {
            tracing::warn!(%error, "the database could not be closed in order");
        }
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line").field("current", &self.current()).finish_non_exhaustive()
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for Line {
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
