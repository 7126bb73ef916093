//! What the product does, one use case a file; no HTTP, no SQL.

pub mod debate;
pub mod document;
mod error;
mod health;
mod peers;
mod permission;
mod wakeups;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub use debate::{Context, Follower, ListQuery, News, Page, Submitted, WaitQuery, Waited};
pub use document::{History, Kept, VersionOf};
pub use error::Error;
pub use permission::Arbitrator;
pub use wakeups::{Waiting, Wakeup, Wakeups, Woken};

use crate::{
    domain::Limits,
    store::{ClockAndIds, Store},
};

/// Everything that the use cases need.
#[derive(Debug)]
pub struct App {
    store: Store,
    wakeups: Arc<Wakeups>,
    held_waits: Semaphore,
    stopping: CancellationToken,
    limits: Limits,
    now: fn() -> DateTime<Utc>,
}

impl App {
    /// Puts the parts together.
    ///
    /// `wakeups` are told of every commit of `store`; `stopping` ends held waits, of which at most `max_waits` are held.
    pub fn new(
        store: Store,
        clock_and_ids: ClockAndIds,
        wakeups: Arc<Wakeups>,
        stopping: CancellationToken,
        limits: Limits,
        max_waits: usize,
    ) -> Self {
        Self { store, wakeups, held_waits: Semaphore::new(max_waits), stopping, limits, now: clock_and_ids.now }
    }

    /// The limits that this server is set to.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns once nothing can be stored any more by a fault in this program, so that it had better start anew.
    pub async fn store_failed(&self) {
        self.store.failed().await;
    }

    /// Stores what is queued, then lets go of the store.
    pub async fn close(&self) {
        self.store.close().await;
    }
}
