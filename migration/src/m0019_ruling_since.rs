//! Adds to debates since when a ruling is due, with an index of those in which one is.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Debates {
    Table,
    RulingSince,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut column = ColumnDef::new(Debates::RulingSince).big_integer().to_owned();
        manager.alter_table(Table::alter().table(Debates::Table).add_column(&mut column).to_owned()).await?;
        for sql in [
            "UPDATE debates SET ruling_since = (SELECT arguments.created_at FROM arguments \
             WHERE arguments.debate_id = debates.id AND arguments.seq = debates.last_seq) \
             WHERE state = 'AWAITING_ARBITRATOR'",
            // After a late delivery the INTERVENTION is the argument before the newest one.
            "UPDATE debates SET ruling_since = (SELECT arguments.created_at FROM arguments \
             WHERE arguments.debate_id = debates.id AND arguments.argument_type = 'INTERVENTION' \
             AND arguments.seq >= debates.last_seq - 1 ORDER BY arguments.seq DESC LIMIT 1) \
             WHERE state = 'INTERVENTION_PENDING'",
            // sea-query has no partial indexes; the text is the same for both databases.
            "CREATE INDEX debates_ruling_since_idx ON debates (ruling_since, created_at, id) WHERE ruling_since IS NOT NULL",
        ] {
            manager.get_connection().execute_unprepared(sql).await?;
        }
        Ok(())
    }
}
