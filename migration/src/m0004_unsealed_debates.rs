//! Indexes the debates without a hash. A server looks for them at each start, and finds some only after an upgrade.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Debates {
    Table,
    Id,
    Head,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let without_hash = Index::create()
            .name("debates_unsealed_idx")
            .table(Debates::Table)
            .col(Debates::Id)
            .and_where(Expr::col(Debates::Head).is_null())
            .to_owned();
        manager.create_index(without_hash).await
    }
}
