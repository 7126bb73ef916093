//! Adds to issues who deferred them, and to the counts of debates how many are deferred.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Issues {
    Table,
    DeferredBy,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut column = ColumnDef::new(Issues::DeferredBy).text().to_owned();
        manager.alter_table(Table::alter().table(Issues::Table).add_column(&mut column).to_owned()).await?;
        let counts =
            "UPDATE debates SET issue_counts = REPLACE(issue_counts, ']', ',0]') WHERE issue_counts IS NOT NULL";
        manager.get_connection().execute_unprepared(counts).await.map(drop)
    }
}
