//! The clock and the id generators, injected so that tests can foresee times and ids.

use std::{
    sync::{LazyLock, Mutex},
    time::{SystemTime, UNIX_EPOCH},
};

use chrono::{DateTime, Utc};
use uuid::{ContextV7, Timestamp, Uuid};

use super::{error::StoreError, time};

/// The clock and the id generators.
#[derive(Debug, Clone, Copy)]
pub struct ClockAndIds {
    /// The current time. Where the clock shows one before 1970 or after 9999, the nearest one that is not.
    pub now: fn() -> DateTime<Utc>,
    /// Whether the clock shows a time from 1970 to 9999. Nothing is stored while it does not.
    pub is_in_range: fn() -> bool,
    /// A new id that sorts after all earlier ones, so that new rows are neighbours in their indexes.
    pub new_id: fn() -> Uuid,
    /// A new random id, of which the first digits tell it from others.
    pub random_id: fn() -> Uuid,
}

/// The clock shows a time before 1970 or after 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the clock of this machine shows a time before 1970 or after 9999; set it, then try again")]
pub struct ClockOutOfRange;

impl From<ClockOutOfRange> for StoreError {
    fn from(error: ClockOutOfRange) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl ClockAndIds {
    /// The system clock, UUIDs of version 7, and UUIDs of version 4.
    #[expect(clippy::disallowed_methods, reason = "the one place that makes random ids")]
    pub fn system() -> Self {
        Self { now, is_in_range, new_id, random_id: Uuid::new_v4 }
    }

    /// Checks that the clock shows a time that can be stored.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self) -> Result<(), ClockOutOfRange> {
        if (self.is_in_range)() { Ok(()) } else { Err(ClockOutOfRange) }
    }
}

/// The microseconds since 1970.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the clock; chrono's own function panics before 1970"
)]
fn micros() -> i64 {
    let micros = |since: std::time::Duration| i64::try_from(since.as_micros()).unwrap_or(i64::MAX);
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => micros(since),
        Err(before) => -micros(before.duration()),
    }
}

fn now() -> DateTime<Utc> {
    time::nearest(micros())
}

fn is_in_range() -> bool {
    time::from_micros(micros()).is_some()
}

/// UUIDs of version 7 from this clock: those of the library read the system's themselves, and panic before 1970.
fn new_id() -> Uuid {
    static CONTEXT: LazyLock<Mutex<ContextV7>> = LazyLock::new(|| Mutex::new(ContextV7::new()));
    let now = now();
    Uuid::new_v7(Timestamp::from_unix(&*CONTEXT, now.timestamp().unsigned_abs(), now.timestamp_subsec_nanos()))
}
