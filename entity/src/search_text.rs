//! The table `search_texts`: the texts of arguments that are searched, with their case folded. It follows from the arguments.

use sea_orm::entity::prelude::*;

/// One text.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "search_texts")]
pub struct Model {
    /// The number by which an index on SQLite names it
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The debate it belongs to
    pub debate_id: Uuid,
    /// The `seq` of the argument that has it
    pub seq: i64,
    /// The number of the issue that it is about, or 0
    pub issue: i32,
    /// `ruling`, `issue`, `title` or `argument`
    #[sea_orm(column_type = "Text")]
    pub kind: String,
    /// The argument that has it
    pub argument_id: Uuid,
    /// When that was written, in microseconds since 1970-01-01 UTC
    pub created_at: i64,
    /// The text, unless it is of the kind `argument`
    #[sea_orm(column_type = "Text", nullable)]
    pub text: Option<String>,
    /// The text of the kind `argument`, of which there is much more, so that a search for the others need not look at it
    #[sea_orm(column_type = "Text", nullable)]
    pub argument_text: Option<String>,
}

/// SeaORM requires this type. Queries write their joins themselves.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
