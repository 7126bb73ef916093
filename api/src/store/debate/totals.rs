//! How many debates stand at each state, counted along in the store so that a list need not count them all.

use std::collections::BTreeMap;

use entity::{debate, debate_total};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QuerySelect,
    sea_query::{Alias, Expr, ExprTrait, InsertStatement, OnConflict, Query, Value},
};
use uuid::Uuid;

use super::desk::Change;
use crate::store::{
    backend::statement,
    error::{InconsistentRow, StoreError},
    steps::Step,
};

/// The table, in messages.
const TOTALS: &str = "debate_totals";

/// How many rows the debates of a state are counted in.
///
/// Whoever counts holds what it counted in until its transaction is durable. With one of many, servers of one database
/// seldom wait for each other.
const SLOTS: u8 = 16;

/// What counts the changes of a batch, wherever the last bits of an id say. To be the last step of its transaction.
pub(super) fn count(connection: &impl ConnectionTrait, any_id: Uuid, changes: &[Change]) -> Option<Step> {
    let [.., last] = any_id.into_bytes();
    let slot = i32::from(last % SLOTS);
    // In order of the states, so that two servers cannot wait for each other.
    let mut differences: BTreeMap<&str, i64> = BTreeMap::new();
    for Change { from, to } in changes {
        if let Some(from) = from {
            *differences.entry(from.as_str()).or_default() -= 1;
        }
        *differences.entry(to.state.name().as_str()).or_default() += 1;
    }
    let differences = differences.into_iter().filter(|(_, difference)| *difference != 0);
    let values: Vec<Value> =
        differences.flat_map(|(state, difference)| [slot.into(), state.into(), difference.into()]).collect();
    (!values.is_empty()).then(|| statement(connection, values, add).into())
}

/// Adds to what is counted: slots, states and differences, one after another.
fn add(values: Vec<Value>) -> InsertStatement {
    use debate_total::{Column, Entity};

    let added = Expr::col((Entity, Column::Debates)).add(Expr::col((Alias::new("excluded"), Column::Debates)));
    let mut add = Query::insert();
    add.into_table(Entity).columns([Column::Slot, Column::State, Column::Debates]);
    for row in values.chunks_exact(3) {
        add.values_panic(row.iter().cloned().map(Expr::value));
    }
    add.on_conflict(OnConflict::columns([Column::Slot, Column::State]).value(Column::Debates, added).to_owned());
    add
}

/// Whether as many debates stand at each state as were counted, at one moment.
pub(super) async fn verify(moment: &DatabaseTransaction) -> Result<(), StoreError> {
    let standing: Vec<(String, i64)> = debate::Entity::find()
        .select_only()
        .column(debate::Column::State)
        .column_as(debate::Column::Id.count(), "debates")
        .group_by(debate::Column::State)
        .into_tuple()
        .all(moment)
        .await?;
    let mut missing: BTreeMap<String, i64> = standing.into_iter().collect();
    for counted in debate_total::Entity::find().all(moment).await? {
        *missing.entry(counted.state).or_default() -= counted.debates;
    }
    match missing.into_iter().find(|(_, missing)| *missing != 0) {
        Some((state, missing)) => {
            let reason = format!("adds up to {missing} debates less than there are");
            Err(InconsistentRow::new(TOTALS, "debates", state, reason).into())
        }
        None => Ok(()),
    }
}
