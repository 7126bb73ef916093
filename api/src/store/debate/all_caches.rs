//! The caches that the writer fills and readers use.

use std::time::Instant;

use quick_cache::sync::Cache;

use super::{
    argument_cache::ArgumentCache,
    debate_cache::{DebateCache, FRESH_FOR},
};
use crate::{domain::DebateId, store::error::InconsistentRow};

/// The caches of one server.
#[derive(Debug)]
pub(in crate::store) struct Caches {
    pub debates: DebateCache,
    pub arguments: ArgumentCache,
    pub faulty: FaultyDebates,
}

impl Caches {
    /// Empty caches. `sole_writer` says that no other server writes to the database.
    pub fn new(sole_writer: bool) -> Self {
        Self {
            debates: DebateCache::new(sole_writer),
            arguments: ArgumentCache::default(),
            faulty: FaultyDebates::default(),
        }
    }
}

/// The most debates whose faults are remembered.
const FAULTS_CAPACITY: usize = 1024;

/// The debates in which a read found a fault lately. They take no writes for a while, rather than that something is built on
/// them.
#[derive(Debug)]
pub(in crate::store) struct FaultyDebates(Cache<DebateId, (InconsistentRow, Instant)>);

impl Default for FaultyDebates {
    fn default() -> Self {
        Self(Cache::new(FAULTS_CAPACITY))
    }
}

impl FaultyDebates {
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
