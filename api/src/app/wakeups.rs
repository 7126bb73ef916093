//! Who waits for news of which debate, in this process.
//!
//! A wake-up carries the newest commit, so that whoever has all before it need not ask the store. Whoever missed one in
//! between reads the store, which is the truth.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use chrono::{DateTime, Utc};
use quick_cache::unsync::Cache;

use crate::{
    domain::{Debate, DebateId, Role},
    store::Commit,
    sync::{DashMap, Mutex, MutexGuard, PoisonError, broadcast, watch},
};

/// How long a waiter still counts as one after its wait ended without news: it asks again at once, as a rule.
const LINGER: Duration = Duration::from_secs(2);

/// How many commits somebody who follows all debates may be behind.
const BEHIND: usize = 1024;

/// Of how many debates it is remembered what those who follow all of them know.
const LISTED: usize = 16 * 1024;

/// A commit on its way to everybody who waits for it.
#[derive(Debug)]
pub struct Wakeup {
    /// What was committed
    pub commit: Arc<Commit>,
    rendered: OnceLock<Box<[String]>>,
}

impl Wakeup {
    fn new(commit: Arc<Commit>) -> Self {
        Self { commit, rendered: OnceLock::new() }
    }

    /// How the commit is told, made by whoever tells it first: a thousand viewers are told the same.
    pub fn rendered(&self, render: impl FnOnce() -> Box<[String]>) -> &[String] {
        self.rendered.get_or_init(render)
    }
}

type News = Option<Arc<Wakeup>>;

/// One role that waits, and since when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Who waits
    pub role: Role,
    /// Since when, without a longer break
    pub since: DateTime<Utc>,
    waiters: usize,
}

/// What woke one who follows a debate.
#[derive(Debug)]
pub enum Woken {
    /// There is a newer commit
    News(Arc<Wakeup>),
    /// Others began or ceased to wait
    Waiting(Vec<Waiting>),
}

/// A debate that somebody in this process follows.
#[derive(Debug)]
struct Topic {
    news: watch::Sender<News>,
    waiting: watch::Sender<Vec<Waiting>>,
    /// The `seq` that everybody here knows of; none as long as nobody has looked
    known: Option<u64>,
}

impl Topic {
    fn new() -> Self {
        Self { news: watch::Sender::new(None), waiting: watch::Sender::new(Vec::new()), known: None }
    }
}

/// Everybody in this process who waits for news.
#[derive(Debug)]
pub struct Wakeups {
    topics: DashMap<DebateId, Topic>,
    all: broadcast::Sender<Arc<Commit>>,
    /// Of debates that changed of late, the `seq` that whoever follows all of them knows of
    listed: Mutex<Cache<DebateId, u64>>,
}

impl Default for Wakeups {
    fn default() -> Self {
        Self { topics: DashMap::new(), all: broadcast::Sender::new(BEHIND), listed: Mutex::new(Cache::new(LISTED)) }
    }
}

impl Wakeups {
    /// Registers for news of a debate. To miss none, subscribe first and read the store afterwards.
    pub fn subscribe(self: &Arc<Self>, id: DebateId) -> Subscription {
        let topic = self.topics.entry(id).or_insert_with(Topic::new);
        let (news, waiting) = (topic.news.subscribe(), topic.waiting.subscribe());
        drop(topic);
        Subscription { id, receivers: Some((news, waiting)), wakeups: self.clone() }
    }

    /// Registers for every commit of this process. One who falls behind by more than it keeps is told so.
    pub fn subscribe_all(&self) -> broadcast::Receiver<Arc<Commit>> {
        self.all.subscribe()
    }

    /// Wakes everybody who waits for news of the debates that were committed to. What is older than what they know wakes
    /// nobody.
    pub fn publish(&self, commits: &[Arc<Commit>]) {
        for commit in commits {
            let seq = commit.debate.last_seq;
            if let Some(mut topic) = self.topics.get_mut(&commit.debate.id) {
                topic.known = topic.known.max(Some(seq));
                topic.news.send_if_modified(|news| {
                    let newer = news.as_ref().is_none_or(|known| known.commit.debate.last_seq < seq);
                    if newer {
                        *news = Some(Arc::new(Wakeup::new(commit.clone())));
                    }
                    newer
                });
            }
            if self.all.receiver_count() > 0 {
                let mut listed = self.listed();
                if listed.get(&commit.debate.id).is_none_or(|known| *known < seq) {
                    listed.insert(commit.debate.id, seq);
                    // Sent before others may go on, so that all are told in order; nobody listening is no fault.
                    let _ = self.all.send(commit.clone());
                }
            }
        }
    }

    /// Takes note that somebody who follows a debate has read it as it was at `seq`.
    pub fn read(&self, id: DebateId, seq: u64) {
        if let Some(mut topic) = self.topics.get_mut(&id) {
            // One who reads later may read more, which the others still have to be told.
            topic.known = Some(topic.known.map_or(seq, |known| known.min(seq)));
        }
    }

