//! Wakes waiters and viewers of this server when another server writes to the same database.

use std::time::{Duration, Instant};

use tokio::time::{MissedTickBehavior, interval, sleep};

use super::{App, Error};
use crate::{
    domain::DebateId,
    store::{PeerPresence, PeerUpdates, Peers},
};

/// How often followed debates are polled, in case a notification was lost.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The number of recently updated debates that are polled for those who follow the list.
const POLLED_DEBATES: u64 = 200;

/// How long changes of presence are collected before other servers are told. Waits that end with an answer and begin again
/// change nothing then.
const PRESENCE_DELAY: Duration = Duration::from_millis(100);

/// How often other servers are told of all who wait here. It is a third of the time after which they would forget it.
const PRESENCE_INTERVAL: Duration = Duration::from_secs(30);

impl App {
    /// Publishes what other servers write and who waits there, and tells them who waits here, until this server stops.
    /// Returns at once if the database cannot be shared.
    pub async fn follow_peers(&self) {
        if let Some(peers) = self.store.peers() {
            let following = async { tokio::join!(self.publish_peer_writes(peers), self.tell_presence(peers)) };
            self.stopping.run_until_cancelled(following).await;
        }
    }

    async fn tell_presence(&self, peers: Peers<'_>) {
        let mut changed = self.notifier.share_presence();
        let mut repeat = interval(PRESENCE_INTERVAL);
        repeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = changed.changed() => {
                    sleep(PRESENCE_DELAY).await;
                    peers.tell_presence(self.notifier.changed_presence(), false);
                }
                _ = repeat.tick() => peers.tell_presence(self.notifier.held_waits(), true),
            }
        }
    }

    fn publish_presence(&self, peers: Peers<'_>, presence: Vec<PeerPresence>) {
        let now = Instant::now();
        for told in presence {
            match told {
                PeerPresence::Waiting(server, id, waiting) => {
                    let before = self.notifier.set_peer_presence(server, id, &waiting, now);
                    for one in before.into_iter().chain(waiting) {
                        self.notifier.record_wait(id, one.role, (self.now)());
                    }
                }
                PeerPresence::TellsAll(server) => self.notifier.expect_peer_presence(server, now),
                PeerPresence::Asks => peers.tell_presence(self.notifier.held_waits(), true),
                PeerPresence::Stopped(server) => self.notifier.forget_peer(server),
            }
        }
    }

    async fn publish_peer_writes(&self, peers: Peers<'_>) {
        let mut poll = interval(POLL_INTERVAL);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let published = tokio::select! {
                updates = peers.next_updates() => self.publish_updates(peers, updates).await,
                _ = poll.tick() => self.poll(peers).await,
            };
            if let Err(error) = published {
                // The next poll finds what was not published.
                tracing::debug!(%error, "the writes of other servers could not be read");
            }
        }
    }

    async fn publish_updates(&self, peers: Peers<'_>, updates: PeerUpdates) -> Result<(), Error> {
        self.publish_presence(peers, updates.presence);
        if updates.missed {
            return self.poll(peers).await;
        }
        let last_seqs = updates.last_seqs.into_iter();
        // A notification does not tell whether a ruling is due now.
        let is_unknown = |id, seq| self.notifier.is_unknown(id, seq) || self.notifier.ruling_waiters().wait_for(id);
        let changed = last_seqs.filter(|(id, seq)| is_unknown(*id, *seq)).map(|(id, _)| id).collect();
        self.publish_newest(peers, changed).await
    }

    /// Queries the debates that somebody follows here. Without followers nothing is queried.
    async fn poll(&self, peers: Peers<'_>) -> Result<(), Error> {
        self.notifier.forget_unheard_peers(Instant::now());
        let followed = self.notifier.subscribed_ids();
        if !followed.is_empty() || self.notifier.has_list_subscribers() {
            peers.check_listener();
        }
        let mut last_seqs = if followed.is_empty() { Vec::new() } else { peers.last_seqs(followed).await? };
        if self.notifier.has_list_subscribers() {
            let updated = peers.last_updated(POLLED_DEBATES).await?;
            last_seqs.extend(updated.into_iter().map(|debate| (debate.id, debate.last_seq)));
        }
        last_seqs.retain(|(id, seq)| self.notifier.is_unknown(*id, *seq));
        self.publish_newest(peers, last_seqs.into_iter().map(|(id, _)| id).collect()).await?;
        self.poll_rulings(peers).await
    }

    /// Queries the rulings that somebody waits for here. Whoever still waits was not told of those that are due.
    async fn poll_rulings(&self, peers: Peers<'_>) -> Result<(), Error> {
        let waiters = self.notifier.ruling_waiters();
        let (any, named) = (waiters.wait_for_any(), waiters.named());
        if any || !named.is_empty() {
            peers.check_listener();
        }
        let some = if any { peers.any_due().await? } else { None };
        let due = if named.is_empty() { Vec::new() } else { peers.due_among(&named).await? };
        some.into_iter().chain(due).for_each(|id| waiters.wake(id));
        Ok(())
    }

    async fn publish_newest(&self, peers: Peers<'_>, mut changed: Vec<DebateId>) -> Result<(), Error> {
        changed.sort_unstable();
        changed.dedup();
        if !changed.is_empty() {
            self.notifier.publish(&peers.newest_commits(changed).await?);
        }
        Ok(())
    }
}
