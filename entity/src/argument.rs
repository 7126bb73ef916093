//! `arguments`: what was said, never changed.

use sea_orm::entity::prelude::*;

/// One argument.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "arguments")]
pub struct Model {
    /// Made by the server
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The debate it belongs to
    pub debate_id: Uuid,
    /// Its place in the debate: 1, 2, 3… without gaps
    pub seq: i64,
    /// The argument that it answers
    pub parent_id: Option<Uuid>,
    /// `MOTION`, `CLAIM`, `APPEAL`, `RESOLUTION`, `INTERVENTION` or `RULING`
    #[sea_orm(column_type = "Text")]
    pub argument_type: String,
    /// `proposer`, `opponent` or `arbitrator`
    #[sea_orm(column_type = "Text")]
    pub role: String,
    /// What it says, verbatim
    #[sea_orm(column_type = "Text")]
    pub content: String,
    /// On an APPEAL with options: a JSON list of `{label, detail, free_form}`
    #[sea_orm(column_type = "Text", nullable)]
    pub options: Option<String>,
    /// On a RULING: whether it closed the debate
    pub close: Option<bool>,
    /// On a RULING: which option it took, counted from 0
    pub chosen_option: Option<i32>,
    /// The INTERVENTION that it was delivered after
    pub late_for: Option<Uuid>,
    /// What its writer may repeat the write by
    #[sea_orm(column_type = "Text", nullable)]
    pub client_request_id: Option<String>,
    /// Microseconds since 1970-01-01 UTC
    pub created_at: i64,
    /// The 32 bytes that stand for it and all before it
    #[sea_orm(column_type = "Blob", nullable)]
    pub hash: Option<Vec<u8>>,
}

/// Rows are joined by the queries that need it.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
