//! Finds the debates without a hash at once, of which there are none but after an upgrade: a server looks at each start.

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
        let unsealed = Index::create()
            .name("debates_unsealed_idx")
            .table(Debates::Table)
            .col(Debates::Id)
            .and_where(Expr::col(Debates::Head).is_null())
            .to_owned();
        manager.create_index(unsealed).await
    }
}
