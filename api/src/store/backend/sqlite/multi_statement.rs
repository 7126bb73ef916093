//! Runs a short transaction as one SQL text with several statements. Each call to sqlx is a round trip to the thread that owns
//! the connection, and that costs more than such a statement: one call for each makes a wake-up take a quarter longer.

use sea_orm::{DatabaseConnection, DbErr, RuntimeErr, Values};
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
    let failed = |error: sqlx::Error| DbErr::Exec(RuntimeErr::SqlxError(error.into()));
    let mut connection = connection.get_sqlite_connection_pool().acquire().await.map_err(failed)?;
    let executed = text.execute(&mut *connection).await;
    if executed.is_err() {
        // Before anybody else gets the connection: what failed must not be read. SQLite may have rolled back already.
        let _ = sqlx::query("ROLLBACK").execute(&mut *connection).await;
    }
    executed.map(drop).map_err(failed)
}

#[cfg(test)]
mod tests {
    use sea_orm::ConnectionTrait;
    use tokio::join;

    use super::{super::connect_options, *};

    #[tokio::test]
    async fn nobody_reads_what_a_failed_transaction_has_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("debate.db");
        std::fs::File::create(&path).unwrap();
        let connection = sea_orm::Database::connect(connect_options::to_write(&path)).await.unwrap();
        connection.execute_unprepared("CREATE TABLE debate_totals (slot INTEGER NOT NULL)").await.unwrap();
        let insert = "INSERT INTO debate_totals (slot) VALUES (1)".to_owned();
        let failing = vec![GuardedStatement::expecting(&connection, insert, Vec::new(), 2)];
        // It waits for the one connection while the transaction runs.
        let reader = async {
            let select = "SELECT COUNT(*) FROM debate_totals";
            let select = sea_orm::Statement::from_string(connection.get_database_backend(), select);
            connection.query_one_raw(select).await.unwrap().unwrap().try_get_by_index::<i64>(0).unwrap()
        };
        let (executed, read) = join!(execute(&connection, failing), reader);
        assert!(executed.is_err());
        assert_eq!(read, 0);
    }
}
