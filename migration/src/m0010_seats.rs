//! Adds the seats of each debate: the SHA-256 of the key that may write as the proposer, and as the opponent.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Debates {
    Table,
    ProposerSeat,
    OpponentSeat,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column with each statement.
        for column in [Debates::ProposerSeat, Debates::OpponentSeat] {
            let add = Table::alter().table(Debates::Table).add_column(ColumnDef::new(column).blob()).to_owned();
            manager.alter_table(add).await?;
        }
        Ok(())
    }
}
