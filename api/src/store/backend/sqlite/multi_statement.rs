//! Runs a short transaction as one SQL text with several statements. Each call to sqlx is a round trip to the thread that owns
//! the connection, and that costs more than such a statement: one call for each makes a wake-up take a quarter longer.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, RuntimeErr, Values};
use sea_query_sqlx::SqlxValues;
use sqlx::AssertSqlSafe;

use crate::store::guarded_statement::GuardedStatement;

/// Fails unless the statement before it changed this many rows: `slot` must not be NULL.
const GUARD: &str = "INSERT INTO debate_totals (slot) SELECT NULL WHERE changes() <> ?";

/// The most values in one text, enough for eight arguments. The prepared statements of each text are cached, and long ones
/// would need too much memory.
const MAX_VALUES: usize = 256;

/// Whether the statements are short enough.
pub(in super::super) fn fits(statements: &[GuardedStatement]) -> bool {
    let values =
        statements.iter().map(|guarded| guarded.statement.values.as_ref().map_or(0, |Values(values)| values.len()));
    values.sum::<usize>() <= MAX_VALUES
}

/// Executes the statements in one transaction, all or none of them.
pub(in super::super) async fn execute(
    connection: &DatabaseConnection,
    statements: Vec<GuardedStatement>,
) -> Result<(), DbErr> {
    let (mut sql, mut values) = ("BEGIN IMMEDIATE".to_owned(), Vec::with_capacity(MAX_VALUES));
    for GuardedStatement { statement, expected_rows } in statements {
        sql.push_str("; ");
        sql.push_str(&statement.sql);
        values.extend(statement.values.map_or_else(Vec::new, |Values(values)| values));
        if let Some(rows) = expected_rows {
            sql.push_str("; ");
            sql.push_str(GUARD);
            values.push(rows.into());
        }
    }
    sql.push_str("; COMMIT");
    // SeaORM would copy all values first.
    let text = sqlx::query_with(AssertSqlSafe(sql), SqlxValues(Values(values)));
    let executed = text.execute(connection.get_sqlite_connection_pool()).await;
    if executed.is_err() {
        // SQLite may have rolled back already.
        let _ = connection.execute_unprepared("ROLLBACK").await;
    }
    executed.map(drop).map_err(|error| DbErr::Exec(RuntimeErr::SqlxError(error.into())))
}
