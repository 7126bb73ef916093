//! The search in texts.

use std::{collections::HashMap, sync::Arc, time::Duration};

use entity::{argument, debate};
use sea_orm::{ColumnTrait, ConnectionTrait, FromQueryResult, QueryFilter, Statement, prelude::Uuid};
use tokio::time::timeout;

use super::{
    rows, search_texts,
    select::{ArgumentRow, DebateWithNewest, HistoryCheck, find_arguments, find_debates},
};
use crate::{
    domain::{Argument, Debate, DebateId, SearchKind, SearchedText, excerpt, folded, searched_texts},
    store::{Store, backend, error::StoreError, padded_ids::padded},
};

/// How long a search waits for the table of texts. After an upgrade that lacks everything.
const MAX_FILLING: Duration = Duration::from_secs(10);

/// A text that was found.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The debate as it is now
    pub debate: Debate,
    /// The argument that has it
    pub argument: Arc<Argument>,
    /// What was found, with at most 300 characters around the first match
    pub found: SearchedText,
}

/// What the table of texts says of a hit.
#[derive(FromQueryResult)]
struct HitRow {
    kind: String,
    debate_id: Uuid,
    issue: i32,
    argument_id: Uuid,
    total: i64,
}

impl Store {
    /// A page of the texts of these kinds that contain `q`, newest first, and the number of all of them. What belongs to a debate that
    /// does not hold is left out of the page.
    pub async fn search(
        &self,
        q: &str,
        kinds: &[SearchKind],
        limit: u64,
        offset: u64,
    ) -> Result<(Vec<Hit>, u64), StoreError> {
        if search_texts::is_behind(&self.read).await? {
            let late = || StoreError::Unavailable("the texts to search are still being stored".to_owned());
            timeout(MAX_FILLING, self.search_texts.fill()).await.map_err(|_| late())??;
        }
        let q = folded(q);
        let columns: &[&str] = match (kinds.contains(&SearchKind::Argument), kinds) {
            (true, [_]) => &["argument_text"],
            (true, _) => &["text", "argument_text"],
            (false, _) => &["text"],
        };
        let (condition, value) = backend::texts_containing(&self.read, columns, &q);
        let kinds: Vec<_> = kinds.iter().map(|kind| format!("'{kind}'")).collect();
        let matching = format!("FROM search_texts WHERE {condition} AND kind IN ({})", kinds.join(", "));
        let page = format!(
            "SELECT kind, debate_id, issue, argument_id, COUNT(*) OVER () AS total {matching} \
             ORDER BY created_at DESC, debate_id DESC, seq DESC, issue DESC, kind DESC LIMIT {limit} OFFSET {offset}"
        );
        let backend = self.read.get_database_backend();
        let statement = |sql| Statement::from_sql_and_values(backend, sql, [value.clone().into()]);
        let rows = HitRow::find_by_statement(statement(page)).all(&self.read).await?;
        let total = match rows.first() {
            Some(row) => row.total,
            None if offset == 0 => 0,
            None => {
                let count = self.read.query_one_raw(statement(format!("SELECT COUNT(*) {matching}"))).await?;
                count.map_or(Ok(0), |row| row.try_get_by_index(0))?
            }
        };
        Ok((self.hits(rows, &q).await?, total.cast_unsigned()))
    }

    async fn hits(&self, rows: Vec<HitRow>, q: &str) -> Result<Vec<Hit>, StoreError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let ids = |id: fn(&HitRow) -> Uuid| {
            let mut ids: Vec<_> = rows.iter().map(id).collect();
            ids.sort_unstable();
            ids.dedup();
            padded(ids)
        };
        let debates = find_debates().filter(debate::Column::Id.is_in(ids(|row| row.debate_id)));
        let debates: Vec<DebateWithNewest> = debates.into_model().all(&self.read).await?;
        let debates = debates.into_iter().filter_map(|row| match row.checked() {
            Ok(debate) => Some((debate.id, debate)),
            Err(fault) => {
                rows::left_out(&fault);
                None
            }
        });
        let debates: HashMap<DebateId, Debate> = debates.collect();
        let arguments = find_arguments().filter(argument::Column::Id.is_in(ids(|row| row.argument_id)));
        let arguments: Vec<ArgumentRow> = arguments.into_model().all(&self.read).await?;
        let arguments = arguments.into_iter().filter_map(|row| {
            let debate = debates.get(&row.debate_id())?;
            match HistoryCheck::new(debate, &self.caches.faulty).next(row) {
                Ok(argument) => Some((argument.id.0, Arc::new(argument))),
                Err(fault) => {
                    rows::left_out(&fault);
                    None
                }
            }
        });
        let arguments: HashMap<Uuid, Arc<Argument>> = arguments.collect();
        let hit = |row: HitRow| {
            let (debate, argument) = (debates.get(&DebateId(row.debate_id))?, arguments.get(&row.argument_id)?);
            let is_it = |searched: &SearchedText| {
                let issue = searched.issue.map_or(0, |issue| issue.get().cast_signed());
                searched.kind.as_str() == row.kind && issue == row.issue
            };
            let found = searched_texts(&debate.title, argument).into_iter().find(is_it)?;
            let found = SearchedText { text: excerpt(&found.text, q), ..found };
            Some(Hit { debate: debate.clone(), argument: argument.clone(), found })
        };
        Ok(rows.into_iter().filter_map(hit).collect())
    }
}
