//! Wakes the callers in this process that wait until a ruling is due.
//!
//! A wake-up is a hint: whoever is woken reads the store. So it does no harm if a waiter misses some, or is woken for nothing.

use std::sync::Arc;

use crate::{
    domain::{Action, Debate, DebateId, Role, action_for},
    locks_and_channels::{DashMap, broadcast},
};

/// How many wake-ups a waiter may lag behind before it loses some.
const CAPACITY: usize = 64;

/// The waiters.
#[derive(Debug)]
pub struct RulingWaiters {
    due: broadcast::Sender<DebateId>,
    /// The number of waiters for each debate; `None` stands for any debate
    counts: DashMap<Option<DebateId>, usize>,
}

impl Default for RulingWaiters {
    fn default() -> Self {
        Self { due: broadcast::Sender::new(CAPACITY), counts: DashMap::new() }
    }
}

impl RulingWaiters {
    /// Subscribes to rulings that become due in these debates, or in any debate if there are none. Subscribe before reading
    /// the store, so that none is missed.
    pub fn subscribe(self: &Arc<Self>, debates: &[DebateId]) -> RulingSubscription {
        let debates = if debates.is_empty() { vec![None] } else { debates.iter().copied().map(Some).collect() };
        for id in &debates {
            *self.counts.entry(*id).or_insert(0) += 1;
        }
        RulingSubscription { due: self.due.subscribe(), debates, waiters: self.clone() }
    }

    /// Wakes the waiters for this debate if a ruling is due in it.
    pub fn publish(&self, debate: &Debate) {
        if action_for(&debate.state, Role::Arbitrator) == Action::Rule {
            self.wake(debate.id);
        }
    }

    /// Wakes the waiters for this debate.
    pub fn wake(&self, id: DebateId) {
        // It is no error if nobody waits.
        let _ = self.due.send(id);
    }

    /// Whether somebody waits for a ruling in this debate.
    pub fn wait_for(&self, id: DebateId) -> bool {
        self.wait_for_any() || self.counts.contains_key(&Some(id))
    }

    /// Whether somebody waits for a ruling in any debate.
    pub fn wait_for_any(&self) -> bool {
        self.counts.contains_key(&None)
    }

    /// The debates that waiters named.
    pub fn named(&self) -> Vec<DebateId> {
        self.counts.iter().filter_map(|count| *count.key()).collect()
    }
}

/// A subscription to rulings that become due.
#[derive(Debug)]
pub struct RulingSubscription {
    due: broadcast::Receiver<DebateId>,
    /// Only `None` if it is for any debate
    debates: Vec<Option<DebateId>>,
    waiters: Arc<RulingWaiters>,
}

impl RulingSubscription {
    /// Waits until a ruling may have become due.
    pub async fn woken(&mut self) {
        loop {
            match self.due.recv().await {
                Ok(id) if self.debates.contains(&None) || self.debates.contains(&Some(id)) => return,
                Ok(_) => {}
                Err(broadcast::error::RecvError::Lagged(_)) => return,
                // Never reached: the sender lives as long as there are subscriptions.
                Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}

impl Drop for RulingSubscription {
    fn drop(&mut self) {
        for id in &self.debates {
            if let Some(mut count) = self.waiters.counts.get_mut(id) {
                *count -= 1;
            }
            self.waiters.counts.remove_if(id, |_, count| *count == 0);
        }
    }
}
