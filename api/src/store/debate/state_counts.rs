//! How many debates are in each state, counted by the writer: COUNT would make a list slower with every debate.

use std::collections::BTreeMap;

use entity::{debate, debate_total};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, FromQueryResult, QuerySelect, sea_query::Value,
};
use uuid::Uuid;

use super::debate_change::DebateChange;
use crate::{
    domain::StateName,
    store::{
        Store,
        backend::placeholders,
        decoded::Decoded,
        error::{InconsistentRow, RowName, StoreError},
        fault::Fault,
        guarded_statement::GuardedStatement,
    },
};

/// The table's name, for error messages.
const TOTALS: &str = "debate_totals";

/// The number of counters for each state. Their sum is the count.
///
/// A transaction locks the counters that it updates until it is durable. With several of them, servers seldom wait for each
/// other.
const COUNTERS_PER_STATE: u8 = 16;

/// Adds a batch's changes to one counter of each state, chosen by a random id. It locks rows that other servers update
/// too, so it should be the last statement of its transaction.
pub(super) fn update(
    connection: &impl ConnectionTrait,
    random_id: Uuid,
    changes: &[DebateChange],
) -> Option<GuardedStatement> {
    let [.., last_byte] = random_id.into_bytes();
    let slot = i32::from(last_byte % COUNTERS_PER_STATE);
    // All servers lock counters in the order of the states, so that they cannot deadlock.
    let mut differences: BTreeMap<&str, i64> = BTreeMap::new();
    for DebateChange { from, to, .. } in changes {
        if let Some(from) = from {
            *differences.entry(from.as_str()).or_default() -= 1;
        }
        *differences.entry(to.state.name().as_str()).or_default() += 1;
    }
    differences.retain(|_, difference| *difference != 0);
    if differences.is_empty() {
        return None;
    }
    Some(add(connection, slot, differences))
}

/// Two statements that together change no total, but write.
pub(in crate::store) fn unchanged_totals(connection: &impl ConnectionTrait) -> Vec<GuardedStatement> {
    let closed = StateName::Closed.as_str();
    [1, -1].map(|difference| add(connection, 0, BTreeMap::from([(closed, difference)]))).into()
}

fn add(connection: &impl ConnectionTrait, slot: i32, differences: BTreeMap<&str, i64>) -> GuardedStatement {
    let sql = format!(
        "INSERT INTO debate_totals (slot, state, debates) VALUES {} \
         ON CONFLICT (slot, state) DO UPDATE SET debates = debate_totals.debates + excluded.debates",
        placeholders(connection, differences.len(), 3)
    );
    let values = differences.into_iter().flat_map(|(state, difference)| [slot.into(), state.into(), difference.into()]);
    GuardedStatement::unguarded(connection, sql, values.collect::<Vec<Value>>())
}

impl Store {
    /// The number of debates in each state.
    pub async fn debates_in_each_state(&self) -> Result<Vec<(StateName, i64)>, StoreError> {
        let mut counts: BTreeMap<StateName, i64> = StateName::ALL.iter().map(|state| (*state, 0)).collect();
        let totals: Vec<Decoded<debate_total::Model>> =
            debate_total::Entity::find().into_model().all(&self.read).await?;
        for Decoded(total) in totals {
            let counted = total.map_err(|error| {
                InconsistentRow::undecodable(TOTALS, RowName::Other("of a counter".to_owned()), &error)
            });
            let counted = counted.and_then(|total| {
                let state = total.state.parse().map_err(|_| {
                    let reason = format!("is {:?}, which is not a state", total.state);
                    InconsistentRow::new(TOTALS, "state", RowName::Other(format!("slot {}", total.slot)), reason)
                });
                Ok((state?, total.debates))
            });
            match counted {
                Ok((state, debates)) => {
                    let count = counts.entry(state).or_default();
                    *count = count.saturating_add(debates);
                }
                // One counter hides no other.
                Err(fault) => drop(Fault::left_out(&fault)),
            }
        }
        Ok(counts.into_iter().collect())
    }
}

/// How many debates have a state.
#[derive(FromQueryResult)]
struct DebatesInState {
    state: String,
    debates: i64,
}

/// The counters that do not agree with the debates.
pub(in crate::store) async fn faults(transaction: &DatabaseTransaction) -> Result<Vec<InconsistentRow>, StoreError> {
    let counts = debate::Entity::find()
        .select_only()
        .column(debate::Column::State)
        .column_as(debate::Column::Id.count(), "debates")
        .group_by(debate::Column::State)
        .into_model::<Decoded<DebatesInState>>()
        .all(transaction)
        .await?;
    // A debate whose state cannot be decoded is named by the check of debates.
    let counts = counts.into_iter().filter_map(|Decoded(count)| count.ok());
    let mut missing: BTreeMap<String, i64> = counts.map(|DebatesInState { state, debates }| (state, debates)).collect();
    let mut faults = Vec::new();
    let bad = |column, row: String, reason: String| InconsistentRow::new(TOTALS, column, RowName::Other(row), reason);
    for Decoded(total) in
        debate_total::Entity::find().into_model::<Decoded<debate_total::Model>>().all(transaction).await?
    {
        match total {
            Ok(total) if total.state.parse::<StateName>().is_err() => {
                faults.push(bad("state", total.state, "is not a state".to_owned()));
            }
            Ok(total) => *missing.entry(total.state).or_default() -= total.debates,
            Err(error) => faults.push(bad("*", "of a counter".to_owned(), format!("cannot be read: {error}"))),
        }
    }
    let wrong = missing.into_iter().filter(|(_, missing)| *missing != 0);
    faults
        .extend(wrong.map(|(state, missing)| {
            bad("debates", state, format!("adds up to {missing} debates less than there are"))
        }));
    Ok(faults)
}
