//! `debate_list`: a page of all debates.

use std::sync::Arc;

use tokio::sync::broadcast;

use crate::{
    app::{App, Error},
    domain::{Debate, StateName},
    store::Commit,
};

/// Every commit, told to whoever follows all debates.
pub type Commits = broadcast::Receiver<Arc<Commit>>;

/// Which debates to list.
#[derive(Debug, Clone, Default)]
pub struct ListQuery {
    /// Only those that stand here
    pub state: Option<StateName>,
    /// Only those whose id begins with this or whose title holds it; ASCII letters match in either case
    pub q: Option<String>,
    /// How many at most
    pub limit: u64,
    /// How many to leave out before the first
    pub offset: u64,
}

impl App {
    /// The debates that match, newest `updated_at` first, then newest created, and how many match in all.
    pub async fn debate_list(&self, query: ListQuery) -> Result<(Vec<Debate>, u64), Error> {
        let ListQuery { state, q, limit, offset } = query;
        Ok(self.store.debates(state, q.as_deref(), limit, offset).await?)
    }

    /// The newest debates, and every commit from then on.
    pub async fn debate_watch(&self, limit: u64) -> Result<(Commits, (Vec<Debate>, u64)), Error> {
        // Registered before the first look, so that no change can fall between the two.
        let commits = self.wakeups.subscribe_all();
        let list = self.debate_list(ListQuery { limit, ..ListQuery::default() }).await?;
        self.wakeups.read_all(list.0.iter());
        Ok((commits, list))
    }
}
