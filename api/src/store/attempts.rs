//! Whether the database can be read and written.

use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};

use super::{Store, backend, debate, error::StoreError};

/// How much room the disk must have before a database that was full counts as writable: for the largest document by default,
/// in SQLite's log and in its file.
const ROOM_BYTES: usize = 2 * 1024 * 1024;

/// Since when the last attempts to do something have failed; none if the last one succeeded.
#[derive(Debug, Default)]
pub(super) struct Attempts(Mutex<Option<DateTime<Utc>>>);

impl Attempts {
    fn lock(&self) -> MutexGuard<'_, Option<DateTime<Utc>>> {
        // Each change under the lock is one step.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn succeeded(&self) {
        *self.lock() = None;
    }

    pub fn failed(&self, at: DateTime<Utc>) {
        self.lock().get_or_insert(at);
    }

    fn failing_since(&self) -> Option<DateTime<Utc>> {
        *self.lock()
    }
}

/// How the store is, from the last attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Health {
    /// Since when nothing can be read; none if reading works
    pub reading_failing_since: Option<DateTime<Utc>>,
    /// Since when nothing can be stored; none if writing works, or was not tried yet
    pub writing_failing_since: Option<DateTime<Utc>>,
}

impl Store {
    /// Tries to read, and tells how the last attempts went. Where writing failed it is tried again, so that it counts as working
    /// once it does even if nobody writes. Both are tried at once: one time limit after the other is longer than who asks waits.
    pub async fn health(&self) -> Health {
        let now = (self.clock_and_ids.now)();
        let reading = async {
            match self.ping().await {
                Ok(()) => self.reading.succeeded(),
                Err(error) => {
                    tracing::debug!(%error, "a check of the database failed");
                    self.reading.failed(now);
                }
            }
        };
        let writing = async {
            if self.writer.has_failed() {
                self.writing.failed(now);
            } else if self.writing.failing_since().is_some()
                && let Ok(_one_at_a_time) = self.trying_to_write.try_lock()
            {
                match self.try_to_write().await {
                    Ok(()) => self.writing.succeeded(),
                    Err(error) => tracing::debug!(%error, "the database still cannot be written"),
                }
            }
        };
        tokio::join!(reading, writing);
        Health {
            reading_failing_since: self.reading.failing_since(),
            writing_failing_since: self.writing.failing_since(),
        }
    }

    /// Stores what changes nothing. That takes a page, which fits on a disk that has no room for an argument: so the disk is asked
    /// for more.
    async fn try_to_write(&self) -> Result<(), StoreError> {
        self.clock_and_ids.check()?;
        backend::check_room(&self.location, ROOM_BYTES).await?;
        let connection = self.write.current();
        let statements = debate::unchanged_totals(&connection);
        Ok(self.write.bounded(backend::execute_in_transaction(&connection, statements)).await?)
    }
}
