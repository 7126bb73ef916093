//! Debates as the writer left them of late, kept in memory.
//!
//! Where no other server writes, what is kept here is the truth and can be given out without a look at the store. Where
//! others write it is a guess, which is good enough to try a write on: the store refuses one that was decided on an
//! outdated debate.

use quick_cache::{Weighter, sync::Cache};

use crate::domain::{Debate, DebateId};

/// How much is kept, in bytes.
const KEPT: u64 = 8 * 1024 * 1024;

/// What a debate takes besides its title, in bytes.
const BESIDES_TITLE: u64 = 256;

/// How many debates are expected to be kept.
const EXPECTED: usize = 16 * 1024;

/// The debates that are kept.
#[derive(Debug)]
pub(super) struct Heads(Cache<DebateId, Debate, Size>);

#[derive(Debug, Clone)]
struct Size;

impl Weighter<DebateId, Debate> for Size {
    fn weight(&self, _key: &DebateId, debate: &Debate) -> u64 {
        BESIDES_TITLE + debate.title.as_str().len() as u64
    }
}

impl Heads {
    pub fn new() -> Self {
        Self(Cache::with_weighter(EXPECTED, KEPT, Size))
    }

    /// For the writer alone: nobody else can say that `debate` is the newest.
    pub fn keep(&self, debate: Debate) {
        self.0.insert(debate.id, debate);
    }

    pub fn forget(&self, id: DebateId) {
        self.0.remove(&id);
    }

    pub fn get(&self, id: DebateId) -> Option<Debate> {
        self.0.get(&id)
    }
}
