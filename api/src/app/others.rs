//! What other servers write to the same database, told to whoever waits for it here.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use super::{App, Error};
use crate::{
    domain::DebateId,
    store::{Elsewhere, Others},
};

/// How often what is followed here is looked at, in case a notice was lost.
const SWEEP: Duration = Duration::from_secs(1);

/// How many of the debates that moved on last are looked at for those who follow all.
const LAST_MOVED: u64 = 200;

/// How it is learnt what other servers write.
#[derive(Debug, Clone, Copy)]
pub struct Hearing {
    /// By the notices that they send
    pub notices: bool,
    /// By looking at what is followed here, once a second
    pub looking: bool,
}

impl App {
    /// Tells whoever waits here what other servers write, until the server stops. Returns at once where there are none.
    pub async fn hear_others(&self, hearing: Hearing) {
        if let Some(others) = self.store.others() {
            self.stopping.run_until_cancelled(self.relay(others, hearing)).await;
        }
    }

    async fn relay(&self, others: Others<'_>, hearing: Hearing) {
        let mut sweep = interval(SWEEP);
        sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let told = tokio::select! {
                elsewhere = others.wrote(), if hearing.notices => self.tell(others, elsewhere).await,
                _ = sweep.tick(), if hearing.looking => self.sweep(others).await,
                else => return,
            };
            if let Err(error) = told {
                // The next sweep finds whatever was not told.
                tracing::debug!(%error, "what other servers wrote could not be read");
            }
        }
    }

    async fn tell(&self, others: Others<'_>, elsewhere: Elsewhere) -> Result<(), Error> {
        if elsewhere.missed {
            return self.sweep(others).await;
        }
        let moved = elsewhere.moved.into_iter();
        self.publish(others, moved.filter(|(id, seq)| self.notifier.is_unknown(*id, *seq)).map(|(id, _)| id).collect())
            .await
    }

    /// Finds what nobody told of. Where nobody waits, nothing is asked.
    async fn sweep(&self, others: Others<'_>) -> Result<(), Error> {
        let followed = self.notifier.subscribed_ids();
        if !followed.is_empty() || self.notifier.has_list_subscribers() {
            others.doubt();
        }
        let mut seqs = if followed.is_empty() { Vec::new() } else { others.last_seqs(followed).await? };
        if self.notifier.has_list_subscribers() {
            let last_moved = others.last_moved(LAST_MOVED).await?;
            seqs.extend(last_moved.into_iter().map(|debate| (debate.id, debate.last_seq)));
        }
        seqs.retain(|(id, seq)| self.notifier.is_unknown(*id, *seq));
        self.publish(others, seqs.into_iter().map(|(id, _)| id).collect()).await
    }

    async fn publish(&self, others: Others<'_>, mut moved: Vec<DebateId>) -> Result<(), Error> {
        moved.sort_unstable();
        moved.dedup();
        if !moved.is_empty() {
            self.notifier.publish(&others.newest_of(moved).await?);
        }
        Ok(())
    }
}
