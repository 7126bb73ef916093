//! Notifies the subscribers in this process of commits, and knows which roles wait on which debate.
//!
//! A notification carries the newest commit, so that a subscriber that has everything before it need not query the store.
//! A subscriber that missed a commit reads it from the store.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use chrono::{DateTime, Utc};
use quick_cache::unsync::Cache;

use super::ruling_waiters::RulingWaiters;
use crate::{
    domain::{Debate, DebateId, Role},
    locks_and_channels::{DashMap, Mutex, MutexGuard, PoisonError, broadcast, watch},
    store::Commit,
};

/// How long a role is still shown as waiting after a wait timed out. Clients usually wait again at once.
const PRESENCE_GRACE_PERIOD: Duration = Duration::from_secs(2);

/// How many commits a subscriber of all debates may lag behind before it loses some.
const ALL_DEBATES_CAPACITY: usize = 1024;

/// For how many debates the `last_seq` that was sent to the subscribers of all debates is cached.
const SENT_SEQS_CAPACITY: usize = 16 * 1024;

/// A commit, as it is sent to the subscribers of its debate.
#[derive(Debug)]
pub struct Notification {
    /// The commit
    pub commit: Arc<Commit>,
    messages: OnceLock<Box<[String]>>,
}

impl Notification {
    fn new(commit: Arc<Commit>) -> Self {
        Self { commit, messages: OnceLock::new() }
    }

    /// The WebSocket messages about this commit. The first subscriber renders them for all.
    pub fn messages(&self, render: impl FnOnce() -> Box<[String]>) -> &[String] {
        self.messages.get_or_init(render)
    }
}

type NewestCommit = Option<Arc<Notification>>;

/// A role that waits on a debate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The role
    pub role: Role,
    /// When it began to wait; waits that follow each other closely count as one
    pub since: DateTime<Utc>,
    waiters: usize,
}

/// What happened to a debate.
#[derive(Debug)]
pub enum Event {
    /// There is a newer commit
    Commit(Arc<Notification>),
    /// Other roles wait now
    Presence(Vec<Waiting>),
}

/// A debate with subscribers in this process.
#[derive(Debug)]
struct Topic {
    commits: watch::Sender<NewestCommit>,
    presence: watch::Sender<Vec<Waiting>>,
    /// The `seq` up to which all subscribers know the debate; `None` until one of them has read it
    known_seq: Option<u64>,
}

impl Topic {
    fn new() -> Self {
        Self { commits: watch::Sender::new(None), presence: watch::Sender::new(Vec::new()), known_seq: None }
    }
}

/// The subscribers in this process.
#[derive(Debug)]
pub struct Notifier {
    topics: DashMap<DebateId, Topic>,
    all_debates: broadcast::Sender<Arc<Commit>>,
    /// The newest `seq` that was sent to the subscribers of all debates, for recently changed debates
    sent_seqs: Mutex<Cache<DebateId, u64>>,
    ruling_waiters: Arc<RulingWaiters>,
}

impl Default for Notifier {
    fn default() -> Self {
        Self {
            topics: DashMap::new(),
            all_debates: broadcast::Sender::new(ALL_DEBATES_CAPACITY),
            sent_seqs: Mutex::new(Cache::new(SENT_SEQS_CAPACITY)),
            ruling_waiters: Arc::default(),
        }
    }
}

impl Notifier {
    /// Subscribes to a debate. Subscribe before reading the debate from the store, so that no commit is missed.
    pub fn subscribe(self: &Arc<Self>, id: DebateId) -> Subscription {
        let topic = self.topics.entry(id).or_insert_with(Topic::new);
        let (commits, presence) = (topic.commits.subscribe(), topic.presence.subscribe());
        drop(topic);
        Subscription { id, receivers: Some((commits, presence)), notifier: self.clone() }
    }

    /// Subscribes to the commits of all debates. A receiver that lags too far behind gets an error.
    pub fn subscribe_all(&self) -> broadcast::Receiver<Arc<Commit>> {
        self.all_debates.subscribe()
    }

    /// Notifies the subscribers of these commits. Commits that are not newer than what they know are skipped.
    pub fn publish(&self, commits: &[Arc<Commit>]) {
        for commit in commits {
            self.ruling_waiters.publish(&commit.debate);
            let seq = commit.debate.last_seq;
            if let Some(mut topic) = self.topics.get_mut(&commit.debate.id) {
                topic.known_seq = topic.known_seq.max(Some(seq));
                topic.commits.send_if_modified(|newest| {
                    let is_newer = newest.as_ref().is_none_or(|known| known.commit.debate.last_seq < seq);
                    if is_newer {
                        *newest = Some(Arc::new(Notification::new(commit.clone())));
                    }
                    is_newer
                });
            }
            if self.has_list_subscribers() {
                let mut sent_seqs = self.sent_seqs();
                if sent_seqs.get(&commit.debate.id).is_none_or(|sent| *sent < seq) {
                    sent_seqs.insert(commit.debate.id, seq);
                    // Sent while the lock is held, so that all receive the commits in order. It is no error if nobody receives.
                    let _ = self.all_debates.send(commit.clone());
                }
            }
        }
    }

