//! Waiting for something to become true, with a deadline instead of a lucky sleep.

use std::time::{Duration, Instant};

use tokio::time::sleep;

/// Longer than anything here takes on a busy machine; reaching it is a failure.
pub const DEADLINE: Duration = Duration::from_secs(60);

const STEP: Duration = Duration::from_millis(10);

/// Asks until `found` gives something; fails, naming `what`, when [`DEADLINE`] runs out.
pub async fn until<T>(what: &str, found: impl FnMut() -> Option<T>) -> T {
    within(DEADLINE, what, found).await
}

/// Asks until `found` gives something; fails, naming `what`, after `limit`.
pub async fn within<T>(limit: Duration, what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(thing) = found() {
            return thing;
        }
        assert!(Instant::now() < deadline, "after {limit:?} still not: {what}");
        sleep(STEP).await;
    }
}
