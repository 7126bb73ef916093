//! Who waits for news of which debate, in this process.
//!
//! A wake-up carries the newest commit, so that a waiter who has all before it need not ask the store. Whoever missed one
//! in between reads the store, which is the truth.

use std::sync::Arc;

use dashmap::DashMap;
use tokio::sync::watch;

use crate::{domain::DebateId, store::Commit};

type News = Option<Arc<Commit>>;

/// Everybody in this process who waits for news.
#[derive(Debug, Default)]
pub struct Wakeups {
    debates: DashMap<DebateId, watch::Sender<News>>,
}

impl Wakeups {
    /// Registers for news of a debate. To miss none, subscribe first and read the store afterwards.
    pub fn subscribe(self: &Arc<Self>, id: DebateId) -> Subscription {
        let news = self.debates.entry(id).or_insert_with(|| watch::Sender::new(None)).subscribe();
        Subscription { id, news: Some(news), wakeups: self.clone() }
    }

    /// Wakes everybody who waits for news of the debates that were committed to.
    pub fn publish(&self, commits: &[Arc<Commit>]) {
        for commit in commits {
            if let Some(waiting) = self.debates.get(&commit.debate.id) {
                waiting.send_replace(Some(commit.clone()));
            }
        }
    }

    /// How many debates are waited for.
    pub fn len(&self) -> usize {
        self.debates.len()
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.debates.is_empty()
    }
}

/// One who waits for news of a debate; the entry goes when the last one leaves.
#[derive(Debug)]
pub struct Subscription {
    id: DebateId,
    /// Always there but while dropping
    news: Option<watch::Receiver<News>>,
    wakeups: Arc<Wakeups>,
}

impl Subscription {
    /// Returns with the newest commit as soon as there is one that this subscription has not given yet.
    pub async fn changed(&mut self) -> Arc<Commit> {
        loop {
            if let Some(news) = &mut self.news
                && news.changed().await.is_ok()
            {
                let newest = news.borrow_and_update().clone();
                if let Some(commit) = newest {
                    return commit;
                }
            } else {
                // The sender lives as long as anybody is subscribed, so this is never reached.
                std::future::pending::<()>().await;
            }
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        // The receiver must be gone before the count is taken, and the count is taken under the entry's lock.
        self.news = None;
        self.wakeups.debates.remove_if(&self.id, |_, waiting| waiting.receiver_count() == 0);
    }
}
