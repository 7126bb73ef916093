//! The table `debate_totals`: counters of the debates in each state.

use sea_orm::entity::prelude::*;

/// A counter. The number of debates in a state is the sum over its slots.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "debate_totals")]
pub struct Model {
    /// One of several slots, so that servers seldom wait for each other
    #[sea_orm(primary_key, auto_increment = false)]
    pub slot: i32,
    /// The state, as in `debates`
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub state: String,
    /// The debates that entered the state minus those that left it, as counted in this slot
    pub debates: i64,
}

/// SeaORM requires this type. Queries write their joins themselves.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
