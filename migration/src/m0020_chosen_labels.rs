//! Adds to RULINGs the label of the option that they chose.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectionTrait, Statement, prelude::Uuid},
};
use serde_json::Value;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Arguments {
    Table,
    ChosenLabel,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut column = ColumnDef::new(Arguments::ChosenLabel).text().to_owned();
        manager.alter_table(Table::alter().table(Arguments::Table).add_column(&mut column).to_owned()).await?;
        let connection = manager.get_connection();
        let backend = connection.get_database_backend();
        // Nothing is stored between an APPEAL and the RULING on it.
        let choosing = "SELECT arguments.id, arguments.chosen_option, appeals.options FROM arguments \
             JOIN arguments AS appeals ON appeals.debate_id = arguments.debate_id AND appeals.seq = arguments.seq - 1 \
             WHERE arguments.argument_type = 'RULING' AND arguments.chosen_option IS NOT NULL";
        for row in connection.query_all_raw(Statement::from_string(backend, choosing)).await? {
            let (id, chosen): (Uuid, i32) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
            let options: Option<String> = row.try_get_by_index(2)?;
            // What cannot be read is reported by `verify`.
            let options: Value = options.and_then(|json| json.parse().ok()).unwrap_or_default();
            let option = usize::try_from(chosen).ok().and_then(|chosen| options.get(chosen));
            let label = option.and_then(|option| option["label"].as_str()).map(str::to_owned);
            let update = "UPDATE arguments SET chosen_label = $1 WHERE id = $2";
            let update = Statement::from_sql_and_values(backend, update, [label.into(), id.into()]);
            connection.execute_raw(update).await?;
        }
        Ok(())
    }
}
