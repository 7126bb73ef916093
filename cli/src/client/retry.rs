//! Retries: which errors to retry, for how long, and with what delays.

use std::time::Duration;

use backon::ExponentialBuilder;
use tokio::time::Instant;

use crate::output::Failure;

/// A request that failed.
pub struct RequestError {
    /// What to report if the request is not retried
    pub failure: Box<Failure>,
    /// After which time at least a retry can help; `None` if the answer would be the same
    pub retry_after: Option<Duration>,
}

/// A request that would fail again.
impl From<Failure> for RequestError {
    fn from(failure: Failure) -> Self {
        Self { failure: Box::new(failure), retry_after: None }
    }
}

/// How long a request is retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryLimit {
    /// This many times
    Times(usize),
    /// Until this deadline
    Until(Instant),
    /// Until it succeeds
    Unlimited,
}

impl RetryLimit {
    /// The delay, shortened to the time that is left. `None` if none is left.
    pub fn shorten(self, delay: Duration) -> Option<Duration> {
        match self {
            Self::Times(_) | Self::Unlimited => Some(delay),
            Self::Until(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                (!left.is_zero()).then(|| delay.min(left))
            }
        }
    }
}

/// The delays between retries: exponential, with jitter so that many clients do not return at once.
pub fn backoff() -> ExponentialBuilder {
    ExponentialBuilder::new()
        .with_min_delay(Duration::from_millis(200))
        .with_max_delay(Duration::from_secs(2))
        .with_jitter()
}
