//! Lists of debates.

use entity::debate;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select, Statement, sea_query::ExprTrait,
};

use super::{rows, totals};
use crate::{
    domain::{Debate, StateName},
    store::{Store, backend, error::StoreError, search, sets::padded},
};

impl Store {
    /// A page of the debates that stand at `state` and match `q`, newest `updated_at` first, then newest created, with
    /// the number of all that do.
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
        let here = page.len() as u64;
        let total = if here < limit && (here > 0 || offset == 0) {
            // A page that is not full is the last one and tells the total by itself.
            offset + here
        } else if q.is_none() {
            totals::total(&self.read, state).await?
        } else {
            matching.count(&self.read).await?
        };
        let debates = page.into_iter().map(rows::debate).collect::<Result<_, _>>()?;
        Ok((debates, total))
    }

    /// The debates that moved on last.
    pub(in crate::store) async fn last_moved(&self, limit: u64) -> Result<Vec<Debate>, StoreError> {
        let rows = newest_first(debate::Entity::find()).limit(limit).all(&self.read).await?;
        Ok(rows.into_iter().map(rows::debate).collect::<Result<_, _>>()?)
    }

    /// The page that is asked for most, as a text that nothing is bound to: what PostgreSQL is not told there, how few rows
    /// it is to find and how common their state is, it would plan for anew each time. Few limits are in use; a connection keeps
    /// so many of these texts and no more.
    async fn first_page(&self, matching: Select<debate::Entity>, limit: u64) -> Result<Vec<debate::Model>, DbErr> {
        let backend = self.read.get_database_backend();
        let text = page(matching, limit, 0).build(backend).to_string();
        debate::Entity::find().from_raw_sql(Statement::from_string(backend, text)).all(&self.read).await
    }

    async fn matching(&self, state: Option<StateName>, q: Option<&str>) -> Result<Select<debate::Entity>, DbErr> {
        let at = state.map(|state| debate::Column::State.eq(state.as_str()));
        let Some(q) = q else { return Ok(debate::Entity::find().filter(Condition::all().add_option(at))) };
        let folded = search::folded(q);
        let by_id = search::id_range(q).map(|(first, last)| debate::Column::Id.between(first, last));
        let (at, by_title) = match backend::find_titles(&self.read, &folded).await? {
            Some(ids) => {
                // Not a column any more, so that no index of states is preferred to these few ids.
                let at = state.map(|state| debate::Column::State.into_expr().cast_as("text").eq(state.as_str()));
                (at, debate::Column::Id.is_in(padded(ids)))
            }
            None => (at, search::holds(debate::Column::TitleFolded, &folded)),
        };
        let by_q = Condition::any().add(by_title).add_option(by_id);
        Ok(debate::Entity::find().filter(Condition::all().add_option(at).add(by_q)))
    }
}

/// One page. What comes before it is passed over in the index alone.
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
