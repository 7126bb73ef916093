//! The table `debates`, with the current state of each.

use data_encoding::HEXLOWER_PERMISSIVE;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Deserializer};

/// One debate. As JSON it is an array of the columns in this order, with bytes in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Deserialize)]
#[sea_orm(table_name = "debates")]
pub struct Model {
    /// A UUID chosen by the proposer
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The title, verbatim
    #[sea_orm(column_type = "Text")]
    pub title: String,
    /// The title with its case folded, for searches; JSON has none
    #[serde(skip)]
    #[sea_orm(column_type = "Text")]
    pub title_folded: String,
    /// The name of the type
    #[sea_orm(column_type = "Text")]
    pub debate_type: String,
    /// `AWAITING_OPPONENT`, `AWAITING_PROPOSER`, `AWAITING_ARBITRATOR`, `INTERVENTION_PENDING` or `CLOSED`
    #[sea_orm(column_type = "Text")]
    pub state: String,
    /// The data of the state, if it has any.
    ///
    /// `AWAITING_PROPOSER`: the argument type that the proposer has to answer, `CLAIM` or `RULING`. `AWAITING_ARBITRATOR`: the
    /// type that asks the arbitrator, `APPEAL` or `RESOLUTION`. `INTERVENTION_PENDING`: the side that may still deliver an
    /// argument, `proposer` or `opponent`, or the type that it delivered, `CLAIM`, `APPEAL` or `RESOLUTION`.
    #[sea_orm(column_type = "Text", nullable)]
    pub state_detail: Option<String>,
    /// The number of options to choose from, if `state_detail` is `APPEAL`
    pub option_count: Option<i32>,
    /// After so many rounds without a RULING the proposer has to appeal or to request completion
    pub max_rounds: Option<i32>,
    /// The CLAIMs of the opponent since the last RULING
    pub rounds: i64,
    /// A JSON list of the number of issues that are open, fixed, disputed, resolved, withdrawn, dismissed, blocking and deferred; null
    /// if there are no issues
    #[sea_orm(column_type = "Text", nullable)]
    pub issue_counts: Option<String>,
    /// What the plan follows from, as JSON: its current version and which versions of it are cited, or which documents are
    /// cited by others than the proposer; null if nothing is cited
    #[sea_orm(column_type = "Text", nullable)]
    pub plan: Option<String>,
    /// The SHA-256 of the key that may write as the proposer; null if the seat is free
    #[sea_orm(column_type = "Blob", nullable)]
    #[serde(deserialize_with = "hexadecimal")]
    pub proposer_seat: Option<Vec<u8>>,
    /// The SHA-256 of the key that may write as the opponent; null if the seat is free
    #[sea_orm(column_type = "Blob", nullable)]
    #[serde(deserialize_with = "hexadecimal")]
    pub opponent_seat: Option<Vec<u8>>,
    /// The `seq` of the newest argument
    pub last_seq: i64,
    /// The id of the newest argument
    pub last_argument_id: Uuid,
    /// The id of the argument before the INTERVENTION, as long as a late delivery may answer it
    pub late_target_id: Option<Uuid>,
    /// As long as a ruling is due, the time of the argument that asks for it: microseconds since 1970-01-01 UTC
    pub ruling_since: Option<i64>,
    /// Microseconds since 1970-01-01 UTC
    pub created_at: i64,
    /// The time of the newest argument: microseconds since 1970-01-01 UTC
    pub updated_at: i64,
    /// The hash of the newest argument; null only before the backfill
    #[sea_orm(column_type = "Blob", nullable)]
    #[serde(deserialize_with = "hexadecimal")]
    pub head: Option<Vec<u8>>,
}

/// Bytes in hexadecimal; none where they are something else.
fn hexadecimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
    let digits = Option::<String>::deserialize(deserializer)?;
    Ok(digits.and_then(|digits| HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok()))
}

/// SeaORM requires this type. Queries write their joins themselves.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
