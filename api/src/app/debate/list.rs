//! `debate_list`: a page of the list of debates, and the changes that change the list.

use tokio::sync::broadcast;

use crate::{
    app::{App, Error},
    domain::{Debate, DebateType, StateName},
    store::Page,
};

/// Which debates to list.
#[derive(Debug, Clone, Default)]
pub struct DebateListQuery {
    /// Only debates in this state
    pub state: Option<StateName>,
    /// Only debates of this type
    pub debate_type: Option<DebateType>,
    /// Only debates whose id starts with this text or whose title contains it; letters match in either case
    pub q: Option<String>,
    /// The maximum number of debates
    pub limit: u64,
    /// How many debates to skip
    pub offset: u64,
}

impl App {
    /// Reads a page of the list of debates, ordered by `updated_at`, then `created_at`, newest first.
    pub async fn debate_list(&self, query: DebateListQuery) -> Result<Page<Debate>, Error> {
        let DebateListQuery { state, debate_type, q, limit, offset } = query;
        Ok(self.store.debates(state, debate_type, q.as_deref(), limit, offset).await?)
    }

    /// Reads the first page of the list and subscribes to the changes of all debates.
    pub async fn debate_list_subscribe(
        &self,
        limit: u64,
    ) -> Result<(broadcast::Receiver<Debate>, Page<Debate>), Error> {
        // Subscribe before reading, so that no commit in between is lost.
        let changes = self.notifier.subscribe_all();
        let list = self.debate_list(DebateListQuery { limit, ..DebateListQuery::default() }).await?;
        self.notifier.mark_list_read(&list.rows);
        Ok((changes, list))
    }
}
