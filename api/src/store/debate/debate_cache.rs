//! A cache of debates as this server last wrote or read them, and of their issues as it wrote them.
//!
//! If no other server writes to the database, a cached debate is current and readers get it too: a wait on a recently
//! written debate costs no statement. Otherwise it may be outdated, and only the writer uses it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use quick_cache::{Weighter, sync::Cache};

use super::debate_change::DebateChange;
use crate::domain::{Debate, DebateId, Ledger};

/// After this time readers read from the database again what is cached. What is cached was checked once, but a row may be
/// changed behind the server's back, which would otherwise be hidden for ever.
pub(super) const FRESH_FOR: Duration = Duration::from_secs(300);

/// The most that the cache holds, in bytes.
const CAPACITY: u64 = 8 * 1024 * 1024;

/// The size of a debate without its title, and of an issue without its texts, in bytes.
const BYTES_BESIDES_TITLE: u64 = size_of::<CachedDebate>() as u64;
const BYTES_BESIDES_TEXTS: u64 = 128;

/// The number of debates that the cache allocates room for.
const EXPECTED_DEBATES: usize = 16 * 1024;

/// A cache of debates. The writer inserts what it wrote, and readers what they read while nothing was being written: only
/// then it is certainly the newest state.
#[derive(Debug)]
pub(in crate::store) struct DebateCache {
    debates: Cache<DebateId, CachedDebate, DebateSize>,
    sole_writer: bool,
    batches: Mutex<Batches>,
}

/// What the cache knows of the writer's batches.
#[derive(Debug, Clone, Copy)]
struct Batches {
    /// How many times one began or was settled
    changes: u64,
    /// Whether the last one has ended, and the database has told how
    is_settled: bool,
}

/// A debate, and its issues as of the same argument; none if the last write did not need them.
#[derive(Debug, Clone)]
pub(in crate::store) struct CachedDebate {
    pub debate: Debate,
    pub ledger: Option<Ledger>,
    /// When the database had it
    seen_at: Arc<Mutex<Instant>>,
}

impl CachedDebate {
    fn seen_at(&self) -> MutexGuard<'_, Instant> {
        // Nothing can fail while it is locked.
        self.seen_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, Clone)]
struct DebateSize;

impl Weighter<DebateId, CachedDebate> for DebateSize {
    fn weight(&self, _id: &DebateId, CachedDebate { debate, ledger, .. }: &CachedDebate) -> u64 {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let issues = ledger.iter().flat_map(Ledger::issues);
        let issues = issues.map(|issue| issue.title.len() + text(&issue.location) + text(&issue.note));
        let issues: u64 = issues.map(|texts| BYTES_BESIDES_TEXTS + texts as u64).sum();
        BYTES_BESIDES_TITLE + debate.title.as_str().len() as u64 + issues
    }
}

impl DebateCache {
    /// An empty cache. `sole_writer` says that no other server writes to the database.
    pub fn new(sole_writer: bool) -> Self {
        let debates = Cache::with_weighter(EXPECTED_DEBATES, CAPACITY, DebateSize);
        Self { debates, sole_writer, batches: Mutex::new(Batches { changes: 0, is_settled: true }) }
    }

    /// Whether no other server writes to the database.
    pub fn is_sole_writer(&self) -> bool {
        self.sole_writer
    }

    /// The debate, if the cached one is certainly current and fresh.
    pub fn get_current(&self, id: DebateId) -> Option<CachedDebate> {
        self.get_current_at(id, Instant::now())
    }

    fn get_current_at(&self, id: DebateId, now: Instant) -> Option<CachedDebate> {
        if !self.sole_writer {
            return None;
        }
        self.debates.get(&id).filter(|cached| now.saturating_duration_since(*cached.seen_at()) < FRESH_FOR)
    }

    /// Tells that the writer begins to store a batch.
    pub fn batch_begins(&self) {
        let mut batches = self.batches();
        *batches = Batches { changes: batches.changes + 1, is_settled: false };
    }

    /// Tells that the batch was stored or refused. It is not told of one whose outcome is unknown, which may still be stored:
    /// then nothing that is read is kept until the next one.
    pub fn batch_settled(&self) {
        let mut batches = self.batches();
        *batches = Batches { changes: batches.changes + 1, is_settled: true };
    }

    /// What [`insert_read`](Self::insert_read) has to get from before the debate is read.
    pub fn batch_changes(&self) -> u64 {
        self.batches().changes
    }

