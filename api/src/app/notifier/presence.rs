//! Which roles wait on which debate, at this server or another.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::{DateTime, SubsecRound, Utc};
use uuid::Uuid;

use super::{Notifier, Subscription, Topic, peer_presence::PeerPresence};
use crate::{
    domain::{DebateId, Role, Waiting},
    locks_and_channels::{MutexGuard, PoisonError, watch},
};

/// How long a role is still shown as waiting after a wait timed out. Clients usually wait again at once.
const PRESENCE_GRACE_PERIOD: Duration = Duration::from_secs(2);

/// For how many roles of debates it is remembered when they waited last.
pub(super) const LAST_WAITED_CAPACITY: usize = 16 * 1024;

/// A role with waits that this server holds.
#[derive(Debug)]
pub(super) struct HeldWaits {
    pub waiting: Waiting,
    waiters: usize,
}

/// Each role once, since its earliest wait, in the order in which they began to wait.
pub(super) fn merged(mut here: Vec<Waiting>, elsewhere: Vec<Waiting>) -> Vec<Waiting> {
    for other in elsewhere {
        match here.iter_mut().find(|one| one.role == other.role) {
            Some(one) => one.since = one.since.min(other.since),
            None => here.push(other),
        }
    }
    here.sort_by_key(|one| one.since);
    here
}

impl Notifier {
    pub(super) fn peers(&self) -> MutexGuard<'_, PeerPresence> {
        // Each change under the lock is complete or has not begun.
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on, remembers whose presence changed. The returned receiver changes whenever it does.
    pub fn share_presence(&self) -> watch::Receiver<()> {
        self.peers().share();
        self.presence_changed.subscribe()
    }

    /// Who waits here on the debates in which that has changed since the last call.
    pub fn changed_presence(&self) -> Vec<(DebateId, Vec<Waiting>)> {
        let changed = self.peers().take_changed();
        let waiting_here = |id| self.topics.get(&id).map(|topic| topic.waiting_here()).unwrap_or_default();
        changed.into_iter().map(|id| (id, waiting_here(id))).collect()
    }

    /// Who waits here on any debate.
    pub fn held_waits(&self) -> Vec<(DebateId, Vec<Waiting>)> {
        let held = self.topics.iter().filter(|topic| !topic.held.is_empty());
        held.map(|topic| (*topic.key(), topic.waiting_here())).collect()
    }

    /// Records who waits on a debate at another server, as heard at `now`. Returns who waited there before.
    pub fn set_peer_presence(&self, server: Uuid, id: DebateId, waiting: &[Waiting], now: Instant) -> Vec<Waiting> {
        let before = self.peers().set(server, id, waiting, now);
        self.update_presence(id);
        before
    }

    /// Records that another server is about to tell all about who waits there.
    pub fn expect_peer_presence(&self, server: Uuid, now: Instant) {
        self.peers().expect_all(server, now);
    }

    /// Forgets who waits at a server that has stopped.
    pub fn forget_peer(&self, server: Uuid) {
        let changed = self.peers().forget(server);
        changed.into_iter().for_each(|id| self.update_presence(id));
    }

    /// Forgets what other servers have not repeated for a while.
    pub fn forget_unheard_peers(&self, now: Instant) {
        let changed = self.peers().forget_unheard(now);
        changed.into_iter().for_each(|id| self.update_presence(id));
    }

    /// Records that a role waits, or has just waited.
    pub fn record_wait(&self, id: DebateId, role: Role, now: DateTime<Utc>) {
        self.last_waited.lock().unwrap_or_else(PoisonError::into_inner).insert((id, role), now);
    }

    /// When a role waited last, as far as this server knows.
    pub fn last_waited(&self, id: DebateId, role: Role) -> Option<DateTime<Utc>> {
        self.last_waited.lock().unwrap_or_else(PoisonError::into_inner).get(&(id, role)).copied()
    }

    fn change_held_waits(&self, id: DebateId, change: impl FnOnce(&mut Vec<HeldWaits>) -> bool) {
        let Some(mut topic) = self.topics.get_mut(&id) else { return };
        if change(&mut topic.held) {
            let is_shared = self.peers().mark_changed(id);
            self.publish_presence(id, &mut topic);
            drop(topic);
            if is_shared {
                self.presence_changed.send_if_modified(|()| true);
            }
        }
    }

    fn update_presence(&self, id: DebateId) {
        if let Some(mut topic) = self.topics.get_mut(&id) {
            self.publish_presence(id, &mut topic);
        }
    }

    /// The topic is locked, so that the last one to publish knows everything.
    fn publish_presence(&self, id: DebateId, topic: &mut Topic) {
        let waiting = merged(topic.waiting_here(), self.peers().waiting(id));
        topic.presence.send_if_modified(|known| {
            let is_changed = *known != waiting;
            *known = waiting;
            is_changed
        });
    }
}

impl Subscription {
    /// The roles that wait on this debate now.
    pub fn waiting(&mut self) -> Vec<Waiting> {
        self.receivers.as_mut().map(|(_, presence)| presence.borrow_and_update().clone()).unwrap_or_default()
    }

    /// Shows `role` as waiting since `now`, until the returned value is dropped. If it waits at another server, too, then
    /// since it began to wait there.
    pub fn register_presence(&self, role: Role, now: DateTime<Utc>) -> Presence {
        let elsewhere = self.notifier.peers().waiting(self.id);
        let known = elsewhere.into_iter().filter(|one| one.role == role).min_by_key(|one| one.since);
        // As precise as it is told to others, so that both ways to learn of it agree.
        let now = now.trunc_subsecs(6);
        let waiting = Waiting { role, since: known.map_or(now, |known| known.since.min(now)) };
        self.notifier.change_held_waits(self.id, |held| match held.iter_mut().find(|one| one.waiting.role == role) {
            Some(one) => {
                one.waiters += 1;
                false
            }
            None => {
                held.push(HeldWaits { waiting, waiters: 1 });
                true
            }
        });
        Presence { id: self.id, role, notifier: self.notifier.clone(), grace_period: true }
    }
}

/// Shows a role as waiting. After it is dropped, the role is shown for the grace period.
#[derive(Debug)]
pub struct Presence {
    id: DebateId,
    role: Role,
    notifier: Arc<Notifier>,
    grace_period: bool,
}

impl Presence {
    /// Ends the presence without the grace period, since the role has something to do now.
    pub fn end_now(mut self) {
        self.grace_period = false;
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let (id, role, notifier) = (self.id, self.role, self.notifier.clone());
        let runtime = tokio::runtime::Handle::try_current().ok().filter(|_| self.grace_period);
        match runtime {
            Some(runtime) => {
                // The subscription keeps the topic, so that `since` is kept for a client that waits again.
                let subscription = notifier.subscribe(id);
                runtime.spawn(async move {
                    tokio::time::sleep(PRESENCE_GRACE_PERIOD).await;
                    remove_presence(&notifier, id, role);
                    drop(subscription);
                });
            }
            None => remove_presence(&notifier, id, role),
        }
    }
}

fn remove_presence(notifier: &Notifier, id: DebateId, role: Role) {
    notifier.change_held_waits(id, |held| {
        let Some(index) = held.iter().position(|one| one.waiting.role == role) else { return false };
        held[index].waiters -= 1;
        let was_last = held[index].waiters == 0;
        if was_last {
            held.remove(index);
        }
        was_last
    });
}
