//! Notifies the subscribers in this process of commits, and knows which roles wait on which debate.
//!
//! A notification carries the newest commit, so that a subscriber that has everything before it need not query the store.
//! A subscriber that missed a commit reads it from the store.

mod peer_presence;
mod presence;
mod ruling_wake_ups;

use std::sync::{Arc, OnceLock};

use chrono::{DateTime, Utc};
use quick_cache::unsync::Cache;

use self::{
    peer_presence::PeerPresence,
    presence::{HeldWaits, LAST_WAITED_CAPACITY, merged},
    ruling_wake_ups::RulingWaiters,
};
use crate::{
    domain::{Debate, DebateId, Role, Waiting},
    locks_and_channels::{DashMap, Mutex, MutexGuard, PoisonError, broadcast, watch},
    store::Commit,
};

/// How many changes a subscriber of all debates may lag behind before it loses some.
const ALL_DEBATES_CAPACITY: usize = 1024;

/// For how many debates the version that was sent to the subscribers of all debates is cached.
const SENT_VERSIONS_CAPACITY: usize = 16 * 1024;

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
    /// Who waits, at this server or another
    presence: watch::Sender<Vec<Waiting>>,
    held: Vec<HeldWaits>,
    /// The `seq` up to which all subscribers know the debate; `None` until one of them has read it
    known_seq: Option<u64>,
}

impl Topic {
    fn new(elsewhere: Vec<Waiting>) -> Self {
        let presence = watch::Sender::new(merged(Vec::new(), elsewhere));
        Self { commits: watch::Sender::new(None), presence, held: Vec::new(), known_seq: None }
    }

    fn waiting_here(&self) -> Vec<Waiting> {
        self.held.iter().map(|held| held.waiting).collect()
    }
}

/// The subscribers in this process.
#[derive(Debug)]
pub struct Notifier {
    topics: DashMap<DebateId, Topic>,
    all_debates: broadcast::Sender<Debate>,
    /// The newest version that was sent to the subscribers of all debates, for recently changed debates
    sent_versions: Mutex<Cache<DebateId, (u64, usize)>>,
    ruling_waiters: Arc<RulingWaiters>,
    /// Who waits at other servers. It may be locked while a topic is, but not the other way round.
    peers: Mutex<PeerPresence>,
    /// Changes when somebody begins or ends to wait here, if other servers are told
    presence_changed: watch::Sender<()>,
    last_waited: Mutex<Cache<(DebateId, Role), DateTime<Utc>>>,
}

impl Default for Notifier {
    fn default() -> Self {
        Self {
            topics: DashMap::new(),
            all_debates: broadcast::Sender::new(ALL_DEBATES_CAPACITY),
            sent_versions: Mutex::new(Cache::new(SENT_VERSIONS_CAPACITY)),
            ruling_waiters: Arc::default(),
            peers: Mutex::default(),
            presence_changed: watch::Sender::new(()),
            last_waited: Mutex::new(Cache::new(LAST_WAITED_CAPACITY)),
        }
    }
}

impl Notifier {
    /// Subscribes to a debate. Subscribe before reading the debate from the store, so that no commit is missed.
    pub fn subscribe(self: &Arc<Self>, id: DebateId) -> Subscription {
        let topic = self.topics.entry(id).or_insert_with(|| Topic::new(self.peers().waiting(id)));
        let (commits, presence) = (topic.commits.subscribe(), topic.presence.subscribe());
        drop(topic);
        Subscription { id, receivers: Some((commits, presence)), notifier: self.clone() }
    }

    /// Subscribes to the changes of all debates, without their arguments, which one receiver that lags behind would keep in memory. One
    /// that lags too far behind gets an error.
    pub fn subscribe_all(&self) -> broadcast::Receiver<Debate> {
        self.all_debates.subscribe()
    }

    /// Notifies the subscribers of these commits. Commits that are not newer than what they know are skipped.
    pub fn publish(&self, commits: &[Arc<Commit>]) {
        for commit in commits {
            self.ruling_waiters.publish(&commit.debate);
            let version = commit.debate.version();
            if let Some(mut topic) = self.topics.get_mut(&commit.debate.id) {
                topic.known_seq = topic.known_seq.max(Some(commit.debate.last_seq));
                topic.commits.send_if_modified(|newest| {
                    let is_newer = newest.as_ref().is_none_or(|known| known.commit.debate.version() < version);
                    if is_newer {
                        *newest = Some(Arc::new(Notification::new(commit.clone())));
                    }
                    is_newer
                });
            }
            if self.has_list_subscribers() {
                let mut sent_versions = self.sent_versions();
                if sent_versions.get(&commit.debate.id).is_none_or(|sent| *sent < version) {
                    sent_versions.insert(commit.debate.id, version);
                    // Sent while the lock is held, so that all receive the commits in order. It is no error if nobody receives.
                    let _ = self.all_debates.send(commit.debate.clone());
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
            || (self.has_list_subscribers() && self.sent_versions().get(&id).is_none_or(|(sent, _)| *sent < seq))
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
        let mut sent_versions = self.sent_versions();
        for debate in debates {
            if sent_versions.get(&debate.id).is_none() {
                sent_versions.insert(debate.id, debate.version());
            }
        }
    }

    fn sent_versions(&self) -> MutexGuard<'_, Cache<DebateId, (u64, usize)>> {
        // The cache is consistent even if a thread panicked while it held the lock.
        self.sent_versions.lock().unwrap_or_else(PoisonError::into_inner)
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
}

impl Drop for Subscription {
    fn drop(&mut self) {
        // Drop the receivers before they are counted; they are counted while the topic is locked.
        self.receivers = None;
        self.notifier.topics.remove_if(&self.id, |_, topic| topic.commits.receiver_count() == 0);
    }
}
