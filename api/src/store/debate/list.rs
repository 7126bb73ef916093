//! The list of debates.

use entity::debate;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    Select, Statement,
    sea_query::{Expr, ExprTrait},
};

use super::rows;
use crate::{
    domain::{Debate, DebateType, StateName, folded},
    store::{
        Store, backend,
        error::StoreError,
        fault::{Page, WithId},
        padded_ids::padded,
        search,
    },
};

impl Store {
    /// A page of the debates in `state` and of `debate_type` that match `q`, latest `updated_at` first, then latest
    /// `created_at`.
    pub async fn debates(
        &self,
        state: Option<StateName>,
        debate_type: Option<DebateType>,
        q: Option<&str>,
        limit: u64,
        offset: u64,
    ) -> Result<Page<Debate>, StoreError> {
        let Some(q) = q.filter(|q| !q.is_empty()) else {
            return self.page_without_search(state, debate_type, limit, offset).await;
        };
        let matching = self.matching(state, debate_type, q).await;
        let page = self.rows_of(self.page(matching.clone(), limit, offset)).await?;
        let page_len = page.len() as u64;
        let total = if page_len < limit && (page_len > 0 || offset == 0) {
            // A page that is not full is the last one, so it gives the total.
            offset + page_len
        } else {
            matching.count(&self.read).await?
        };
        Ok(rows::page(page, total))
    }

    /// A page and the total, read as one row whose first column is the page as JSON: sqlx hands each row from SQLite's
    /// thread to this one, which takes longer than reading the row.
    async fn page_without_search(
        &self,
        state: Option<StateName>,
        debate_type: Option<DebateType>,
        limit: u64,
        offset: u64,
    ) -> Result<Page<Debate>, StoreError> {
        let page = self.page(filtered(state, debate_type), limit, offset);
        let total = self.total(state, debate_type);
        let Statement { sql, values, db_backend } = page.clone();
        let sql = format!("SELECT {}, ({total}) FROM ({sql}) AS page", backend::debates_as_json(&self.read));
        match self.page_as_json(Statement { sql, values, db_backend }).await {
            // A value of a row cannot be JSON, or the counters have no sum. The rows are decoded one by one, and counted, so that it
            // costs the others nothing.
            Err(StoreError::Unexpected(_)) => {
                let total = filtered(state, debate_type).count(&self.read).await?;
                Ok(rows::page(self.rows_of(page).await?, total))
            }
            page => page,
        }
    }

    async fn page_as_json(&self, statement: Statement) -> Result<Page<Debate>, StoreError> {
        let Some(row) = self.read.query_one_raw(statement).await? else { return Ok(Page::new([], 0)) };
        let (json, total): (String, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        let debates: Vec<debate::Model> =
            serde_json::from_str(&json).map_err(|error| DbErr::Json(error.to_string()))?;
        Ok(Page::new(debates.into_iter().map(rows::debate), total.try_into().unwrap_or_default()))
    }

    /// The debates that were written to last.
    pub(in crate::store) async fn last_updated(&self, limit: u64) -> Result<Vec<Debate>, StoreError> {
        Ok(rows::page(self.rows_of(self.page(debate::Entity::find(), limit, 0)).await?, 0).rows)
    }

    async fn rows_of(&self, page: Statement) -> Result<Vec<WithId<debate::Model>>, DbErr> {
        debate::Entity::find().from_raw_sql(page).into_model().all(&self.read).await
    }

    /// The statement of a page, newest first.
    fn page(&self, debates: Select<debate::Entity>, limit: u64, offset: u64) -> Statement {
        let backend = self.read.get_database_backend();
        let newest_first = |debates: Select<debate::Entity>| {
            debates
                .order_by_desc(debate::Column::UpdatedAt)
                .order_by_desc(debate::Column::CreatedAt)
                .order_by_desc(debate::Column::Id)
        };
        if offset == 0 {
            // The limit is part of the text, so that PostgreSQL keeps the plan: it would plan anew for a limit that is bound.
            let Statement { sql, values, .. } = newest_first(debates).build(backend);
            return Statement { sql: format!("{sql} LIMIT {limit}"), values, db_backend: backend };
        }
        // The rows before the page are skipped in the index, without reading the debates. SQLite compiles a statement anew whenever a value
        // is bound to LIMIT itself, but not if the value is cast.
        let ids = newest_first(debates.select_only().column(debate::Column::Id)).build(backend);
        let mut values = ids.values.map_or_else(Vec::new, |values| values.0);
        let (first, second) = (values.len() + 1, values.len() + 2);
        values.extend([limit, offset].map(|number| i64::try_from(number).unwrap_or(i64::MAX).into()));
        let on_page = format!("id IN ({} LIMIT CAST(${first} AS bigint) OFFSET CAST(${second} AS bigint))", ids.sql);
        let Statement { sql, .. } = newest_first(debate::Entity::find().filter(Expr::cust(on_page))).build(backend);
        Statement::from_sql_and_values(backend, sql, values)
    }

    /// SQL for the number of debates on all pages. The counters know the states only: debates of a type are counted.
    fn total(&self, state: Option<StateName>, debate_type: Option<DebateType>) -> String {
        if debate_type.is_some() {
            let count = filtered(state, debate_type).select_only().expr(Expr::cust("COUNT(*)"));
            return count.build(self.read.get_database_backend()).sql;
        }
        let in_state = state.map(|state| format!("WHERE state = '{state}'")).unwrap_or_default();
        format!("SELECT CAST(COALESCE(SUM(debates), 0) AS bigint) FROM debate_totals {in_state}")
    }

    async fn matching(
        &self,
        state: Option<StateName>,
        debate_type: Option<DebateType>,
        q: &str,
    ) -> Select<debate::Entity> {
        let folded = folded(q);
        let (debates, by_title) = match backend::find_titles(&self.read, &folded).await {
            Some(ids) => {
                // Hides the column from the planner, which would prefer the index of states to these few ids.
                let in_state = state.map(|state| debate::Column::State.into_expr().cast_as("text").eq(state.as_str()));
                let of_type = filtered(None, debate_type);
                (in_state.into_iter().fold(of_type, QueryFilter::filter), debate::Column::Id.is_in(padded(ids)))
            }
            None => (filtered(state, debate_type), search::contains(debate::Column::TitleFolded, &folded)),
        };
        debates.filter(search::matching(q, debate::Column::Id, [by_title]))
    }
}

/// The debates in `state` and of `debate_type`. Both are part of the statement's text, for which the databases choose their indices.
fn filtered(state: Option<StateName>, debate_type: Option<DebateType>) -> Select<debate::Entity> {
    let is = |column: debate::Column, name: &'static str| column.into_expr().eq(Expr::Constant(name.into()));
    let in_state = state.map(|state| is(debate::Column::State, state.as_str()));
    let of_type = debate_type.map(|debate_type| is(debate::Column::DebateType, debate_type.as_str()));
    in_state.into_iter().chain(of_type).fold(debate::Entity::find(), QueryFilter::filter)
}
