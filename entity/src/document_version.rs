//! The table `document_versions`. Its rows never change.

use sea_orm::entity::prelude::*;

/// One version of a document.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "document_versions")]
pub struct Model {
    /// The document it belongs to
    #[sea_orm(primary_key, auto_increment = false)]
    pub document_id: Uuid,
    /// The number of the version: 1, 2, 3… without gaps
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i64,
    /// The summary, verbatim
    #[sea_orm(column_type = "Text")]
    pub summary: String,
    /// The request id that makes the write repeatable, unique within the document; null on version 1, whose request id is that
    /// of the document
    #[sea_orm(column_type = "Text", nullable)]
    pub client_request_id: Option<String>,
    /// Microseconds since 1970-01-01 UTC
    pub created_at: i64,
    /// The SHA-256 hash of the content, 32 bytes
    #[sea_orm(column_type = "Blob")]
    pub sha256: Vec<u8>,
    /// The SHA-256 hash of the metadata, 32 bytes; null if the version was made before these hashes were kept
    #[sea_orm(column_type = "Blob", nullable)]
    pub metadata_sha256: Option<Vec<u8>>,
    /// A JSON object, verbatim
    #[sea_orm(column_type = "Text")]
    pub metadata: String,
    /// The text, verbatim
    #[sea_orm(column_type = "Text")]
    pub content: String,
}

/// SeaORM requires this type. Queries write their joins themselves.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
