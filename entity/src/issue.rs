//! The table `issues`, with the current state of each point of a debate.

use sea_orm::entity::prelude::*;

/// One issue.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "issues")]
pub struct Model {
    /// The debate it belongs to
    #[sea_orm(primary_key, auto_increment = false)]
    pub debate_id: Uuid,
    /// The number of the issue in its debate: 1, 2, 3… without gaps
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i32,
    /// `critical`, `high`, `medium` or `low`
    #[sea_orm(column_type = "Text")]
    pub severity: String,
    /// What is wrong, in one line
    #[sea_orm(column_type = "Text")]
    pub title: String,
    /// Where it is
    #[sea_orm(column_type = "Text", nullable)]
    pub location: Option<String>,
    /// `open`, `fixed`, `disputed`, `resolved`, `withdrawn`, `dismissed` or `deferred`
    #[sea_orm(column_type = "Text")]
    pub status: String,
    /// The note of the newest change
    #[sea_orm(column_type = "Text", nullable)]
    pub note: Option<String>,
    /// `opponent` or `arbitrator`
    #[sea_orm(column_type = "Text")]
    pub raised_by: String,
    /// The `seq` of the argument that raised it
    pub raised_seq: i64,
    /// The `seq` of the argument with the newest change
    pub changed_seq: i64,
    /// Whether the arbitrator decided that it has to be fixed
    pub upheld: bool,
    /// Whether an APPEAL refers it to the arbitrator, until the next RULING
    pub referred: bool,
    /// `opponent` or `arbitrator`, who deferred it, as long as it is deferred
    #[sea_orm(column_type = "Text", nullable)]
    pub deferred_by: Option<String>,
    /// How often it was reopened since it was raised or last ruled on
    pub reopened: i32,
}

/// SeaORM requires this type. Queries write their joins themselves.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
