//! `debate_list`: a page of all debates.

use crate::{
    app::{App, Error},
    domain::{Debate, StateName},
};

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
}
