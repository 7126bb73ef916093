//! Rows that cannot be read, and lists that leave them out.

use sea_orm::{DbErr, FromQueryResult, QueryResult, prelude::Uuid};

use super::error::{InconsistentRow, RowName};
use crate::{
    domain::{DebateId, DocumentId},
    prometheus_metrics,
};

/// The most faults that one answer tells.
pub const MAX_FAULTS: usize = 100;

/// A row that cannot be read and is left out: what it is of, as far as that can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fault {
    /// The debate
    pub debate_id: Option<DebateId>,
    /// The document
    pub document_id: Option<DocumentId>,
    /// The `seq` of the argument, if it is one
    pub seq: Option<u64>,
}

impl From<&InconsistentRow> for Fault {
    fn from(row: &InconsistentRow) -> Self {
        let debate = row.debate();
        Self {
            debate_id: debate.map(|(id, _)| id),
            document_id: row.document().map(|(id, _)| id),
            seq: debate.and_then(|(_, seq)| seq).filter(|seq| *seq > 0),
        }
    }
}

impl Fault {
    /// Logs and counts a row that is left out.
    pub(super) fn left_out(row: &InconsistentRow) -> Self {
        tracing::error!(fault = %row, "a row cannot be read and is left out");
        prometheus_metrics::unreadable_row();
        Self::from(row)
    }
}

/// Logs and counts an index that cannot be read, in place of which the rows themselves are looked at.
pub(super) fn index_left_out(of: &str, error: &DbErr) {
    tracing::error!(%error, "the index of {of} cannot be read and is left out");
    prometheus_metrics::unreadable_row();
}

/// A page of a list, as far as it can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// In the order of the list
    pub rows: Vec<T>,
    /// How many rows there are on all pages, without what this page leaves out
    pub total: u64,
    /// What is left out
    pub faults: Vec<Fault>,
}

impl<T> Page<T> {
    /// A page of these of `total` rows, without those that cannot be read.
    pub(super) fn new(rows: impl IntoIterator<Item = Result<T, InconsistentRow>>, total: u64) -> Self {
        let rows = rows.into_iter();
        let mut page = Self { rows: Vec::with_capacity(rows.size_hint().0), total, faults: Vec::new() };
        for row in rows {
            match row {
                Ok(row) => page.rows.push(row),
                Err(row) => page.faults.push(Fault::left_out(&row)),
            }
        }
        page.total = total.saturating_sub(page.faults.len() as u64);
        page
    }
}

/// A row with its id, as far as they can be decoded.
#[derive(Debug)]
pub(super) struct WithId<M> {
    id: Option<Uuid>,
    row: Result<M, DbErr>,
}

impl<M: FromQueryResult> FromQueryResult for WithId<M> {
    fn from_query_result(row: &QueryResult, prefix: &str) -> Result<Self, DbErr> {
        Ok(Self { id: row.try_get(prefix, "id").ok(), row: M::from_query_result(row, prefix) })
    }
}

impl<M> WithId<M> {
    /// The row, or an error that names it by `name`.
    pub fn decoded(self, table: &'static str, name: fn(Uuid) -> RowName) -> Result<M, InconsistentRow> {
        let name = || self.id.map_or_else(|| RowName::Other("of a list".to_owned()), name);
        self.row.map_err(|error| InconsistentRow::undecodable(table, name(), &error))
    }
}
