//! Polls for a condition until a deadline, in place of fixed sleeps.

use std::time::{Duration, Instant};

use tokio::time::sleep;

/// The deadline of every wait in the tests. Nothing here takes that long even on a busy machine.
pub const DEADLINE: Duration = Duration::from_secs(60);

const INTERVAL: Duration = Duration::from_millis(10);

/// Polls until `found` returns a value. Panics with `what` when [`DEADLINE`] has passed.
pub async fn until<T>(what: &str, found: impl FnMut() -> Option<T>) -> T {
    within(DEADLINE, what, found).await
}

/// Polls until `found` returns a value. Panics with `what` when `limit` has passed.
pub async fn within<T>(limit: Duration, what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(value) = found() {
            return value;
        }
        assert!(Instant::now() < deadline, "timed out after {limit:?}: {what}");
        sleep(INTERVAL).await;
    }
}
