//! PostgreSQL: a database that several servers may share.

mod address;
mod notify;
pub(super) mod schema;
mod search_connection;
pub(super) mod title_index;

use std::{io, time::Duration};

use sea_orm::{ColumnType, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, Statement};
use sqlx::{
    Connection,
    error::DatabaseError,
    postgres::{PgConnection, PgDatabaseError},
};
use tokio::time::timeout;

pub use address::Address;
pub(in crate::store) use notify::Notifier;
pub(super) use search_connection::{SearchConnection, SearchConnections};

use super::{BoundedPool, Opened};
use crate::store::error::OpenError;

/// See [`super::cited_documents`].
pub(super) const CITED_DOCUMENTS: &str = "SELECT (citation ->> 'document_id')::uuid FROM arguments, \
    json_array_elements(arguments.citations::json) AS citation \
    WHERE arguments.debate_id = $1 AND arguments.citations IS NOT NULL";

/// The default number of connections for reading.
const READERS: u32 = 8;

/// The number of connections for writing: the next batch uses one while the other is being returned to the pool.
const WRITERS: u32 = 2;

/// How long the first connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The key of the advisory lock that a server holds while it changes the schema.
const SCHEMA_LOCK_KEY: i64 = 0x6177_6561_7665;

/// A column as a value of JSON, with bytes in hexadecimal.
pub(super) fn as_json(name: &str, column_type: &ColumnType) -> String {
    if matches!(column_type, ColumnType::Blob) { format!("encode({name}, 'hex')") } else { name.to_owned() }
}

/// Opens the database.
pub(super) async fn open(address: &Address, readers: Option<u32>) -> Result<Opened, OpenError> {
    check(address).await?;
    let pool = |connections| {
        let address = address.clone();
        BoundedPool::remote(move || DatabaseConnection::from(address.pool(connections)))
    };
    Ok(Opened { read: pool(readers.unwrap_or(READERS)), write: pool(WRITERS), file_lock: None })
}

/// Connects once, and checks that the database can be written to and that commits are durable.
async fn check(address: &Address) -> Result<(), OpenError> {
    let connecting = async {
        let mut connection = PgConnection::connect_with(address.options()).await?;
        let settings: (String, String, String, String, Option<String>) = sqlx::query_as(
            "SELECT current_setting('synchronous_commit'), current_setting('fsync'), \
             current_setting('transaction_read_only'), current_setting('server_encoding'), current_schema()::text",
        )
        .fetch_one(&mut connection)
        .await?;
        connection.close().await?;
        Ok(settings)
    };
    let no_answer = || Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into()));
    let settings = timeout(CONNECT_TIMEOUT, connecting).await.unwrap_or_else(|_| no_answer());
    let (synchronous_commit, fsync, read_only, encoding, schema) =
        settings.map_err(|error| connect_error(address, error))?;
    if synchronous_commit == "off" {
        return Err(OpenError::NotDurable("synchronous_commit is off".to_owned()));
    }
    if read_only == "on" {
        return Err(OpenError::ReadOnly { user: address.user().to_owned() });
    }
    // SQL_ASCII takes any bytes.
    if !["UTF8", "SQL_ASCII"].contains(&encoding.as_str()) {
        let reason = format!("its encoding is {encoding}, which cannot store every text");
        let remedy = "create one with ENCODING 'UTF8' TEMPLATE template0";
        return Err(OpenError::Unusable { database: address.to_string(), reason, remedy });
    }
    if schema.is_none() {
        let reason = "its search_path names no schema that is there and that this role may use".to_owned();
        let remedy = "create the schema, or set another search_path";
        return Err(OpenError::Unusable { database: address.to_string(), reason, remedy });
    }
    if fsync == "off" {
        // Some services report it off although their storage is durable in another way.
        tracing::warn!(database = %address, "fsync is off: a power cut may lose debates, unless the storage itself is durable");
    }
    Ok(())
}

/// Explains why the database cannot be connected to.
fn connect_error(address: &Address, error: sqlx::Error) -> OpenError {
    const WRONG_PASSWORD: [&str; 2] = ["28P01", "28000"];
    const NO_SUCH_DATABASE: &str = "3D000";
    let database = address.to_string();
    let code = error.as_database_error().and_then(|error| error.code().map(|code| code.into_owned()));
    match code.as_deref() {
        Some(code) if WRONG_PASSWORD.contains(&code) => {
            OpenError::Login { database, user: address.user().to_owned(), reason: error.to_string() }
        }
        Some(NO_SUCH_DATABASE) => OpenError::NoDatabase { database, name: address.database().to_owned() },
        Some(_) | None => OpenError::Unreachable { database, reason: error.to_string() },
    }
}

/// Keeps other servers from changing the schema until the transaction ends, however long that takes.
pub(super) async fn lock_schema(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    let lock = format!(
        "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock({SCHEMA_LOCK_KEY})"
    );
    transaction.execute_unprepared(&lock).await?;
    Ok(())
}

/// Checks that this role has these rights, each on a table.
pub(super) async fn check_rights(transaction: &DatabaseTransaction, rights: &[(&str, &str)]) -> Result<(), OpenError> {
    let checks = rights.iter().map(|(table, right)| format!("has_table_privilege(quote_ident('{table}'), '{right}')"));
    let sql = format!("SELECT current_user::text, {}", checks.collect::<Vec<_>>().join(" AND "));
    let row = transaction.query_one_raw(Statement::from_string(transaction.get_database_backend(), sql)).await?;
    let Some(row) = row else { return Ok(()) };
    let (user, allowed): (String, bool) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    if allowed { Ok(()) } else { Err(OpenError::ReadOnly { user }) }
}

/// Whether the role lacks a right, or the database is read-only.
pub(super) fn is_forbidden(error: &DbErr) -> bool {
    const FORBIDDEN: [&str; 2] = ["42501", "25006"];
    let state = super::sqlx_error(error).and_then(sqlx::Error::as_database_error).and_then(sqlstate);
    state.is_some_and(|state| FORBIDDEN.contains(&state))
}

/// Whether the database is unreachable, stopping, full, too slow, or read-only.
pub(super) fn is_temporary(error: &(dyn DatabaseError + 'static)) -> bool {
    // Connection exceptions, insufficient resources, operator intervention, system errors.
    const CLASSES: [&str; 4] = ["08", "53", "57", "58"];
    // Lock not available, idle transaction timeout, read-only transaction.
    const STATES: [&str; 3] = ["55P03", "25P03", "25006"];
    sqlstate(error).is_some_and(|state| STATES.contains(&state) || CLASSES.iter().any(|class| state.starts_with(class)))
}

/// Whether a concurrent transaction caused the error: a deadlock or a serialization failure.
pub(super) fn is_contended(error: &(dyn DatabaseError + 'static)) -> bool {
    const STATES: [&str; 2] = ["40P01", "40001"];
    sqlstate(error).is_some_and(|state| STATES.contains(&state))
}

fn sqlstate<'e>(error: &'e (dyn DatabaseError + 'static)) -> Option<&'e str> {
    error.try_downcast_ref::<PgDatabaseError>().map(PgDatabaseError::code)
}