    /// The callers that wait until a ruling is due.
    pub fn ruling_waiters(&self) -> &Arc<RulingWaiters> {
        &self.ruling_waiters
    }

    /// Records that a subscriber has read a debate up to `seq`; 0 if it does not exist.
    pub fn mark_read(&self, id: DebateId, seq: u64) {
        if let Some(mut topic) = self.topics.get_mut(&id) {
            // A later subscriber may have read more, but the others must still be notified of that.
            topic.known_seq = Some(topic.known_seq.map_or(seq, |known| known.min(seq)));
        }
    }

    /// The debates that have subscribers.
    pub fn subscribed_ids(&self) -> Vec<DebateId> {
        self.topics.iter().map(|topic| *topic.key()).collect()
    }

    /// Whether some subscriber of this debate, or of all debates, does not know `seq` yet.
    pub fn is_unknown(&self, id: DebateId, seq: u64) -> bool {
        self.topics.get(&id).is_some_and(|topic| topic.known_seq.is_none_or(|known| known < seq))
            || (self.has_list_subscribers() && self.sent_seqs().get(&id).is_none_or(|sent| *sent < seq))
    }

    /// Whether there are subscribers of all debates.
    pub fn has_list_subscribers(&self) -> bool {
        self.all_debates.receiver_count() > 0
    }

    /// Records that a subscriber of all debates has read these debates.
    pub fn mark_list_read<'d>(&self, debates: impl IntoIterator<Item = &'d Debate>) {
        // What one has read may be news to the others: its notification may still come.
        if self.all_debates.receiver_count() > 1 {
            return;
        }
        let mut sent_seqs = self.sent_seqs();
        for debate in debates {
            if sent_seqs.get(&debate.id).is_none() {
                sent_seqs.insert(debate.id, debate.last_seq);
            }
        }
    }

    fn sent_seqs(&self) -> MutexGuard<'_, Cache<DebateId, u64>> {
        // The cache is consistent even if a thread panicked while it held the lock.
        self.sent_seqs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change_presence(&self, id: DebateId, change: impl FnOnce(&mut Vec<Waiting>) -> bool) {
        if let Some(topic) = self.topics.get(&id) {
            topic.presence.send_if_modified(change);
        }
    }
}

/// A subscription to one debate. The debate's topic is removed with its last subscription.
#[derive(Debug)]
pub struct Subscription {
    id: DebateId,
    /// `None` only while the subscription is dropped
    receivers: Option<(watch::Receiver<NewestCommit>, watch::Receiver<Vec<Waiting>>)>,
    notifier: Arc<Notifier>,
}

impl Subscription {
    /// Waits for a commit that this subscription has not returned yet, and returns the newest one.
    pub async fn next_commit(&mut self) -> Arc<Notification> {
        if let Some((commits, _)) = &mut self.receivers {
            while commits.changed().await.is_ok() {
                let newest = commits.borrow_and_update().clone();
                if let Some(notification) = newest {
                    return notification;
                }
            }
        }
        // Never reached: the sender lives as long as there are subscriptions.
        std::future::pending().await
    }

    /// Waits for a newer commit or a change of presence.
    pub async fn next_event(&mut self) -> Event {
        if let Some((commits, presence)) = &mut self.receivers {
            tokio::select! {
                Ok(()) = commits.changed() => {
                    let newest = commits.borrow_and_update().clone();
                    if let Some(notification) = newest {
                        return Event::Commit(notification);
                    }
                }
                Ok(()) = presence.changed() => return Event::Presence(presence.borrow_and_update().clone()),
            }
        }
        std::future::pending().await
    }

    /// The roles that wait on this debate now.
    pub fn waiting(&mut self) -> Vec<Waiting> {
        self.receivers.as_mut().map(|(_, presence)| presence.borrow_and_update().clone()).unwrap_or_default()
    }

    /// Shows `role` as waiting since `now`, until the returned value is dropped.
    pub fn register_presence(&self, role: Role, now: DateTime<Utc>) -> Presence {
        self.notifier.change_presence(self.id, |waiting| match waiting.iter_mut().find(|one| one.role == role) {
            Some(one) => {
                one.waiters += 1;
                false
            }
            None => {
                waiting.push(Waiting { role, since: now, waiters: 1 });
                true
            }
        });
        Presence { id: self.id, role, notifier: self.notifier.clone(), grace_period: true }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        // Drop the receivers before they are counted; they are counted while the topic is locked.
        self.receivers = None;
        self.notifier.topics.remove_if(&self.id, |_, topic| topic.commits.receiver_count() == 0);
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
    notifier.change_presence(id, |waiting| {
        let Some(index) = waiting.iter().position(|one| one.role == role) else { return false };
        waiting[index].waiters -= 1;
        let was_last = waiting[index].waiters == 0;
        if was_last {
            waiting.remove(index);
        }
        was_last
    });
}
