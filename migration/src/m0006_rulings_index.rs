//! An index of the RULINGs of each debate, which are read even where other arguments are left out.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // sea-query has no partial indexes; the text is the same for both databases.
        let sql = "CREATE INDEX arguments_rulings ON arguments (debate_id, seq) WHERE argument_type = 'RULING'";
        manager.get_connection().execute_unprepared(sql).await.map(drop)
    }
}
