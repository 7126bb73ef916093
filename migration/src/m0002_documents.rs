//! Creates the tables of documents and versions.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Documents {
    Table,
    Id,
    LatestVersion,
    Summary,
    SummaryFolded,
    ClientRequestId,
    CreatedAt,
    UpdatedAt,
    DeletedAt,
}

#[derive(DeriveIden)]
enum DocumentVersions {
    Table,
    DocumentId,
    Version,
    Summary,
    ClientRequestId,
    CreatedAt,
    Metadata,
    Content,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let documents = Table::create()
            .table(Documents::Table)
            .col(ColumnDef::new(Documents::Id).uuid().not_null().primary_key())
            .col(ColumnDef::new(Documents::LatestVersion).big_integer().not_null())
            .col(ColumnDef::new(Documents::Summary).text().not_null())
            .col(ColumnDef::new(Documents::SummaryFolded).text().not_null())
            .col(ColumnDef::new(Documents::ClientRequestId).text())
            .col(ColumnDef::new(Documents::CreatedAt).big_integer().not_null())
            .col(ColumnDef::new(Documents::UpdatedAt).big_integer().not_null())
            .col(ColumnDef::new(Documents::DeletedAt).big_integer())
            .to_owned();
        manager.create_table(documents).await?;

        let versions = Table::create()
            .table(DocumentVersions::Table)
            .col(ColumnDef::new(DocumentVersions::DocumentId).uuid().not_null())
            .col(ColumnDef::new(DocumentVersions::Version).big_integer().not_null())
            .col(ColumnDef::new(DocumentVersions::Summary).text().not_null())
            .col(ColumnDef::new(DocumentVersions::ClientRequestId).text())
            .col(ColumnDef::new(DocumentVersions::CreatedAt).big_integer().not_null())
            // Long columns come last: reading the others does not have to skip them.
            .col(ColumnDef::new(DocumentVersions::Metadata).text().not_null())
            .col(ColumnDef::new(DocumentVersions::Content).text().not_null())
            // The number of a version is unique in its document.
            .primary_key(Index::create().col(DocumentVersions::DocumentId).col(DocumentVersions::Version))
            .foreign_key(
                ForeignKey::create()
                    .name("document_versions_document_id_fkey")
                    .from(DocumentVersions::Table, DocumentVersions::DocumentId)
                    .to(Documents::Table, Documents::Id),
            )
            .to_owned();
        manager.create_table(versions).await?;

        for index in [
            // A request id creates one document.
            Index::create()
                .name("documents_client_request_id_key")
                .table(Documents::Table)
                .col(Documents::ClientRequestId)
                .unique()
                .to_owned(),
            // A request id adds one version.
            Index::create()
                .name("document_versions_document_id_client_request_id_key")
                .table(DocumentVersions::Table)
                .col(DocumentVersions::DocumentId)
                .col(DocumentVersions::ClientRequestId)
                .unique()
                .to_owned(),
            // For the list, which leaves out deleted documents.
            Index::create()
                .name("documents_updated_at_idx")
                .table(Documents::Table)
                .col(Documents::UpdatedAt)
                .col(Documents::CreatedAt)
                .col(Documents::Id)
                .and_where(Expr::col(Documents::DeletedAt).is_null())
                .to_owned(),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}
