//! `debate_totals`: how many debates stand at each state.

use sea_orm::entity::prelude::*;

/// A part of the number of debates at a state: the sum over all slots is that number.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "debate_totals")]
pub struct Model {
    /// One of several, so that servers that count at once seldom wait for each other
    #[sea_orm(primary_key, auto_increment = false)]
    pub slot: i32,
    /// As in `debates`
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub state: String,
    /// How many came to the state less how many left it, as far as was counted in this slot
    pub debates: i64,
}

/// Rows are joined by the queries that need it.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
