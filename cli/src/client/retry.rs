//! Retries: which errors to retry, for how long, and with what delays.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use tokio::time::Instant;

use crate::output::{failure::Failure, terminal};

/// A request that failed.
pub struct RequestError {
    /// What to report if the request is not retried
    pub failure: Box<Failure>,
    /// Whether a retry can help
    pub retry: Retry,
}

/// Whether a retry can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// The answer would be the same
    Never,
    /// It can, after at least this time
    After(Duration),
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

/// Tracks whether the server is unavailable: spaces the attempts, and notes the start and the end of an outage on stderr.
pub struct Outage {
    delays: ExponentialBackoff,
    is_noted: bool,
}

impl Outage {
    /// No outage yet.
    pub fn new() -> Self {
        Self { delays: backoff().without_max_times().build(), is_noted: false }
    }

    /// Notes a failed attempt, unless this outage is noted already. `plan` says how the command continues.
    pub fn failed(&mut self, failure: &Failure, plan: &str) {
        if !self.is_noted {
            terminal::note(format_args!("{}; {plan}", failure.message));
            self.is_noted = true;
        }
    }

    /// Notes that the server answered, if an outage was noted.
    pub fn answered(&mut self) {
        if self.is_noted {
            terminal::note("the server answers again");
            self.is_noted = false;
        }
    }

    /// The delay before the next attempt, at least `min`. Delays grow until [`reset`](Self::reset).
    pub fn next_delay(&mut self, min: Duration) -> Duration {
        self.delays.next().unwrap_or_default().max(min)
    }

    /// Starts again with short delays.
    pub fn reset(&mut self) {
        self.delays = backoff().without_max_times().build();
    }
}
