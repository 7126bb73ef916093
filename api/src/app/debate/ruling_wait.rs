//! `ruling_wait`: waits until rulings are due, in any debate or in some.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::{
    app::{App, Error},
    domain::{Debate, DebateId},
    store::Page,
};

/// The maximum number of debates in an answer.
pub const MAX_RULINGS_DUE: u64 = 200;

/// Which rulings to wait for, and for how long.
#[derive(Debug, Clone)]
pub struct RulingWaitQuery {
    /// Only rulings in these debates, which need not be open yet; in all debates if there are none
    pub debates: Vec<DebateId>,
    /// How long to wait at most
    pub timeout: Duration,
}

impl App {
    /// Waits until there are debates in which a ruling is due, which come in the order in which it became due, the timeout is over or the server stops.
    pub async fn ruling_wait(&self, query: RulingWaitQuery) -> Result<Page<Debate>, Error> {
        let RulingWaitQuery { mut debates, timeout } = query;
        let deadline = Instant::now() + timeout;
        debates.sort_unstable();
        debates.dedup();
        // Subscribe before reading, so that no commit in between is lost.
        let mut subscription = self.notifier.ruling_waiters().subscribe(&debates);
        // Futures that query the store are boxed, so that their memory is freed while the caller waits.
        let mut due = Box::pin(self.rulings_due(&debates)).await?;
        if !due.rows.is_empty() {
            return Ok(due);
        }
        let _permit = self.hold_wait(timeout)?;
        loop {
            let woken = tokio::select! {
                woken = timeout_at(deadline, subscription.woken()) => woken.is_ok(),
                () = self.stopping.cancelled() => false,
            };
            if !woken {
                return Ok(due);
            }
            due = Box::pin(self.rulings_due(&debates)).await?;
            // There may be none: the ruling that was due may have been submitted meanwhile.
            if !due.rows.is_empty() {
                return Ok(due);
            }
        }
    }

    async fn rulings_due(&self, debates: &[DebateId]) -> Result<Page<Debate>, Error> {
        Ok(self.store.rulings_due(debates, MAX_RULINGS_DUE).await?)
    }
}
