//! How many debates stand at each state, counted along so that a list need not count them all.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use entity::debate;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QuerySelect};

use super::desk::Change;
use crate::domain::StateName;

/// Numbers of debates by the name of their state.
type Counted = HashMap<String, u64>;

/// The numbers; none while nobody has counted.
#[derive(Debug, Default)]
pub(super) struct Totals(Mutex<Option<Counted>>);

impl Totals {
    /// Counts all debates, where that is still to be done. For the writer alone, between two transactions.
    pub async fn count(&self, connection: &impl ConnectionTrait) -> Result<(), DbErr> {
        if self.counted().is_some() {
            return Ok(());
        }
        let counted: Vec<(String, i64)> = debate::Entity::find()
            .select_only()
            .column(debate::Column::State)
            .column_as(debate::Column::Id.count(), "debates")
            .group_by(debate::Column::State)
            .into_tuple()
            .all(connection)
            .await?;
        *self.counted() = Some(counted.into_iter().map(|(state, count)| (state, count.cast_unsigned())).collect());
        Ok(())
    }

    /// Counts what a batch changed.
    pub fn change(&self, changes: &[Change]) {
        if let Some(counted) = &mut *self.counted() {
            for Change { from, to } in changes {
                if let Some(count) = from.and_then(|from| counted.get_mut(from.as_str())) {
                    *count = count.saturating_sub(1);
                }
                *counted.entry(to.state.name().as_str().to_owned()).or_default() += 1;
            }
        }
    }

    /// Forgets the numbers, as nobody knows what a failed write left.
    pub fn forget(&self) {
        *self.counted() = None;
    }

    /// How many debates stand at `state`, or how many there are.
    pub fn get(&self, state: Option<StateName>) -> Option<u64> {
        let counted = self.counted();
        let counted = counted.as_ref()?;
        Some(match state {
            Some(state) => counted.get(state.as_str()).copied().unwrap_or_default(),
            None => counted.values().sum(),
        })
    }

    fn counted(&self) -> MutexGuard<'_, Option<Counted>> {
        // Whoever panicked held it between two whole states.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
