//! `debates`: one row a debate, with where it stands.

use sea_orm::entity::prelude::*;

/// One debate.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "debates")]
pub struct Model {
    /// Chosen by the proposer
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// What it is called, verbatim
    #[sea_orm(column_type = "Text")]
    pub title: String,
    /// The title with ASCII letters in lower case: what searches look at, alike on every store
    #[sea_orm(column_type = "Text")]
    pub title_folded: String,
    /// `coding_plan_debate` or `general_debate`
    #[sea_orm(column_type = "Text")]
    pub debate_type: String,
    /// `AWAITING_OPPONENT`, `AWAITING_PROPOSER`, `AWAITING_ARBITRATOR`, `INTERVENTION_PENDING` or `CLOSED`
    #[sea_orm(column_type = "Text")]
    pub state: String,
    /// What the state carries, if anything.
    ///
    /// `AWAITING_PROPOSER`: `CLAIM` or `RULING`, what called the proposer. `AWAITING_ARBITRATOR`: `APPEAL` or
    /// `RESOLUTION`, what was asked. `INTERVENTION_PENDING`: `proposer` or `opponent`, who may still deliver, or `CLAIM`,
    /// `APPEAL` or `RESOLUTION`, what was delivered.
    #[sea_orm(column_type = "Text", nullable)]
    pub state_detail: Option<String>,
    /// How many options there are to choose from, where `state_detail` is `APPEAL`
    pub option_count: Option<i32>,
    /// The `seq` of the newest argument
    pub last_seq: i64,
    /// The newest argument
    pub last_argument_id: Uuid,
    /// Microseconds since 1970-01-01 UTC
    pub created_at: i64,
    /// Microseconds since 1970-01-01 UTC
    pub updated_at: i64,
    /// The hash of the newest argument
    #[sea_orm(column_type = "Blob", nullable)]
    pub head: Option<Vec<u8>>,
}

/// Rows are joined by the queries that need it.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
