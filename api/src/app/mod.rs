//! The use cases of the server. This layer knows neither HTTP nor SQL.

mod arbitrator;
mod debate;
mod document;
mod error;
mod health;
mod notifier;
mod peer_servers;
mod ruling_waiters;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub use arbitrator::Arbitrator;
pub use debate::{
    ArgumentFilter, DebateContext, DebateIssues, DebateList, DebateListQuery, DebateView, IssueFilter, NewArguments,
    RulingWaitQuery, RulingsDue, WaitOutcome, WaitQuery,
};
pub use document::{DocumentHistory, DocumentList, DocumentWithVersion};
pub use error::Error;
pub use notifier::{Event, Notification, Notifier, Subscription, Waiting};

pub use crate::store::{DebateWritten, DocumentWritten, WriteError};

use crate::{
    domain::Limits,
    store::{ClockAndIds, Store},
};

/// What the use cases need.
#[derive(Debug)]
pub struct App {
    store: Store,
    notifier: Arc<Notifier>,
    wait_permits: Semaphore,
    stopping: CancellationToken,
    limits: Limits,
    now: fn() -> DateTime<Utc>,
}

impl App {
    /// Creates the application.
    ///
    /// `notifier` must be notified of every commit of `store`. At most `max_waits` callers wait at the same time, and all of
    /// them return when `stopping` is cancelled.
    pub fn new(
        store: Store,
        clock_and_ids: ClockAndIds,
        notifier: Arc<Notifier>,
        stopping: CancellationToken,
        limits: Limits,
        max_waits: usize,
    ) -> Self {
        Self { store, notifier, wait_permits: Semaphore::new(max_waits), stopping, limits, now: clock_and_ids.now }
    }

    /// The configured length limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns when the writer task has ended because of a bug, so that the process should be restarted.
    pub async fn store_failed(&self) {
        self.store.failed().await;
    }

    /// Writes what is queued and closes the store.
    pub async fn close(&self) {
        self.store.close().await;
    }
}
