//! The list of debates.

use entity::debate;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select, Statement, sea_query::ExprTrait,
};

use super::rows;
use crate::{
    domain::{Debate, DebateType, StateName, folded},
    store::{
        Store, backend,
        error::StoreError,
        fault::{Listed, WithId},
        padded_ids::padded,
        search,
    },
};

impl Store {
    /// A page of the debates in `state` and of `debate_type` that match `q`, latest `updated_at` first, then latest
    /// `created_at`, and the number of all of them.
    pub async fn debates(
        &self,
        state: Option<StateName>,
        debate_type: Option<DebateType>,
        q: Option<&str>,
        limit: u64,
        offset: u64,
    ) -> Result<(Listed<Debate>, u64), StoreError> {
        let Some(q) = q.filter(|q| !q.is_empty()) else {
            return self.page_without_search(state, debate_type, limit, offset).await;
        };
        let matching = self.matching(state, debate_type, q).await?;
        let page: Vec<WithId<_>> = page(matching.clone(), limit, offset).into_model().all(&self.read).await?;
        let page_len = page.len() as u64;
        let total = if page_len < limit && (page_len > 0 || offset == 0) {
            // A page that is not full is the last one, so it gives the total.
            offset + page_len
        } else {
            matching.count(&self.read).await?
        };
        let page = rows::listed(page);
        let total = page.readable_of(total);
        Ok((page, total))
    }

    /// A page and the total, read as one row whose first column is the page as JSON: sqlx hands each row from SQLite's
    /// thread to this one, which takes longer than reading the row.
    async fn page_without_search(
        &self,
        state: Option<StateName>,
        debate_type: Option<DebateType>,
        limit: u64,
        offset: u64,
    ) -> Result<(Listed<Debate>, u64), StoreError> {
        let backend = self.read.get_database_backend();
        let filter = where_clause(state, debate_type);
        let (page, values) = if offset == 0 {
            // The limit is part of the text, so that PostgreSQL keeps the plan: it would plan anew for a limit that is bound.
            (format!("SELECT * FROM debates {filter} {NEWEST_FIRST} LIMIT {limit}"), Vec::new())
        } else {
            // The rows before the page are skipped in the index, without reading the debates. SQLite compiles a statement anew whenever a value
            // is bound to LIMIT itself, but not if the value is cast.
            let ids = format!(
                "SELECT id FROM debates {filter} {NEWEST_FIRST} LIMIT CAST($1 AS bigint) OFFSET CAST($2 AS bigint)"
            );
            let values = vec![bound(limit).into(), bound(offset).into()];
            (format!("SELECT * FROM debates WHERE id IN ({ids}) {NEWEST_FIRST}"), values)
        };
        let total = total(state, debate_type);
        let text = format!("SELECT {}, ({total}) FROM ({page}) AS page", backend::debates_as_json(&self.read));
        let statement = Statement::from_sql_and_values(backend, text, values.clone());
        match self.page_as_json(statement).await {
            // A value of a row cannot be JSON. The rows are decoded one by one, so that it costs the others nothing.
            Err(StoreError::Unexpected(_)) => {
                let page = Statement::from_sql_and_values(backend, page, values);
                let rows: Vec<WithId<_>> =
                    debate::Entity::find().from_raw_sql(page).into_model().all(&self.read).await?;
                let total = self.read.query_one_raw(Statement::from_string(backend, total)).await?;
                let total: i64 = total.map_or(Ok(0), |row| row.try_get_by_index(0))?;
                let page = rows::listed(rows);
                let total = page.readable_of(total.try_into().unwrap_or_default());
                Ok((page, total))
            }
            page => page,
        }
    }

    async fn page_as_json(&self, statement: Statement) -> Result<(Listed<Debate>, u64), StoreError> {
        let Some(row) = self.read.query_one_raw(statement).await? else { return Ok((Listed::new([]), 0)) };
        let (json, total): (String, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        let debates: Vec<debate::Model> =
            serde_json::from_str(&json).map_err(|error| DbErr::Json(error.to_string()))?;
        let page = Listed::new(debates.into_iter().map(rows::debate));
        let total = page.readable_of(total.try_into().unwrap_or_default());
        Ok((page, total))
    }

    /// The debates that were written to last.
    pub(in crate::store) async fn last_updated(&self, limit: u64) -> Result<Vec<Debate>, StoreError> {
        let rows: Vec<WithId<_>> =
            newest_first(debate::Entity::find()).limit(limit).into_model().all(&self.read).await?;
        Ok(rows::listed(rows).rows)
    }

    async fn matching(
        &self,
        state: Option<StateName>,
        debate_type: Option<DebateType>,
        q: &str,
    ) -> Result<Select<debate::Entity>, DbErr> {
        let in_state = state.map(|state| debate::Column::State.eq(state.as_str()));
        let folded = folded(q);
        let by_id = search::id_range(q).map(|(first, last)| debate::Column::Id.between(first, last));
        let (in_state, by_title) = match backend::find_titles(&self.read, &folded).await? {
            Some(ids) => {
                // Hides the column from the planner, which would prefer the index of states to these few ids.
                let in_state = state.map(|state| debate::Column::State.into_expr().cast_as("text").eq(state.as_str()));
                (in_state, debate::Column::Id.is_in(padded(ids)))
            }
            None => (in_state, search::contains(debate::Column::TitleFolded, &folded)),
        };
        let by_q = Condition::any().add(by_title).add_option(by_id);
        let of_type = debate_type.map(|debate_type| debate::Column::DebateType.eq(debate_type.as_str()));
        Ok(debate::Entity::find().filter(Condition::all().add_option(in_state).add_option(of_type).add(by_q)))
    }
}

/// The order of every list of debates.
const NEWEST_FIRST: &str = "ORDER BY updated_at DESC, created_at DESC, id DESC";

fn where_clause(state: Option<StateName>, debate_type: Option<DebateType>) -> String {
    match (state, debate_type) {
        (None, None) => String::new(),
        (Some(state), None) => format!("WHERE state = '{state}'"),
        (None, Some(debate_type)) => format!("WHERE debate_type = '{debate_type}'"),
        (Some(state), Some(debate_type)) => format!("WHERE state = '{state}' AND debate_type = '{debate_type}'"),
    }
}

/// SQL for the number of debates on all pages. The counters know the states only: debates of a type are counted.
fn total(state: Option<StateName>, debate_type: Option<DebateType>) -> String {
    let filter = where_clause(state, debate_type);
    match debate_type {
        None => format!("SELECT CAST(COALESCE(SUM(debates), 0) AS bigint) FROM debate_totals {filter}"),
        Some(_) => format!("SELECT COUNT(*) FROM debates {filter}"),
    }
}

/// The number as a parameter, which both databases take as a signed one.
fn bound(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// One page. The rows before it are skipped in the index, without reading the debates.
fn page(matching: Select<debate::Entity>, limit: u64, offset: u64) -> Select<debate::Entity> {
    if offset == 0 {
        return newest_first(matching).limit(limit);
    }
    let ids = newest_first(matching)
        .select_only()
        .column(debate::Column::Id)
        .limit(limit)
        .offset(bound(offset).cast_unsigned());
    newest_first(debate::Entity::find().filter(debate::Column::Id.in_subquery(ids.into_query())))
}

fn newest_first(debates: Select<debate::Entity>) -> Select<debate::Entity> {
    debates
        .order_by_desc(debate::Column::UpdatedAt)
        .order_by_desc(debate::Column::CreatedAt)
        .order_by_desc(debate::Column::Id)
}