    /// The debates that somebody follows.
    pub fn followed(&self) -> Vec<DebateId> {
        self.topics.iter().map(|topic| *topic.key()).collect()
    }

    /// Whether `seq` would be news to somebody who follows the debate, or all of them.
    pub fn is_news(&self, id: DebateId, seq: u64) -> bool {
        self.topics.get(&id).is_some_and(|topic| topic.known.is_none_or(|known| known < seq))
            || (self.is_watched() && self.listed().get(&id).is_none_or(|known| *known < seq))
    }

    /// Whether somebody follows all debates.
    pub fn is_watched(&self) -> bool {
        self.all.receiver_count() > 0
    }

    /// Takes note that somebody who follows all debates has read these.
    pub fn read_all<'d>(&self, debates: impl Iterator<Item = &'d Debate>) {
        let mut listed = self.listed();
        for debate in debates {
            if listed.get(&debate.id).is_none() {
                listed.insert(debate.id, debate.last_seq);
            }
        }
    }

    fn listed(&self) -> MutexGuard<'_, Cache<DebateId, u64>> {
        // Whoever panicked held it between two whole states.
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change_waiting(&self, id: DebateId, change: impl FnOnce(&mut Vec<Waiting>) -> bool) {
        if let Some(topic) = self.topics.get(&id) {
            topic.waiting.send_if_modified(change);
        }
    }
}

/// One who follows a debate; the debate's entry goes when the last one leaves.
#[derive(Debug)]
pub struct Subscription {
    id: DebateId,
    /// Always there but while dropping
    receivers: Option<(watch::Receiver<News>, watch::Receiver<Vec<Waiting>>)>,
    wakeups: Arc<Wakeups>,
}

impl Subscription {
    /// Returns with the newest commit as soon as there is one that this subscription has not given yet.
    pub async fn news(&mut self) -> Arc<Wakeup> {
        if let Some((news, _)) = &mut self.receivers {
            while news.changed().await.is_ok() {
                let newest = news.borrow_and_update().clone();
                if let Some(wakeup) = newest {
                    return wakeup;
                }
            }
        }
        // The sender lives as long as anybody is subscribed, so this is never reached.
        std::future::pending().await
    }

    /// Returns as soon as there is a newer commit, or others begin or cease to wait.
    pub async fn woken(&mut self) -> Woken {
        if let Some((news, waiting)) = &mut self.receivers {
            tokio::select! {
                Ok(()) = news.changed() => {
                    let newest = news.borrow_and_update().clone();
                    if let Some(wakeup) = newest {
                        return Woken::News(wakeup);
                    }
                }
                Ok(()) = waiting.changed() => return Woken::Waiting(waiting.borrow_and_update().clone()),
            }
        }
        std::future::pending().await
    }

    /// Who waits now.
    pub fn waiting(&mut self) -> Vec<Waiting> {
        self.receivers.as_mut().map(|(_, waiting)| waiting.borrow_and_update().clone()).unwrap_or_default()
    }

    /// Counts this subscriber among those who wait, as `role`, from `now` on.
    pub fn wait_as(&self, role: Role, now: DateTime<Utc>) -> Presence {
        self.wakeups.change_waiting(self.id, |waiting| match waiting.iter_mut().find(|one| one.role == role) {
            Some(one) => {
                one.waiters += 1;
                false
            }
            None => {
                waiting.push(Waiting { role, since: now, waiters: 1 });
                true
            }
        });
        Presence { id: self.id, role, wakeups: self.wakeups.clone(), lingers: true }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        // The receivers must be gone before the count is taken, and the count is taken under the entry's lock.
        self.receivers = None;
        self.wakeups.topics.remove_if(&self.id, |_, topic| topic.news.receiver_count() == 0);
    }
}

/// One who counts among those who wait, for as long as this lives and a little longer.
#[derive(Debug)]
pub struct Presence {
    id: DebateId,
    role: Role,
    wakeups: Arc<Wakeups>,
    lingers: bool,
}

impl Presence {
    /// Ends the wait for good: there was news, and whoever waited has something to do.
    pub fn end(mut self) {
        self.lingers = false;
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let (id, role, wakeups) = (self.id, self.role, self.wakeups.clone());
        let runtime = tokio::runtime::Handle::try_current().ok().filter(|_| self.lingers);
        match runtime {
            Some(runtime) => {
                // Keeps the entry until then, so that one who asks again waits since before.
                let subscription = wakeups.subscribe(id);
                runtime.spawn(async move {
                    tokio::time::sleep(LINGER).await;
                    leave(&wakeups, id, role);
                    drop(subscription);
                });
            }
            None => leave(&wakeups, id, role),
        }
    }
}

fn leave(wakeups: &Wakeups, id: DebateId, role: Role) {
    wakeups.change_waiting(id, |waiting| {
        let Some(at) = waiting.iter().position(|one| one.role == role) else { return false };
        waiting[at].waiters -= 1;
        let last = waiting[at].waiters == 0;
        if last {
            waiting.remove(at);
        }
        last
    });
}
