//! What other servers write to the same database: their notifications, and queries for what notifications missed.

use std::{collections::HashMap, sync::Arc, time::Duration};

use uuid::Uuid;

use super::{Commit, Store, backend::Notifier, error::StoreError};
use crate::domain::{Debate, DebateId, Waiting};

/// How long such a query may take. It is repeated soon.
const QUERY_TIMEOUT: Duration = Duration::from_secs(1);

/// What notifications said since the last call.
#[derive(Debug, Default)]
pub struct PeerUpdates {
    /// The `last_seq` of each debate that another server wrote to.
    pub last_seqs: HashMap<DebateId, u64>,
    /// Whether notifications may have been lost.
    pub missed: bool,
    /// What other servers said of who waits there, in order.
    pub presence: Vec<PeerPresence>,
}

/// What another server said of who waits there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PeerPresence {
    /// These wait on this debate there.
    Waiting(Uuid, DebateId, Vec<Waiting>),
    /// It is about to tell all about who waits there.
    TellsAll(Uuid),
    /// It asks who waits here.
    Asks,
    /// It has stopped.
    Stopped(Uuid),
}

/// The other servers that share the database.
#[derive(Debug, Clone, Copy)]
pub struct Peers<'s> {
    store: &'s Store,
    notifier: &'s Notifier,
}

impl Store {
    /// The other servers that share the database; none if the database cannot be shared.
    pub fn peers(&self) -> Option<Peers<'_>> {
        self.notifier.as_ref().map(|notifier| Peers { store: self, notifier })
    }
}

impl Peers<'_> {
    /// Waits for the next notifications.
    pub async fn next_updates(&self) -> PeerUpdates {
        self.notifier.next_updates().await
    }

    /// Has the listener check that notifications still arrive. If not, [`PeerUpdates::missed`] tells.
    pub fn check_listener(&self) {
        self.notifier.check_listener();
    }

    /// Tells the other servers who waits here on these debates. `all` says that nobody waits here on any other debate.
    pub fn tell_presence(&self, presence: Vec<(DebateId, Vec<Waiting>)>, all: bool) {
        self.notifier.tell_presence(presence, all);
    }

    /// The `last_seq` of these debates.
    ///
    /// # Errors
    /// If the database does not answer within a second.
    pub async fn last_seqs(&self, ids: Vec<DebateId>) -> Result<Vec<(DebateId, u64)>, StoreError> {
        self.store.read.with_timeout(QUERY_TIMEOUT, self.store.last_seqs(ids)).await
    }

    /// These debates, each with its newest argument.
    ///
    /// # Errors
    /// If the database does not answer within a second.
    pub async fn newest_commits(&self, ids: Vec<DebateId>) -> Result<Vec<Arc<Commit>>, StoreError> {
        self.store.read.with_timeout(QUERY_TIMEOUT, self.store.newest_commits(ids)).await
    }

    /// Some debate in which a ruling is due, if there is one.
    ///
    /// # Errors
    /// If the database does not answer within a second.
    pub async fn any_due(&self) -> Result<Option<DebateId>, StoreError> {
        self.store.read.with_timeout(QUERY_TIMEOUT, self.store.any_due()).await
    }

    /// Those of these debates in which a ruling is due.
    ///
    /// # Errors
    /// If the database does not answer within a second.
    pub async fn due_among(&self, ids: &[DebateId]) -> Result<Vec<DebateId>, StoreError> {
        self.store.read.with_timeout(QUERY_TIMEOUT, self.store.due_among(ids)).await
    }

    /// The `limit` debates that were written to last.
    ///
    /// # Errors
    /// If the database does not answer within a second.
    pub async fn last_updated(&self, limit: u64) -> Result<Vec<Debate>, StoreError> {
        self.store.read.with_timeout(QUERY_TIMEOUT, self.store.last_updated(limit)).await
    }
}
