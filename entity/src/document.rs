//! `documents`: one row a document, with what its newest version is.

use sea_orm::entity::prelude::*;

/// One document.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "documents")]
pub struct Model {
    /// Made by the server
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The number of the newest version
    pub latest_version: i64,
    /// The summary of the newest version, verbatim
    #[sea_orm(column_type = "Text")]
    pub summary: String,
    /// The summary with ASCII letters in lower case: what searches look at, alike on every store
    #[sea_orm(column_type = "Text")]
    pub summary_folded: String,
    /// What its creator may repeat the creation by
    #[sea_orm(column_type = "Text", nullable)]
    pub client_request_id: Option<String>,
    /// Microseconds since 1970-01-01 UTC
    pub created_at: i64,
    /// When the newest version came: microseconds since 1970-01-01 UTC
    pub updated_at: i64,
    /// When it was deleted, if it was: microseconds since 1970-01-01 UTC
    pub deleted_at: Option<i64>,
}

/// Rows are joined by the queries that need it.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
