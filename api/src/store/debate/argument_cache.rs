//! A cache of arguments that were stored or read recently. An argument never changes, so a cached one is always valid,
//! whichever server wrote it.

use std::{mem::size_of, sync::Arc};

use quick_cache::{Weighter, sync::Cache};

use crate::domain::{Agent, Argument, Citation, DebateId};

/// The most that the cache holds, in bytes.
const CAPACITY: u64 = 32 * 1024 * 1024;

/// The size of an argument without its content, citations and agents, in bytes.
const BYTES_BESIDES_CONTENT: u64 = 512;

/// The number of arguments that the cache allocates room for.
const EXPECTED_ARGUMENTS: usize = 16 * 1024;

/// A cache of arguments by debate and `seq`.
#[derive(Debug)]
pub(in crate::store) struct ArgumentCache(Cache<(DebateId, u64), Arc<Argument>, ArgumentSize>);

#[derive(Debug, Clone)]
struct ArgumentSize;

impl Weighter<(DebateId, u64), Arc<Argument>> for ArgumentSize {
    fn weight(&self, _key: &(DebateId, u64), argument: &Arc<Argument>) -> u64 {
        let citations = argument.citations.len() * size_of::<Citation>();
        let agents = argument.agents.len() * size_of::<Agent>();
        BYTES_BESIDES_CONTENT + (argument.content.as_str().len() + citations + agents) as u64
    }
}

impl Default for ArgumentCache {
    fn default() -> Self {
        Self(Cache::with_weighter(EXPECTED_ARGUMENTS, CAPACITY, ArgumentSize))
    }
}

impl ArgumentCache {
    pub fn insert(&self, argument: &Arc<Argument>) {
        self.0.insert((argument.debate_id, argument.seq), argument.clone());
    }

    /// The arguments with `seq` from `first` to `last`, if all of them are cached.
    pub fn get_range(&self, id: DebateId, first: u64, last: u64) -> Option<Vec<Arc<Argument>>> {
        (first..=last).map(|seq| self.0.get(&(id, seq))).collect()
    }
}
