//! The table `arguments`. Its rows never change.

use sea_orm::entity::prelude::*;

/// One argument.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "arguments")]
pub struct Model {
    /// A UUID made by the server
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The debate it belongs to
    pub debate_id: Uuid,
    /// The number of the argument in its debate: 1, 2, 3… without gaps
    pub seq: i64,
    /// The argument that this one answers
    pub parent_id: Option<Uuid>,
    /// `MOTION`, `CLAIM`, `APPEAL`, `RESOLUTION`, `INTERVENTION` or `RULING`
    #[sea_orm(column_type = "Text")]
    pub argument_type: String,
    /// `proposer`, `opponent` or `arbitrator`
    #[sea_orm(column_type = "Text")]
    pub role: String,
    /// The text, verbatim
    #[sea_orm(column_type = "Text")]
    pub content: String,
    /// On an APPEAL with options: a JSON list of `{label, detail, free_form}`
    #[sea_orm(column_type = "Text", nullable)]
    pub options: Option<String>,
    /// On a RULING: whether it closed the debate
    pub close: Option<bool>,
    /// On a RULING: the index of the chosen option, from 0
    pub chosen_option: Option<i32>,
    /// On a RULING: the label of the chosen option, which is one of the argument before
    #[sea_orm(column_type = "Text", nullable)]
    pub chosen_label: Option<String>,
    /// A JSON list of the changes of issues that it carries: `{change, issue, severity, title, location, note}`
    #[sea_orm(column_type = "Text", nullable)]
    pub issue_changes: Option<String>,
    /// A JSON list of the numbers of the issues that are no longer as before it
    #[sea_orm(column_type = "Text", nullable)]
    pub changed_issues: Option<String>,
    /// A JSON list of the versions of documents that its content cites: `{document_id, version, sha256}`
    #[sea_orm(column_type = "Text", nullable)]
    pub citations: Option<String>,
    /// A JSON list of the programs that were started to write it: `{program, model, purpose, input_tokens, cached_tokens,
    /// output_tokens, cost_microusd, seconds, changed_paths, starts, calls, failed_calls, denied_calls}`
    #[sea_orm(column_type = "Text", nullable)]
    pub agents: Option<String>,
    /// The INTERVENTION that interrupted this argument, if it was delivered late
    pub late_for: Option<Uuid>,
    /// The request id that makes the write repeatable, unique within the debate
    #[sea_orm(column_type = "Text", nullable)]
    pub client_request_id: Option<String>,
    /// Microseconds since 1970-01-01 UTC
    pub created_at: i64,
    /// A hash over this argument and all before it, 32 bytes; null only before the backfill
    #[sea_orm(column_type = "Blob", nullable)]
    pub hash: Option<Vec<u8>>,
}

/// SeaORM requires this type. Queries write their joins themselves.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
