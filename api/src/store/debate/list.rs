//! The list of debates.

use entity::debate;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select, Statement, sea_query::ExprTrait,
};

use super::{rows, state_counts};
use crate::{
    domain::{Debate, StateName},
    store::{Store, backend, bulk::padded, error::StoreError, search},
};

impl Store {
    /// A page of the debates in `state` that match `q`, latest `updated_at` first, then latest `created_at`, and the number
    /// of all of them.
    pub async fn debates(
        &self,
        state: Option<StateName>,
        q: Option<&str>,
        limit: u64,
        offset: u64,
    ) -> Result<(Vec<Debate>, u64), StoreError> {
        let q = q.filter(|q| !q.is_empty());
        let matching = self.matching(state, q).await?;
        let page = if q.is_none() && offset == 0 {
            self.first_page(matching.clone(), limit).await?
        } else {
            page(matching.clone(), limit, offset).all(&self.read).await?
        };
        let page_len = page.len() as u64;
        let total = if page_len < limit && (page_len > 0 || offset == 0) {
            // A page that is not full is the last one, so it gives the total.
            offset + page_len
        } else if q.is_none() {
            state_counts::count(&self.read, state).await?
        } else {
            matching.count(&self.read).await?
        };
        let debates = page.into_iter().map(rows::debate).collect::<Result<_, _>>()?;
        Ok((debates, total))
    }

    /// The debates that were written to last.
    pub(in crate::store) async fn last_updated(&self, limit: u64) -> Result<Vec<Debate>, StoreError> {
        let rows = newest_first(debate::Entity::find()).limit(limit).all(&self.read).await?;
        Ok(rows.into_iter().map(rows::debate).collect::<Result<_, _>>()?)
    }

    /// The first page, with limit and state inlined into the SQL: with parameters, PostgreSQL would plan the query anew each
    /// time. Few limits are in use, and the statement cache bounds their number.
    async fn first_page(&self, matching: Select<debate::Entity>, limit: u64) -> Result<Vec<debate::Model>, DbErr> {
        let backend = self.read.get_database_backend();
        let sql = page(matching, limit, 0).build(backend).to_string();
        debate::Entity::find().from_raw_sql(Statement::from_string(backend, sql)).all(&self.read).await
    }

    async fn matching(&self, state: Option<StateName>, q: Option<&str>) -> Result<Select<debate::Entity>, DbErr> {
        let in_state = state.map(|state| debate::Column::State.eq(state.as_str()));
        let Some(q) = q else { return Ok(debate::Entity::find().filter(Condition::all().add_option(in_state))) };
        let folded = search::folded(q);
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
        Ok(debate::Entity::find().filter(Condition::all().add_option(in_state).add(by_q)))
    }
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
        .offset(i64::try_from(offset).unwrap_or(i64::MAX).cast_unsigned());
    newest_first(debate::Entity::find().filter(debate::Column::Id.in_subquery(ids.into_query())))
}

fn newest_first(debates: Select<debate::Entity>) -> Select<debate::Entity> {
    debates
        .order_by_desc(debate::Column::UpdatedAt)
        .order_by_desc(debate::Column::CreatedAt)
        .order_by_desc(debate::Column::Id)
}
