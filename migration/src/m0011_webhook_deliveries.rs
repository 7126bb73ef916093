//! Creates the table of webhook messages that are still to be delivered.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum WebhookDeliveries {
    Table,
    ArgumentId,
    Endpoint,
    Event,
    Payload,
    CreatedAt,
    Attempts,
    NextAttemptAt,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let deliveries = Table::create()
            .table(WebhookDeliveries::Table)
            .col(ColumnDef::new(WebhookDeliveries::ArgumentId).uuid().not_null())
            .col(ColumnDef::new(WebhookDeliveries::Endpoint).binary().not_null())
            .col(ColumnDef::new(WebhookDeliveries::Event).text().not_null())
            .col(ColumnDef::new(WebhookDeliveries::Payload).text().not_null())
            .col(ColumnDef::new(WebhookDeliveries::CreatedAt).big_integer().not_null())
            .col(ColumnDef::new(WebhookDeliveries::Attempts).integer().not_null())
            .col(ColumnDef::new(WebhookDeliveries::NextAttemptAt).big_integer().not_null())
            .primary_key(Index::create().col(WebhookDeliveries::ArgumentId).col(WebhookDeliveries::Endpoint))
            .to_owned();
        manager.create_table(deliveries).await?;
        let due = Index::create()
            .name("webhook_deliveries_due")
            .table(WebhookDeliveries::Table)
            .col(WebhookDeliveries::Endpoint)
            .col(WebhookDeliveries::NextAttemptAt)
            .to_owned();
        manager.create_index(due).await
    }
}
