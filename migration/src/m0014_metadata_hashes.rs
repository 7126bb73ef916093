//! Adds to document versions the hash of their metadata.
//!
//! The versions that are there have none: nobody can tell whether their metadata are as they were sent.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Documents {
    Table,
    Id,
}

#[derive(DeriveIden, Clone, Copy)]
enum DocumentVersions {
    Table,
    DocumentId,
    Version,
    Summary,
    ClientRequestId,
    CreatedAt,
    Sha256,
    MetadataSha256,
    Metadata,
    Content,
}

/// The table of versions without the hash.
#[derive(DeriveIden)]
enum FormerVersions {
    Table,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // A column that is added comes last, after the content, which SQLite would have to skip page by page to read it. So
        // the table is made anew, with the hash before the long columns.
        let rename = Table::rename().table(DocumentVersions::Table, FormerVersions::Table).to_owned();
        manager.rename_table(rename).await?;
        let request_ids = "document_versions_document_id_client_request_id_key";
        manager.drop_index(Index::drop().name(request_ids).table(FormerVersions::Table).to_owned()).await?;
        create_versions(manager, request_ids).await?;
        let columns = [
            DocumentVersions::DocumentId,
            DocumentVersions::Version,
            DocumentVersions::Summary,
            DocumentVersions::ClientRequestId,
            DocumentVersions::CreatedAt,
            DocumentVersions::Sha256,
            DocumentVersions::Metadata,
            DocumentVersions::Content,
        ];
        let select = Query::select().columns(columns).from(FormerVersions::Table).to_owned();
        let mut insert = Query::insert();
        insert
            .into_table(DocumentVersions::Table)
            .columns(columns)
            .select_from(select)
            .map_err(|error| DbErr::Migration(error.to_string()))?;
        manager.execute(insert).await?;
        manager.drop_table(Table::drop().table(FormerVersions::Table).to_owned()).await
    }
}

async fn create_versions(manager: &SchemaManager<'_>, request_ids: &str) -> Result<(), DbErr> {
    let versions = Table::create()
        .table(DocumentVersions::Table)
        .col(ColumnDef::new(DocumentVersions::DocumentId).uuid().not_null())
        .col(ColumnDef::new(DocumentVersions::Version).big_integer().not_null())
        .col(ColumnDef::new(DocumentVersions::Summary).text().not_null())
        .col(ColumnDef::new(DocumentVersions::ClientRequestId).text())
        .col(ColumnDef::new(DocumentVersions::CreatedAt).big_integer().not_null())
        .col(ColumnDef::new(DocumentVersions::Sha256).blob().not_null())
        .col(ColumnDef::new(DocumentVersions::MetadataSha256).blob())
        .col(ColumnDef::new(DocumentVersions::Metadata).text().not_null())
        .col(ColumnDef::new(DocumentVersions::Content).text().not_null())
        .primary_key(Index::create().col(DocumentVersions::DocumentId).col(DocumentVersions::Version))
        .foreign_key(
            ForeignKey::create()
                .name("document_versions_document_id_fkey")
                .from(DocumentVersions::Table, DocumentVersions::DocumentId)
                .to(Documents::Table, Documents::Id),
        )
        .to_owned();
    manager.create_table(versions).await?;
    let unique = Index::create()
        .name(request_ids)
        .table(DocumentVersions::Table)
        .col(DocumentVersions::DocumentId)
        .col(DocumentVersions::ClientRequestId)
        .unique()
        .to_owned();
    manager.create_index(unique).await
}
