//! Queries for records. They read no contents but those of RULINGs.

use entity::argument;
use sea_orm::{
    ColumnTrait, DbErr, EntityTrait, FromQueryResult, Iterable, QueryFilter, QueryOrder, QueryResult, QuerySelect,
    sea_query::Expr,
};

use super::rows;
use crate::{
    domain::{Debate, Entry},
    store::{Store, error::StoreError},
};

/// The content of a RULING, and nothing of other arguments.
const CONTENT: &str = "CASE WHEN argument_type = 'RULING' THEN content ELSE '' END";

/// The size of the content in bytes. Both databases have this function.
const CONTENT_BYTES: &str = "octet_length(content)";

impl Store {
    /// All arguments of a debate up to its `last_seq`, as its record has them.
    pub async fn record_entries(&self, debate: &Debate) -> Result<Vec<Entry>, StoreError> {
        let others = argument::Column::iter().filter(|column| !matches!(column, argument::Column::Content));
        let rows = argument::Entity::find()
            .select_only()
            .columns(others)
            .column_as(Expr::cust(CONTENT), "content")
            .column_as(Expr::cust(CONTENT_BYTES), "content_bytes")
            .filter(argument::Column::DebateId.eq(debate.id.0))
            .filter(argument::Column::Seq.lte(debate.last_seq.cast_signed()))
            .order_by_asc(argument::Column::Seq)
            .into_model::<EntryRow>()
            .all(&self.read)
            .await?;
        if rows.len() as u64 != debate.last_seq {
            return Err(rows::missing_argument(debate, debate.last_seq.min(rows.len() as u64 + 1)).into());
        }
        rows.into_iter()
            .map(|EntryRow { argument, content_bytes }| Ok(Entry::new(rows::argument(argument)?, content_bytes)))
            .collect()
    }
}

/// An argument with the size of its content.
struct EntryRow {
    argument: argument::Model,
    content_bytes: u64,
}

impl FromQueryResult for EntryRow {
    fn from_query_result(row: &QueryResult, prefix: &str) -> Result<Self, DbErr> {
        let content_bytes: i32 = row.try_get(prefix, "content_bytes")?;
        Ok(Self {
            argument: argument::Model::from_query_result(row, prefix)?,
            content_bytes: u64::from(content_bytes.unsigned_abs()),
        })
    }
}
