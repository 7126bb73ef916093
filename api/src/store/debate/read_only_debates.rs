//! The debates in which a read found a fault. They take no writes for a while, rather than that something is built on them.

use std::time::Instant;

use quick_cache::sync::Cache;

use super::caches::FRESH_FOR;
use crate::{domain::DebateId, store::error::InconsistentRow};

/// The most debates that are remembered.
const CAPACITY: usize = 1024;

/// Faults that were found lately, by debate.
#[derive(Debug)]
pub(in crate::store) struct ReadOnlyDebates(Cache<DebateId, (InconsistentRow, Instant)>);

impl Default for ReadOnlyDebates {
    fn default() -> Self {
        Self(Cache::new(CAPACITY))
    }
}

impl ReadOnlyDebates {
    /// Remembers a fault, if it is one of a debate.
    pub fn note(&self, fault: &InconsistentRow) {
        if let Some((id, _)) = fault.debate() {
            self.0.insert(id, (fault.clone(), Instant::now()));
        }
    }

    /// The fault that was found in this debate lately.
    pub fn get(&self, id: DebateId) -> Option<InconsistentRow> {
        self.0.get(&id).filter(|(_, at)| at.elapsed() < FRESH_FOR).map(|(fault, _)| fault)
    }
}
