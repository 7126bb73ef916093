//! PostgreSQL: one database, which several servers may share.

mod address;
pub(super) mod titles;
mod wire;

use std::{io, time::Duration};

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, Statement};
use sqlx::{
    Connection,
    error::DatabaseError,
    postgres::{PgConnection, PgDatabaseError},
};
use tokio::time::timeout;

pub use address::Address;
pub(in crate::store) use wire::{Notices, Wire};

use super::{Hold, Line, Opened};
use crate::store::error::OpenError;

/// See [`super::debates_as_json`].
pub(super) const DEBATES_AS_JSON: &str = "coalesce(json_agg(json_build_array(id, title, debate_type, state, state_detail, \
    option_count, last_seq, last_argument_id, created_at, updated_at, encode(head, 'hex')))::text, '[]')";

/// Connections that read at the same time.
const READERS: u32 = 8;

/// Connections of the writer: it uses one while the other is on its way back.
const WRITERS: u32 = 2;

/// How long the database may take to let this server in.
const ENTRY_TIMEOUT: Duration = Duration::from_secs(10);

/// What all servers of one database lock while one of them changes the schema.
const SCHEMA_LOCK: i64 = 0x6177_6561_7665;

/// Opens the database.
pub(super) async fn open(address: &Address, readers: Option<u32>) -> Result<Opened, OpenError> {
    check(address).await?;
    let line = |connections| {
        let address = address.clone();
        Line::remote(move || DatabaseConnection::from(address.pool(connections)))
    };
    Ok(Opened {
        read: line(readers.unwrap_or(READERS)),
        write: line(WRITERS),
        hold: Hold::Shared,
        wire: Some(Wire::new(address.clone())),
    })
}

/// Finds out whether the database can be entered and written to, and keeps what it acknowledges.
async fn check(address: &Address) -> Result<(), OpenError> {
    let entering = async {
        let mut connection = PgConnection::connect_with(address.options()).await?;
        let settings: (String, String, String) = sqlx::query_as(
            "SELECT current_setting('synchronous_commit'), current_setting('fsync'), \
             current_setting('transaction_read_only')",
        )
        .fetch_one(&mut connection)
        .await?;
        connection.close().await?;
        Ok(settings)
    };
    let no_answer = || Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into()));
    let entered = timeout(ENTRY_TIMEOUT, entering).await.unwrap_or_else(|_| no_answer());
    let (synchronous_commit, fsync, read_only) = entered.map_err(|error| refusal(address, error))?;
    if synchronous_commit == "off" {
        return Err(OpenError::NotDurable("synchronous_commit is off".to_owned()));
    }
    if read_only == "on" {
        return Err(OpenError::ReadOnly { user: address.user().to_owned() });
    }
    if fsync == "off" {
        // Some services show it off although they keep everything in another way.
        tracing::warn!(database = %address, "fsync is off: a power cut may lose debates, unless storage sees to it");
    }
    Ok(())
}

/// Why the database does not let this server in.
fn refusal(address: &Address, error: sqlx::Error) -> OpenError {
    const WRONG_PASSWORD: [&str; 2] = ["28P01", "28000"];
    const NO_SUCH_DATABASE: &str = "3D000";
    let database = address.to_string();
    let code = error.as_database_error().and_then(|error| error.code().map(|code| code.into_owned()));
    match code.as_deref() {
        Some(code) if WRONG_PASSWORD.contains(&code) => {
            OpenError::Entry { database, user: address.user().to_owned(), reason: error.to_string() }
        }
        Some(NO_SUCH_DATABASE) => OpenError::NoDatabase { database, name: address.database().to_owned() },
        Some(_) | None => OpenError::Unreachable { database, reason: error.to_string() },
    }
}

/// Keeps other servers from changing the schema until the transaction ends, however long that takes.
pub(super) async fn lock_schema(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    let lock = format!(
        "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock({SCHEMA_LOCK})"
    );
    transaction.execute_unprepared(&lock).await?;
    Ok(())
}

/// Finds out whether these tables may be read and written.
pub(super) async fn check_rights(transaction: &DatabaseTransaction, tables: &[&str]) -> Result<(), OpenError> {
    let rights = ["SELECT", "INSERT", "UPDATE"].into_iter();
    let each = tables.iter().flat_map(|table| {
        rights.clone().map(move |right| format!("has_table_privilege(quote_ident('{table}'), '{right}')"))
    });
    let sql = format!("SELECT current_user::text, {}", each.collect::<Vec<_>>().join(" AND "));
    let asked = transaction.query_one_raw(Statement::from_string(transaction.get_database_backend(), sql)).await?;
    let Some(row) = asked else { return Ok(()) };
    let (user, allowed): (String, bool) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    if allowed { Ok(()) } else { Err(OpenError::ReadOnly { user }) }
}

/// Whether the role may not do what it was about to.
pub(super) fn is_forbidden(error: &DbErr) -> bool {
    const FORBIDDEN: [&str; 2] = ["42501", "25006"];
    let state = super::source(error).and_then(sqlx::Error::as_database_error).and_then(state);
    state.is_some_and(|state| FORBIDDEN.contains(&state))
}

/// Whether the database is away, stopping, full, too slow, or for reading only.
pub(super) fn is_passing(error: &(dyn DatabaseError + 'static)) -> bool {
    // Connection exceptions, insufficient resources, operator intervention, errors of the system.
    const CLASSES: [&str; 4] = ["08", "53", "57", "58"];
    // A lock not available, a transaction idle for too long, one for reading only.
    const STATES: [&str; 3] = ["55P03", "25P03", "25006"];
    state(error).is_some_and(|state| STATES.contains(&state) || CLASSES.iter().any(|class| state.starts_with(class)))
}

/// Whether two servers were in each other's way: a deadlock, or what cannot be put in order.
pub(super) fn is_contended(error: &(dyn DatabaseError + 'static)) -> bool {
    const STATES: [&str; 2] = ["40P01", "40001"];
    state(error).is_some_and(|state| STATES.contains(&state))
}

fn state<'e>(error: &'e (dyn DatabaseError + 'static)) -> Option<&'e str> {
    error.try_downcast_ref::<PgDatabaseError>().map(PgDatabaseError::code)
}
