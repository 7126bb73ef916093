//! Adds to arguments the document versions that they cite, and to document versions the hash of their content.
//!
//! The arguments that are there keep what they have: their hashes cover no citations.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectionTrait, QueryResult, prelude::Uuid},
};
use sha2::{Digest, Sha256};

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
    Metadata,
    Content,
}

/// The table of versions without hashes.
#[derive(DeriveIden)]
enum FormerVersions {
    Table,
}

#[derive(DeriveIden)]
enum Arguments {
    Table,
    Citations,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let citations =
            Table::alter().table(Arguments::Table).add_column(ColumnDef::new(Arguments::Citations).text()).to_owned();
        manager.alter_table(citations).await?;
        // For the documents that a debate cites. sea-query has no partial indexes; the text is the same for both databases.
        let index = "CREATE INDEX arguments_citations ON arguments (debate_id, seq) WHERE citations IS NOT NULL";
        manager.get_connection().execute_unprepared(index).await?;

        // A column that is added comes last, after the content, which SQLite would have to skip page by page to read it. So
        // the table is made anew, with the hash before the long columns.
        let rename = Table::rename().table(DocumentVersions::Table, FormerVersions::Table).to_owned();
        manager.rename_table(rename).await?;
        let request_ids = "document_versions_document_id_client_request_id_key";
        manager.drop_index(Index::drop().name(request_ids).table(FormerVersions::Table).to_owned()).await?;
        create_versions(manager, request_ids).await?;
        copy_versions(manager.get_connection()).await?;
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

/// Copies the versions with the hash of their content, one after another, since contents may be long.
async fn copy_versions(connection: &impl ConnectionTrait) -> Result<(), DbErr> {
    let mut copied = None;
    while let Some(row) = next_version(connection, copied).await? {
        let key: (Uuid, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        let content: String = row.try_get_by_index(2)?;
        copy_version(connection, key, Sha256::digest(content).to_vec()).await?;
        copied = Some(key);
    }
    Ok(())
}

/// The version that follows this one in the order of the primary key: its document, its number and its content.
async fn next_version(
    connection: &impl ConnectionTrait,
    after: Option<(Uuid, i64)>,
) -> Result<Option<QueryResult>, DbErr> {
    let key = || Expr::tuple([Expr::col(DocumentVersions::DocumentId), Expr::col(DocumentVersions::Version)]);
    let mut select = Query::select();
    select
        .columns([DocumentVersions::DocumentId, DocumentVersions::Version, DocumentVersions::Content])
        .from(FormerVersions::Table)
        .order_by(DocumentVersions::DocumentId, Order::Asc)
        .order_by(DocumentVersions::Version, Order::Asc)
        .limit(1);
    if let Some((document, version)) = after {
        select.and_where(key().gt(Expr::tuple([Expr::value(document), Expr::value(version)])));
    }
    connection.query_one(&select).await
}

async fn copy_version(
    connection: &impl ConnectionTrait,
    (document, version): (Uuid, i64),
    sha256: Vec<u8>,
) -> Result<(), DbErr> {
    let (before, after) = (
        [
            DocumentVersions::DocumentId,
            DocumentVersions::Version,
            DocumentVersions::Summary,
            DocumentVersions::ClientRequestId,
            DocumentVersions::CreatedAt,
        ],
        [DocumentVersions::Metadata, DocumentVersions::Content],
    );
    let select = Query::select()
        .columns(before)
        .expr(Expr::value(sha256))
        .columns(after)
        .from(FormerVersions::Table)
        .and_where(Expr::col(DocumentVersions::DocumentId).eq(document))
        .and_where(Expr::col(DocumentVersions::Version).eq(version))
        .to_owned();
    let columns = before.into_iter().chain([DocumentVersions::Sha256]).chain(after);
    let mut insert = Query::insert();
    insert
        .into_table(DocumentVersions::Table)
        .columns(columns)
        .select_from(select)
        .map_err(|error| DbErr::Migration(error.to_string()))?;
    connection.execute(&insert).await.map(drop)
}
