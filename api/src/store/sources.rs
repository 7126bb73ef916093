//! Where times and new ids come from: given to the store, so that tests can foresee them.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Where times and new ids come from.
#[derive(Debug, Clone, Copy)]
pub struct Sources {
    /// The time
    pub now: fn() -> DateTime<Utc>,
    /// A new id, greater than all before it, so that new rows are neighbours in their indexes
    pub new_id: fn() -> Uuid,
    /// A new id without any order, so that its first digits are enough to tell it from others
    pub random_id: fn() -> Uuid,
}

impl Sources {
    /// The machine's clock, random ids with the time in front, and wholly random ones.
    #[expect(clippy::disallowed_methods, reason = "the one place where the clock and random ids are let in")]
    pub fn system() -> Self {
        Self { now: Utc::now, new_id: Uuid::now_v7, random_id: Uuid::new_v4 }
    }
}
