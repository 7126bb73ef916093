//! An index of all runs of three characters in titles, which PostgreSQL uses by itself for what is `LIKE` a text.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Statement};

/// Makes the index, as far as the database has what it takes and this role may.
const CREATE: &str = "DO $$ BEGIN \
     CREATE EXTENSION IF NOT EXISTS pg_trgm; \
     CREATE INDEX debates_title_folded_idx ON debates USING gin (title_folded gin_trgm_ops); \
     EXCEPTION WHEN insufficient_privilege OR undefined_file OR undefined_object OR feature_not_supported THEN NULL; \
     END $$";

/// Makes the index, where there is none and there can be one. Without it searches look through all titles.
pub(in super::super) async fn index(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    if !is_there(transaction).await? {
        transaction.execute_unprepared(CREATE).await?;
        if !is_there(transaction).await? {
            tracing::info!(
                "searches look through all titles, as the extension pg_trgm is not there; once somebody who may has said \
                 CREATE EXTENSION pg_trgm, the next start makes an index with it"
            );
        }
    }
    Ok(())
}

async fn is_there(transaction: &DatabaseTransaction) -> Result<bool, DbErr> {
    let ask = "SELECT to_regclass('debates_title_folded_idx') IS NOT NULL";
    let asked = transaction.query_one_raw(Statement::from_string(transaction.get_database_backend(), ask)).await?;
    asked.map_or(Ok(false), |row| row.try_get_by_index(0))
}
