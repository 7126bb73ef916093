//! Folds the case of titles and summaries anew, after an upgrade from a version that folded ASCII letters only.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, QueryResult, Statement, prelude::Uuid};

use crate::domain::folded;

/// The texts with their folded forms.
const COLUMNS: [(&str, &str, &str); 3] = [
    ("debates", "title", "title_folded"),
    ("documents", "title", "title_folded"),
    ("documents", "summary", "summary_folded"),
];

/// Sets all that are not folded as they are from now on.
pub(super) async fn refold(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    let backend = transaction.get_database_backend();
    for (table, column, folded_column) in COLUMNS {
        let select = Statement::from_string(backend, format!("SELECT id, {column}, {folded_column} FROM {table}"));
        let update = format!("UPDATE {table} SET {folded_column} = $1 WHERE id = $2");
        for row in transaction.query_all_raw(select).await? {
            // A row that cannot be read is for `verify` to report.
            let Ok((id, text, stored)) = read(&row) else { continue };
            let folded = folded(&text);
            if folded != stored {
                let values = [folded.into(), id.into()];
                transaction.execute_raw(Statement::from_sql_and_values(backend, &update, values)).await?;
            }
        }
    }
    Ok(())
}

fn read(row: &QueryResult) -> Result<(Uuid, String, String), DbErr> {
    Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?))
}
