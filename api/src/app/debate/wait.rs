//! `debate_wait`: holds the caller until there is something for it to know (SPEC section 5).

use std::{mem, sync::Arc, time::Duration};

use tokio::time::{Instant, timeout_at};

use crate::{
    app::{App, Error, debate::Follower},
    domain::{Action, Argument, ArgumentId, DebateId, Hash, Role, StateName, action_for},
    store::Range,
};

/// Who waits for what.
#[derive(Debug, Clone, Copy)]
pub struct WaitQuery {
    /// The debate
    pub debate_id: DebateId,
    /// The last argument that the caller has seen; none when joining
    pub seen: Option<ArgumentId>,
    /// Who waits
    pub role: Role,
    /// How long to hold at most
    pub timeout: Duration,
}

/// What a waiter is told.
#[derive(Debug, Clone)]
pub struct Waited {
    /// The debate
    pub debate_id: DebateId,
    /// The `seq` of what the caller had seen; 0 for none
    pub last_seen_seq: u64,
    /// The hash of what the caller had seen, as it is now; none for none
    pub last_seen_hash: Option<Hash>,
    /// The `seq` of the debate's newest argument
    pub last_seq: u64,
    /// The hash of the debate's newest argument
    pub head: Hash,
    /// Where the debate stands
    pub state: StateName,
    /// What the caller is to do next
    pub action: Action,
    /// What there is to know; none where nothing came in time
    pub news: Option<News>,
}

/// What there is to know.
#[derive(Debug, Clone)]
pub struct News {
    /// Whether `argument` comes after what the caller had seen
    pub is_new: bool,
    /// The newest that the caller has to know
    pub argument: Arc<Argument>,
    /// The others that it has not seen, in order; for one who joins always none
    pub earlier: Vec<Arc<Argument>>,
    /// The debate's newest argument, whoever wrote it
    pub newest_id: ArgumentId,
}

impl App {
    /// Holds the caller until there is news, the time is over, or the server stops.
    pub async fn debate_wait(&self, query: WaitQuery) -> Result<Waited, Error> {
        let deadline = Instant::now() + query.timeout;
        // What asks the store is in boxes, which are gone while the caller is held.
        let mut watcher = Box::pin(self.watcher(query)).await?;
        if let Some(news) = Box::pin(self.news(&mut watcher)).await? {
            return Ok(watcher.answer(Some(news)));
        }
        let _held = self.held_waits.try_acquire().map_err(|_| Error::Overloaded)?;
        let presence = watcher.follower.wait_as(query.role, (self.now)());
        loop {
            let woken = tokio::select! {
                woken = timeout_at(deadline, watcher.follower.news()) => woken.ok(),
                () = self.stopping.cancelled() => None,
            };
            let Some(wakeup) = woken else { return Ok(watcher.answer(None)) };
            let added = Box::pin(self.debate_catch_up(&mut watcher.follower, &wakeup.commit)).await?;
            watcher.see(added);
            if let Some(news) = Box::pin(self.news(&mut watcher)).await? {
                presence.end();
                return Ok(watcher.answer(Some(news)));
            }
        }
    }

    async fn watcher(&self, query: WaitQuery) -> Result<Watcher, Error> {
        let id = query.debate_id;
        let follower = self.debate_follow(id).await?;
        let debate = follower.debate();
        let (seen_seq, seen_hash) = match query.seen {
            None => (0, None),
            Some(seen) if seen == debate.last_argument_id => (debate.last_seq, Some(debate.head)),
            Some(seen) => {
                let (seq, hash) = self.store.seq_of(id, seen).await?.ok_or_else(|| {
                    Error::invalid("argument_id", format!("is {seen}, which is no argument of this debate"))
                })?;
                (seq, Some(hash))
            }
        };
        let unseen = match query.seen {
            None => self.store.newest_not_by(debate, query.role).await?.into_iter().collect(),
            Some(_) => {
                let range = Range { after: seen_seq, up_to: debate.last_seq, newest: None };
                self.store.arguments(id, range).await?
            }
        };
        let joining = query.seen.is_none();
        let mut watcher = Watcher { role: query.role, joining, seen_seq, seen_hash, unseen: Vec::new(), follower };
        watcher.see(unseen);
        Ok(watcher)
    }

    /// What the caller is to be told now, if anything.
    async fn news(&self, watcher: &mut Watcher) -> Result<Option<News>, Error> {
        let action = watcher.action();
        let due = action == Action::DebateClosed || action == Action::Rule;
        if !due && (watcher.role == Role::Arbitrator || watcher.unseen.is_empty()) {
            return Ok(None);
        }
        let newest_id = watcher.follower.debate().last_argument_id;
        let mut earlier = mem::take(&mut watcher.unseen);
        let argument = match earlier.pop() {
            Some(argument) if !due || argument.id == newest_id => argument,
            older => {
                earlier.extend(older);
                self.store.newest(watcher.follower.debate()).await?
            }
        };
        if watcher.joining {
            earlier.clear();
        }
        Ok(Some(News { is_new: argument.seq > watcher.seen_seq, argument, earlier, newest_id }))
    }
}

/// What one waiter knows of its debate.
struct Watcher {
    role: Role,
    joining: bool,
    seen_seq: u64,
    seen_hash: Option<Hash>,
    /// What others wrote after `seen_seq`, in order; for one who joins at least the newest of it
    unseen: Vec<Arc<Argument>>,
    /// How far everything was looked at
    follower: Follower,
}

impl Watcher {
    fn see(&mut self, arguments: Vec<Arc<Argument>>) {
        let role = self.role;
        self.unseen.extend(arguments.into_iter().filter(|argument| argument.role() != role));
    }

    fn action(&self) -> Action {
        action_for(&self.follower.debate().state, self.role)
    }

    fn answer(&self, news: Option<News>) -> Waited {
        Waited {
            debate_id: self.follower.debate().id,
            last_seen_seq: self.seen_seq,
            last_seen_hash: self.seen_hash,
            last_seq: self.follower.debate().last_seq,
            head: self.follower.debate().head,
            state: self.follower.debate().state.name(),
            action: self.action(),
            news,
        }
    }
}
