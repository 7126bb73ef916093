//! Arguments that were stored or read of late, kept in memory.
//!
//! An argument never changes, so what is kept here can be given out again without a look at the store, whichever server
//! wrote it.

use std::sync::Arc;

use quick_cache::{Weighter, sync::Cache};

use crate::domain::{Argument, DebateId};

/// How much is kept, in bytes.
const KEPT: u64 = 32 * 1024 * 1024;

/// What an argument takes besides its content, in bytes.
const BESIDES_CONTENT: u64 = 512;

/// How many arguments are expected to be kept.
const EXPECTED: usize = 16 * 1024;

/// The arguments that are kept, by debate and `seq`.
#[derive(Debug)]
pub(super) struct Recent(Cache<(DebateId, u64), Arc<Argument>, Size>);

#[derive(Debug, Clone)]
struct Size;

impl Weighter<(DebateId, u64), Arc<Argument>> for Size {
    fn weight(&self, _key: &(DebateId, u64), argument: &Arc<Argument>) -> u64 {
        BESIDES_CONTENT + argument.content.as_str().len() as u64
    }
}

impl Recent {
    pub fn new() -> Self {
        Self(Cache::with_weighter(EXPECTED, KEPT, Size))
    }

    pub fn keep(&self, argument: &Arc<Argument>) {
        self.0.insert((argument.debate_id, argument.seq), argument.clone());
    }

    /// The arguments from `first` to `last`, where all of them are kept.
    pub fn get(&self, id: DebateId, first: u64, last: u64) -> Option<Vec<Arc<Argument>>> {
        (first..=last).map(|seq| self.0.get(&(id, seq))).collect()
    }
}
