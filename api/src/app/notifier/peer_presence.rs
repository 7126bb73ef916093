//! Who waits at the other servers of the database, as they have told. A server tells each change, and everything now and
//! then, so that what was missed is mended and what a killed server told is forgotten.

use std::{
    collections::{HashMap, HashSet},
    mem,
    time::{Duration, Instant},
};

use uuid::Uuid;

use crate::domain::{DebateId, Waiting};

/// How long a server is believed that somebody waits there, without a word from it.
const LIFETIME: Duration = Duration::from_secs(90);

/// How long a server that begins to repeat who waits may take. Whoever it has not named by then no longer waits.
const REPETITION_TIME: Duration = Duration::from_secs(2);

/// What one server has told of one debate.
#[derive(Debug)]
struct Told {
    server: Uuid,
    waiting: Vec<Waiting>,
    forget_at: Instant,
}

/// What the other servers have told, and what they are to be told.
#[derive(Debug, Default)]
pub struct PeerPresence {
    told: HashMap<DebateId, Vec<Told>>,
    /// Whether there may be other servers
    is_shared: bool,
    /// The debates whose waiters here have changed
    changed: HashSet<DebateId>,
}

impl PeerPresence {
    /// From now on remembers what other servers are to be told.
    pub fn share(&mut self) {
        self.is_shared = true;
    }

    /// Remembers that other servers are to be told of this debate. Returns whether there may be any.
    pub fn mark_changed(&mut self, id: DebateId) -> bool {
        if self.is_shared {
            self.changed.insert(id);
        }
        self.is_shared
    }

    /// The debates of which other servers are to be told.
    pub fn take_changed(&mut self) -> HashSet<DebateId> {
        mem::take(&mut self.changed)
    }

    /// Who waits on this debate at other servers.
    pub fn waiting(&self, id: DebateId) -> Vec<Waiting> {
        self.told.get(&id).into_iter().flatten().flat_map(|told| told.waiting.iter().copied()).collect()
    }

    /// Records what a server has told of a debate, and returns what it had told before.
    pub fn set(&mut self, server: Uuid, id: DebateId, waiting: &[Waiting], now: Instant) -> Vec<Waiting> {
        let told = self.told.entry(id).or_default();
        let known = told.iter().position(|told| told.server == server).map(|index| told.swap_remove(index).waiting);
        if !waiting.is_empty() {
            told.push(Told { server, waiting: waiting.to_vec(), forget_at: now + LIFETIME });
        }
        if told.is_empty() {
            self.told.remove(&id);
        }
        known.unwrap_or_default()
    }

    /// Records that a server is about to tell everything: what it does not repeat is forgotten.
    pub fn expect_all(&mut self, server: Uuid, now: Instant) {
        for told in self.told.values_mut().flatten().filter(|told| told.server == server) {
            told.forget_at = told.forget_at.min(now + REPETITION_TIME);
        }
    }

    /// Forgets what a server has told, and returns the debates of which it had.
    pub fn forget(&mut self, server: Uuid) -> Vec<DebateId> {
        self.remove(|told| told.server == server)
    }

    /// Forgets what was not repeated in time, and returns the debates of which it was told.
    pub fn forget_unheard(&mut self, now: Instant) -> Vec<DebateId> {
        self.remove(|told| told.forget_at <= now)
    }

    fn remove(&mut self, is_gone: impl Fn(&Told) -> bool) -> Vec<DebateId> {
        let mut changed = Vec::new();
        self.told.retain(|id, told| {
            let before = told.len();
            told.retain(|told| !is_gone(told));
            if told.len() < before {
                changed.push(*id);
            }
            !told.is_empty()
        });
        changed
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::domain::Role;

    const SERVER: Uuid = Uuid::from_u128(1);
    const OTHER: Uuid = Uuid::from_u128(2);
    const DEBATE: DebateId = DebateId(Uuid::from_u128(3));

    fn waiting(role: Role) -> Vec<Waiting> {
        vec![Waiting { role, since: DateTime::UNIX_EPOCH }]
    }

    #[test]
    fn a_server_replaces_what_it_told_and_leaves_what_others_told() {
        let (mut peers, now) = (PeerPresence::default(), Instant::now());
        peers.set(SERVER, DEBATE, &waiting(Role::Proposer), now);
        peers.set(OTHER, DEBATE, &waiting(Role::Opponent), now);
        assert_eq!(peers.waiting(DEBATE), [waiting(Role::Proposer), waiting(Role::Opponent)].concat());
        peers.set(SERVER, DEBATE, &[], now);
        assert_eq!(peers.waiting(DEBATE), waiting(Role::Opponent));
        assert_eq!(peers.forget(OTHER), [DEBATE]);
        assert!(peers.waiting(DEBATE).is_empty() && peers.told.is_empty());
    }

    #[test]
    fn what_is_not_repeated_is_forgotten_after_90_seconds() {
        let (mut peers, now) = (PeerPresence::default(), Instant::now());
        peers.set(SERVER, DEBATE, &waiting(Role::Proposer), now);
        peers.set(OTHER, DEBATE, &waiting(Role::Opponent), now);
        assert!(peers.forget_unheard(now + Duration::from_secs(89)).is_empty());
        peers.set(OTHER, DEBATE, &waiting(Role::Opponent), now + Duration::from_secs(89));
        assert_eq!(peers.forget_unheard(now + Duration::from_secs(90)), [DEBATE]);
        assert_eq!(peers.waiting(DEBATE), waiting(Role::Opponent));
    }

    #[test]
    fn what_a_server_leaves_out_when_it_tells_everything_is_forgotten() {
        let (mut peers, now) = (PeerPresence::default(), Instant::now());
        let repeated = DebateId(Uuid::from_u128(4));
        for id in [DEBATE, repeated] {
            peers.set(SERVER, id, &waiting(Role::Proposer), now);
        }
        peers.expect_all(SERVER, now);
        peers.set(SERVER, repeated, &waiting(Role::Proposer), now);
        assert_eq!(peers.forget_unheard(now + REPETITION_TIME), [DEBATE]);
        assert_eq!(peers.waiting(repeated), waiting(Role::Proposer));
    }
}
