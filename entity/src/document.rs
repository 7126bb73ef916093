//! The table `documents`, with the newest version of each.

use sea_orm::entity::prelude::*;

/// One document.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "documents")]
pub struct Model {
    /// A UUID made by the server
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The summary of version 1, verbatim
    #[sea_orm(column_type = "Text")]
    pub title: String,
    /// The title with its case folded, for searches
    #[sea_orm(column_type = "Text")]
    pub title_folded: String,
    /// The number of the newest version
    pub latest_version: i64,
    /// The summary of the newest version, verbatim
    #[sea_orm(column_type = "Text")]
    pub summary: String,
    /// The summary with its case folded, for searches
    #[sea_orm(column_type = "Text")]
    pub summary_folded: String,
    /// The request id that makes the creation repeatable, unique among all documents
    #[sea_orm(column_type = "Text", nullable)]
    pub client_request_id: Option<String>,
    /// Microseconds since 1970-01-01 UTC
    pub created_at: i64,
    /// The time of the newest version: microseconds since 1970-01-01 UTC
    pub updated_at: i64,
    /// The time of the deletion, if it is deleted: microseconds since 1970-01-01 UTC
    pub deleted_at: Option<i64>,
}

/// SeaORM requires this type. Queries write their joins themselves.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
