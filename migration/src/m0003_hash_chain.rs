//! Adds a hash to each argument, and the hash of the newest argument to each debate.
//!
//! Both are null in existing rows until the server computes them at its next start.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Debates {
    Table,
    Head,
}

#[derive(DeriveIden)]
enum Arguments {
    Table,
    Hash,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let arguments =
            Table::alter().table(Arguments::Table).add_column(ColumnDef::new(Arguments::Hash).blob()).to_owned();
        manager.alter_table(arguments).await?;
        let debates = Table::alter().table(Debates::Table).add_column(ColumnDef::new(Debates::Head).blob()).to_owned();
        manager.alter_table(debates).await
    }
}
