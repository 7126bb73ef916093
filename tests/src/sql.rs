//! SQL on the database of a stopped server, as somebody would run it who may write to the database.

use sqlx::{
    AssertSqlSafe, Connection,
    postgres::PgConnection,
    query, query_scalar,
    sqlite::{SqliteConnectOptions, SqliteConnection},
};

use crate::store::{Backend, Store};

/// A connection that checks no foreign keys.
pub enum Sql {
    /// To a SQLite file
    Sqlite(SqliteConnection),
    /// To a PostgreSQL database
    Postgres(PgConnection),
}

impl Sql {
    /// Connects to the database of a store.
    pub async fn connect(store: &Store) -> Self {
        match store.backend() {
            Backend::Sqlite => {
                let options = SqliteConnectOptions::new().filename(store.path()).foreign_keys(false);
                Self::Sqlite(SqliteConnection::connect_with(&options).await.expect("the database is there"))
            }
            Backend::Postgres => {
                let mut connection =
                    PgConnection::connect(&store.database().url()).await.expect("PostgreSQL accepts the connection");
                query("SET session_replication_role = replica").execute(&mut connection).await.expect("a superuser");
                Self::Postgres(connection)
            }
        }
    }

    /// Runs a statement and returns the number of rows that it changed.
    ///
    /// # Errors
    /// If the database refuses it.
    pub async fn execute(&mut self, sql: &str) -> Result<u64, String> {
        match self {
            Self::Sqlite(connection) => {
                query(AssertSqlSafe(sql)).execute(connection).await.map(|done| done.rows_affected())
            }
            Self::Postgres(connection) => {
                query(AssertSqlSafe(sql)).execute(connection).await.map(|done| done.rows_affected())
            }
        }
        .map_err(|error| error.to_string())
    }

    /// The texts of a query with one column.
    pub async fn texts(&mut self, sql: &str) -> Vec<String> {
        match self {
            Self::Sqlite(connection) => query_scalar(AssertSqlSafe(sql)).fetch_all(connection).await,
            Self::Postgres(connection) => query_scalar(AssertSqlSafe(sql)).fetch_all(connection).await,
        }
        .unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// Closes the connection.
    pub async fn close(self) {
        match self {
            Self::Sqlite(connection) => connection.close().await,
            Self::Postgres(connection) => connection.close().await,
        }
        .expect("the connection closes");
    }
}
