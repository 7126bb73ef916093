//! Adds to arguments the programs that were started to write them, and what these used.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Arguments {
    Table,
    Agents,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let agents =
            Table::alter().table(Arguments::Table).add_column(ColumnDef::new(Arguments::Agents).text()).to_owned();
        manager.alter_table(agents).await
    }
}
