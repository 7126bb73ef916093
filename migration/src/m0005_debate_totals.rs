//! Creates counters of the debates in each state, so that a list need not count all debates.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Debates {
    Table,
    Id,
    State,
}

#[derive(DeriveIden)]
enum DebateTotals {
    Table,
    Slot,
    State,
    Debates,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let totals = Table::create()
            .table(DebateTotals::Table)
            .col(ColumnDef::new(DebateTotals::Slot).integer().not_null())
            .col(ColumnDef::new(DebateTotals::State).text().not_null())
            .col(ColumnDef::new(DebateTotals::Debates).big_integer().not_null())
            // One counter for each slot and state.
            .primary_key(Index::create().col(DebateTotals::Slot).col(DebateTotals::State))
            .to_owned();
        manager.create_table(totals).await?;

        let count = Query::select()
            .expr(Expr::value(0))
            .column(Debates::State)
            .expr(Expr::col(Debates::Id).count())
            .from(Debates::Table)
            .group_by_col(Debates::State)
            .to_owned();
        let mut counted = Query::insert();
        counted
            .into_table(DebateTotals::Table)
            .columns([DebateTotals::Slot, DebateTotals::State, DebateTotals::Debates])
            .select_from(count)
            .map_err(|error| DbErr::Migration(error.to_string()))?;
        manager.execute(counted).await
    }
}
