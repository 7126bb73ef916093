//! The trigram indices of debate titles and of the texts that are searched, which PostgreSQL uses for `LIKE`.

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, Statement};

/// Creates the extension and the indices, if the extension is installed and this role may.
///
/// The extension may be in another schema, for which another deployment made it.
const CREATE: &str = "DO $$ DECLARE opclass text; BEGIN \
     CREATE EXTENSION IF NOT EXISTS pg_trgm; \
     SELECT extnamespace::regnamespace || '.gin_trgm_ops' INTO opclass FROM pg_extension WHERE extname = 'pg_trgm'; \
     EXECUTE 'CREATE INDEX IF NOT EXISTS debates_title_folded_idx ON debates USING gin (title_folded ' || opclass || ')'; \
     EXECUTE 'CREATE INDEX IF NOT EXISTS search_texts_text_idx ON search_texts USING gin (text ' || opclass || ')'; \
     EXECUTE 'CREATE INDEX IF NOT EXISTS search_texts_argument_text_idx ON search_texts USING gin (argument_text ' || opclass || ')'; \
     EXCEPTION WHEN insufficient_privilege OR undefined_file OR undefined_object OR feature_not_supported THEN NULL; \
     END $$";

/// Moves what was added to the indices of texts from their pending lists, which each search would read as a whole, to where it is
/// found quickly. Only their owner may.
const MERGE: &str = "SELECT gin_clean_pending_list(oid) FROM pg_class \
     WHERE oid IN (to_regclass('search_texts_text_idx'), to_regclass('search_texts_argument_text_idx')) \
     AND pg_has_role(relowner, 'USAGE')";

/// Creates the indices if any is missing. Without them searches scan all titles and texts.
pub(in super::super) async fn create(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    if !exists(transaction).await? {
        transaction.execute_unprepared(CREATE).await?;
        if !exists(transaction).await? {
            tracing::info!(
                "searches scan all titles and texts, as the extension pg_trgm is missing; after CREATE EXTENSION pg_trgm by a role that \
                 may, the next start creates indices"
            );
        }
    }
    Ok(())
}

/// Merges what was added to the indices of texts, if they are there.
pub(in super::super) async fn merge_texts(connection: &DatabaseConnection) -> Result<(), DbErr> {
    connection.execute_unprepared(MERGE).await.map(drop)
}

async fn exists(transaction: &DatabaseTransaction) -> Result<bool, DbErr> {
    let select = "SELECT to_regclass('debates_title_folded_idx') IS NOT NULL AND to_regclass('search_texts_text_idx') IS NOT NULL \
                  AND to_regclass('search_texts_argument_text_idx') IS NOT NULL";
    let row = transaction.query_one_raw(Statement::from_string(transaction.get_database_backend(), select)).await?;
    row.map_or(Ok(false), |row| row.try_get_by_index(0))
}