    /// Keeps a debate that was read, unless a batch may have been stored since there were `batch_changes`. A cached one that
    /// is the same becomes fresh again.
    pub fn insert_read(&self, debate: &Debate, batch_changes: u64) {
        // Locked to the end, so that no batch begins meanwhile.
        let batches = self.batches();
        if !self.sole_writer || !batches.is_settled || batches.changes != batch_changes {
            return;
        }
        match self.debates.get(&debate.id).filter(|cached| cached.debate == *debate) {
            Some(cached) => *cached.seen_at() = Instant::now(),
            None => self.insert(debate.clone(), None),
        }
    }

    fn batches(&self) -> MutexGuard<'_, Batches> {
        // Nothing can fail while it is locked.
        self.batches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The debate as this server last wrote or read it, which another server may have changed since.
    pub fn get_last_seen(&self, id: DebateId) -> Option<CachedDebate> {
        self.debates.get(&id)
    }

    /// Keeps a debate that was committed, before anybody is told of the commit.
    pub fn insert(&self, debate: Debate, ledger: Option<Ledger>) {
        let seen_at = Arc::new(Mutex::new(Instant::now()));
        self.debates.insert(debate.id, CachedDebate { debate, ledger, seen_at });
    }

    /// Removes debates whose state is unknown after a failed write.
    pub fn invalidate(&self, ids: impl IntoIterator<Item = DebateId>) {
        ids.into_iter().for_each(|id| drop(self.debates.remove(&id)));
    }

    /// Removes debates that are about to be committed: once the commit is visible in the database, no reader may get an
    /// older state from here.
    pub fn invalidate_changed(&self, changes: &[DebateChange]) {
        self.invalidate(changes.iter().map(|change| change.to.id));
    }

    /// Removes debates that are older here than the `last_seq` that another server wrote.
    pub fn invalidate_older(&self, last_seqs: &HashMap<DebateId, u64>) {
        let is_older =
            |id: &DebateId, seq: u64| self.debates.get(id).is_some_and(|cached| cached.debate.last_seq < seq);
        self.invalidate(last_seqs.iter().filter(|(id, seq)| is_older(id, **seq)).map(|(id, _)| *id));
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::{
        domain::{ArgumentId, Title},
        store::tests::new_debate,
    };

    #[test]
    fn a_cached_debate_is_read_again_after_a_while_and_fresh_if_the_database_has_the_same() {
        let (debate, _) = new_debate(1).create(Vec::new(), ArgumentId(uuid::Uuid::nil()), chrono::DateTime::UNIX_EPOCH);
        let cache = DebateCache::new(true);
        cache.insert(debate.clone(), None);
        let later = Instant::now() + FRESH_FOR + Duration::from_secs(1);
        assert!(cache.get_current(debate.id).is_some());
        assert!(cache.get_current_at(debate.id, later).is_none(), "a change of its row is not hidden for ever");
        assert!(cache.get_last_seen(debate.id).is_some());
        *cache.debates.get(&debate.id).unwrap().seen_at() =
            Instant::now().checked_sub(Duration::from_millis(500)).unwrap();
        let seen_at = || *cache.debates.get(&debate.id).unwrap().seen_at();
        let before = seen_at();
        cache.insert_read(&debate, cache.batch_changes());
        assert!(seen_at() > before);
    }

    #[test]
    fn a_debate_that_was_read_while_a_batch_was_stored_is_not_kept() {
        let (debate, _) = new_debate(1).create(Vec::new(), ArgumentId(uuid::Uuid::nil()), chrono::DateTime::UNIX_EPOCH);
        let cache = DebateCache::new(true);
        let before = cache.batch_changes();
        cache.batch_begins();
        let meanwhile = cache.batch_changes();
        cache.insert_read(&debate, before);
        cache.insert_read(&debate, meanwhile);
        assert!(cache.get_last_seen(debate.id).is_none());
        cache.batch_settled();
        cache.insert_read(&debate, before);
        cache.insert_read(&debate, meanwhile);
        assert!(cache.get_last_seen(debate.id).is_none());
        cache.insert_read(&debate, cache.batch_changes());
        assert_eq!(cache.get_current(debate.id).map(|cached| cached.debate), Some(debate.clone()));
        let renamed = Debate { title: Title::parse("Another".into()).unwrap(), ..debate };
        cache.insert_read(&renamed, cache.batch_changes());
        assert_eq!(cache.get_current(renamed.id).map(|cached| cached.debate), Some(renamed));
    }

    #[test]
    fn where_other_servers_write_what_was_read_is_not_kept() {
        let (debate, _) = new_debate(1).create(Vec::new(), ArgumentId(uuid::Uuid::nil()), chrono::DateTime::UNIX_EPOCH);
        let cache = DebateCache::new(false);
        cache.insert_read(&debate, cache.batch_changes());
        assert!(cache.get_last_seen(debate.id).is_none());
    }
}
