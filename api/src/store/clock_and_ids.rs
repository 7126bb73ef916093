//! The clock and the id generators, injected so that tests can foresee times and ids.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// The clock and the id generators.
#[derive(Debug, Clone, Copy)]
pub struct ClockAndIds {
    /// The current time.
    pub now: fn() -> DateTime<Utc>,
    /// A new id that sorts after all earlier ones, so that new rows are neighbours in their indexes.
    pub new_id: fn() -> Uuid,
    /// A new random id, of which the first digits tell it from others.
    pub random_id: fn() -> Uuid,
}

impl ClockAndIds {
    /// The system clock, UUIDs of version 7, and UUIDs of version 4.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock and makes random ids")]
    pub fn system() -> Self {
        Self { now: Utc::now, new_id: Uuid::now_v7, random_id: Uuid::new_v4 }
    }
}
