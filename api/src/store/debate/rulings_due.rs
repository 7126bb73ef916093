//! The debates in which a ruling is due.

use std::sync::LazyLock;

use entity::debate;
use sea_orm::{ConnectionTrait, EntityTrait, Statement, Value};

use super::rows;
use crate::{
    domain::{Debate, DebateId, Role, StateName},
    store::{
        Store,
        backend::placeholders,
        error::StoreError,
        fault::{Page, WithId},
        padded_ids::{MAX_IDS, padded},
    },
};

/// The states in which a ruling is due, as a list of SQL.
static DUE: LazyLock<String> = LazyLock::new(|| {
    let due = StateName::ALL.iter().filter(|state| state.turn() == Some(Role::Arbitrator));
    due.map(|state| format!("'{state}'")).collect::<Vec<_>>().join(", ")
});

impl Store {
    /// The debates in which a ruling is due, of these or of all if none are given. They are in
    /// the order in which the APPEAL, RESOLUTION or INTERVENTION came; at most `limit` of them, which is more than the number
    /// of those given.
    pub async fn rulings_due(&self, among: &[DebateId], limit: u64) -> Result<Page<Debate>, StoreError> {
        let due = debate::Entity::find().from_raw_sql(self.select_due(among, limit));
        let rows: Vec<WithId<_>> = due.into_model().all(&self.read).await?;
        let read = rows.len() as u64;
        // A page that is not full has all of them.
        let total = if read < limit { read } else { self.count_due().await?.max(read) };
        Ok(rows::page(rows, total))
    }

    pub(super) fn select_due(&self, among: &[DebateId], limit: u64) -> Statement {
        let (filter, values) = if among.is_empty() {
            ("ruling_since IS NOT NULL".to_owned(), Vec::new())
        } else {
            let (ids, values) = self.select_due_among(among);
            (format!("id IN ({ids})"), values)
        };
        let text = format!("SELECT * FROM debates WHERE {filter} ORDER BY ruling_since, created_at, id LIMIT {limit}");
        Statement::from_sql_and_values(self.read.get_database_backend(), text, values)
    }

    /// SQL for the ids of those debates in which a ruling is due, and its values.
    fn select_due_among(&self, ids: &[DebateId]) -> (String, Vec<Value>) {
        let ids = padded(ids.iter().map(|id| Value::from(id.0)).collect());
        let list = placeholders(&self.read, 1, ids.len());
        (format!("SELECT id FROM debates WHERE id IN {list} AND state IN ({})", *DUE), ids)
    }

    async fn count_due(&self) -> Result<u64, StoreError> {
        let text =
            format!("SELECT CAST(COALESCE(SUM(debates), 0) AS bigint) FROM debate_totals WHERE state IN ({})", *DUE);
        let row = self.read.query_one_raw(Statement::from_string(self.read.get_database_backend(), text)).await?;
        let count: i64 = row.map_or(Ok(0), |row| row.try_get_by_index(0))?;
        Ok(count.try_into().unwrap_or_default())
    }

    /// Some debate in which a ruling is due, if there is one.
    pub(in crate::store) async fn any_due(&self) -> Result<Option<DebateId>, StoreError> {
        let text = format!("SELECT id FROM debates WHERE state IN ({}) LIMIT 1", *DUE);
        let row = self.read.query_one_raw(Statement::from_string(self.read.get_database_backend(), text)).await?;
        Ok(row.map(|row| row.try_get_by_index(0)).transpose()?.map(DebateId))
    }

    /// Those of these debates in which a ruling is due.
    pub(in crate::store) async fn due_among(&self, ids: &[DebateId]) -> Result<Vec<DebateId>, StoreError> {
        let mut due = Vec::new();
        for ids in ids.chunks(MAX_IDS) {
            let (text, values) = self.select_due_among(ids);
            let select = Statement::from_sql_and_values(self.read.get_database_backend(), text, values);
            for row in self.read.query_all_raw(select).await? {
                due.push(DebateId(row.try_get_by_index(0)?));
            }
        }
        Ok(due)
    }
}

#[cfg(test)]
mod tests;
