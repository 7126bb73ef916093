//! `document_versions`: what documents say, never changed.

use sea_orm::entity::prelude::*;

/// One version of a document.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "document_versions")]
pub struct Model {
    /// The document it belongs to
    #[sea_orm(primary_key, auto_increment = false)]
    pub document_id: Uuid,
    /// Its number: 1, 2, 3… without gaps
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i64,
    /// What it is about, verbatim
    #[sea_orm(column_type = "Text")]
    pub summary: String,
    /// What its writer may repeat the write by; none on version 1, which the document's own goes for
    #[sea_orm(column_type = "Text", nullable)]
    pub client_request_id: Option<String>,
    /// Microseconds since 1970-01-01 UTC
    pub created_at: i64,
    /// A JSON object, as it was given
    #[sea_orm(column_type = "Text")]
    pub metadata: String,
    /// What it says, verbatim
    #[sea_orm(column_type = "Text")]
    pub content: String,
}

/// Rows are joined by the queries that need it.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
