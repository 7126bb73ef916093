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
}

impl Sources {
    /// The machine's clock and random ids with the time in front.
    #[expect(clippy::disallowed_methods, reason = "the one place where the clock and random ids are let in")]
    pub fn system() -> Self {
        Self { now: Utc::now, new_id: Uuid::now_v7 }
    }
}
