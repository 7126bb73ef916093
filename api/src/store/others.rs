//! What other servers write to the same database: how it is heard of, and how it is found where it was not heard.

use std::{collections::HashMap, sync::Arc, time::Duration};

use super::{Commit, Store, backend::Notices, error::StoreError};
use crate::domain::{Debate, DebateId};

/// How long a look for what others wrote may take: the next one is soon.
const PATIENCE: Duration = Duration::from_secs(1);

/// What other servers wrote, as far as it was heard of.
#[derive(Debug, Default)]
pub struct Elsewhere {
    /// Debates that moved on, each with the `seq` it moved to
    pub moved: HashMap<DebateId, u64>,
    /// Whether there may be more that was not heard of
    pub missed: bool,
}

/// The other servers of a database.
#[derive(Debug, Clone, Copy)]
pub struct Others<'s> {
    store: &'s Store,
    notices: &'s Notices,
}

impl Store {
    /// The other servers that may write to the same database; none where there cannot be any.
    pub fn others(&self) -> Option<Others<'_>> {
        self.notices.as_ref().map(|notices| Others { store: self, notices })
    }
}

impl Others<'_> {
    /// Returns with what they wrote since the last time, as soon as there is any.
    pub async fn wrote(&self) -> Elsewhere {
        self.notices.next().await
    }

    /// Has it found out whether they are still heard; if not, [`Elsewhere::missed`] tells.
    pub fn doubt(&self) {
        self.notices.doubt();
    }

    /// How far these debates have come.
    ///
    /// # Errors
    /// Where the store does not answer soon.
    pub async fn last_seqs(&self, ids: Vec<DebateId>) -> Result<Vec<(DebateId, u64)>, StoreError> {
        self.store.read.within(PATIENCE, self.store.last_seqs(ids)).await
    }

    /// These debates, each with its newest argument.
    ///
    /// # Errors
    /// Where the store does not answer soon.
    pub async fn newest_of(&self, ids: Vec<DebateId>) -> Result<Vec<Arc<Commit>>, StoreError> {
        self.store.read.within(PATIENCE, self.store.newest_of(ids)).await
    }

    /// The debates that moved on last.
    ///
    /// # Errors
    /// Where the store does not answer soon.
    pub async fn last_moved(&self, limit: u64) -> Result<Vec<Debate>, StoreError> {
        self.store.read.within(PATIENCE, self.store.last_moved(limit)).await
    }
}
