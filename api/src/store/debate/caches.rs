//! The caches that the writer fills and readers use.

use super::{argument_cache::ArgumentCache, debate_cache::DebateCache};

/// The caches of one server.
#[derive(Debug)]
pub(in crate::store) struct Caches {
    pub debates: DebateCache,
    pub arguments: ArgumentCache,
}

impl Caches {
    /// Empty caches. `sole_writer` says that no other server writes to the database.
    pub fn new(sole_writer: bool) -> Self {
        Self { debates: DebateCache::new(sole_writer), arguments: ArgumentCache::default() }
    }
}
