//! SQL statements that must change an exact number of rows.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Statement, Value};

/// A statement that changes rows.
#[derive(Debug, Clone)]
pub(super) struct GuardedStatement {
    pub statement: Statement,
    /// The number of rows that it must change; none if any number is right.
    pub expected_rows: Option<u64>,
}

impl GuardedStatement {
    /// A statement that may change any number of rows.
    pub fn unguarded(connection: &impl ConnectionTrait, sql: String, values: Vec<Value>) -> Self {
        let statement = Statement::from_sql_and_values(connection.get_database_backend(), sql, values);
        Self { statement, expected_rows: None }
    }

    /// A statement that must change exactly `expected_rows` rows.
    pub fn expecting(connection: &impl ConnectionTrait, sql: String, values: Vec<Value>, expected_rows: u64) -> Self {
        Self { expected_rows: Some(expected_rows), ..Self::unguarded(connection, sql, values) }
    }
}

/// Executes the statements in order, up to the first that fails.
///
/// # Errors
/// [`DbErr::RecordNotUpdated`] if one changed another number of rows than expected.
pub(super) async fn execute_all(
    transaction: &DatabaseTransaction,
    statements: Vec<GuardedStatement>,
) -> Result<(), DbErr> {
    for GuardedStatement { statement, expected_rows } in statements {
        let changed = transaction.execute_raw(statement).await?.rows_affected();
        if expected_rows.is_some_and(|expected| expected != changed) {
            return Err(DbErr::RecordNotUpdated);
        }
    }
    Ok(())
}
