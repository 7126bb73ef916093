//! Short transactions whose statements are known from the start, in one go: each trip to the thread that works on the file
//! costs more than such a statement does.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, Statement, Values};

use crate::store::steps::Step;

/// Fails, as no slot is missing, unless the statement before changed so many rows.
const GUARD: &str = "INSERT INTO debate_totals (slot) SELECT NULL WHERE changes() <> ?";

/// The most values in a transaction that goes in one go, as when eight debates move on. Each number of rows makes a text of
/// its own, and the statements of each are kept: of long ones that would be too much.
const MOST_VALUES: usize = 256;

/// Whether steps are short enough.
pub(in super::super) fn suits(steps: &[Step]) -> bool {
    let values = steps.iter().map(|step| step.statement.values.as_ref().map_or(0, |Values(values)| values.len()));
    values.sum::<usize>() <= MOST_VALUES
}

/// Carries out steps in one transaction, all or none of them.
pub(in super::super) async fn carry_out(connection: &DatabaseConnection, steps: Vec<Step>) -> Result<(), DbErr> {
    let (mut sql, mut values) = ("BEGIN IMMEDIATE".to_owned(), Vec::new());
    let mut add = |statement: &str, bound: Vec<sea_orm::Value>| {
        sql.push_str("; ");
        sql.push_str(statement);
        values.extend(bound);
    };
    for Step { statement, rows } in steps {
        add(&statement.sql, statement.values.map_or_else(Vec::new, |Values(values)| values));
        if let Some(rows) = rows {
            add(GUARD, vec![rows.into()]);
        }
    }
    add("COMMIT", Vec::new());
    let script = Statement::from_sql_and_values(connection.get_database_backend(), sql, values);
    let done = connection.execute_raw(script).await;
    if done.is_err() {
        // Where SQLite ended it by itself there is none to be ended, which is as well.
        let _ = connection.execute_unprepared("ROLLBACK").await;
    }
    done.map(drop)
}
