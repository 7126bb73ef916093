//! The use cases of the server. This layer knows neither HTTP nor SQL.

mod arbitrator;
mod audit;
mod correlation_id;
mod debate;
mod document;
mod error;
mod get_metrics;
mod health;
mod notifier;
mod peer_writes;
mod signing_key;
mod webhook_delivery;
mod webhook_retry_schedule;

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub use arbitrator::Arbitrator;
pub use correlation_id::CorrelationId;
pub use debate::{
    ArgumentFilter, DebateContext, DebateIssues, DebateListQuery, DebateView, IssueFilter, MAX_RULINGS_DUE,
    NewArguments, RulingWaitQuery, SearchQuery, Silence, WaitOutcome, WaitQuery,
};
pub use document::{DocumentHistory, DocumentListQuery, DocumentWithVersion};
pub use error::{Error, place_of_change};
pub use notifier::{Event, Notification, Notifier, Subscription};
pub use signing_key::{NotAKey, SigningKey};
pub use webhook_delivery::{WebhookReceiver, WebhookSummary};

pub use crate::{
    domain::Waiting,
    store::{
        Commit, DebateWritten, DocumentWritten, Fault, Found, FreeSeat, Health, Hit, MAX_FAULTS, Page, WriteError,
    },
};

use crate::{
    domain::Limits,
    store::{ClockAndIds, Store},
};
use webhook_delivery::LastAttempts;

/// What the use cases need.
#[derive(Debug)]
pub struct App {
    store: Arc<Store>,
    notifier: Arc<Notifier>,
    wait_permits: Semaphore,
    max_waits: usize,
    audited: TaskTracker,
    stopping: CancellationToken,
    limits: Limits,
    signing_key: Option<SigningKey>,
    webhook_attempts: LastAttempts,
    now: fn() -> DateTime<Utc>,
    is_clock_in_range: fn() -> bool,
}

impl App {
    /// Creates the application.
    ///
    /// `notifier` must be notified of every commit of `store`. At most `max_waits` callers wait at the same time, and all of
    /// them return when `stopping` is cancelled. Without `signing_key` records are not signed.
    pub fn new(
        store: Store,
        clock_and_ids: ClockAndIds,
        notifier: Arc<Notifier>,
        stopping: CancellationToken,
        limits: Limits,
        max_waits: usize,
        signing_key: Option<SigningKey>,
    ) -> Self {
        Self {
            store: Arc::new(store),
            notifier,
            wait_permits: Semaphore::new(max_waits),
            max_waits,
            audited: TaskTracker::new(),
            stopping,
            limits,
            signing_key,
            webhook_attempts: LastAttempts::default(),
            now: clock_and_ids.now,
            is_clock_in_range: clock_and_ids.is_in_range,
        }
    }

    /// The configured length limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The key that signs records.
    pub fn signing_key(&self) -> Option<&SigningKey> {
        self.signing_key.as_ref()
    }

    /// What a wait takes as long as it is held; one without time is not held.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if as many are held as may be.
    fn hold_wait(&self, timeout: Duration) -> Result<Option<SemaphorePermit<'_>>, Error> {
        let held = || self.wait_permits.try_acquire().map_err(|_| Error::Overloaded);
        (!timeout.is_zero()).then(held).transpose()
    }

    /// Returns when the writer task has ended because of a bug, so that the process should be restarted.
    pub async fn store_failed(&self) {
        self.store.failed().await;
    }

    /// Writes what is queued and closes the store.
    pub async fn close(&self) {
        self.store.close().await;
        self.audited.close();
        self.audited.wait().await;
    }
}
