//! The caches that the writer fills and readers use.

use std::time::Duration;

use super::{argument_cache::ArgumentCache, debate_cache::DebateCache, read_only_debates::ReadOnlyDebates};

/// After this time readers read from the database again what is cached. What is cached was checked once, but a row may be
/// changed behind the server's back, which would otherwise be hidden for ever.
pub(super) const FRESH_FOR: Duration = Duration::from_secs(300);

/// The caches of one server.
#[derive(Debug)]
pub(in crate::store) struct Caches {
    pub debates: DebateCache,
    pub arguments: ArgumentCache,
    pub faulty: ReadOnlyDebates,
}

impl Caches {
    /// Empty caches. `sole_writer` says that no other server writes to the database.
    pub fn new(sole_writer: bool) -> Self {
        Self {
            debates: DebateCache::new(sole_writer),
            arguments: ArgumentCache::default(),
            faulty: ReadOnlyDebates::default(),
        }
    }
}
