//! `debate_wait`: waits until there is an argument that the caller has not seen, or something for the caller to do.

use std::{mem, sync::Arc, time::Duration};

use tokio::time::{Instant, timeout_at};

use crate::{
    app::{App, Error, notifier::Subscription},
    domain::{Action, Argument, ArgumentId, Debate, DebateId, Hash, Ledger, Role, Turn, Waiting, action_for},
    store::Range,
};

/// Who waits, and for what.
#[derive(Debug, Clone, Copy)]
pub struct WaitQuery {
    /// The debate to wait on
    pub debate_id: DebateId,
    /// The last argument that the caller has seen; `None` if it has seen none
    pub last_seen: Option<ArgumentId>,
    /// The caller's role
    pub role: Role,
    /// How long to wait at most
    pub timeout: Duration,
    /// Whether to wait until the debate is opened, if it does not exist
    pub until_opened: bool,
}

/// The result of a wait.
#[derive(Debug, Clone)]
pub struct WaitOutcome {
    /// The debate
    pub debate: Debate,
    /// The `seq` of the last argument that the caller had seen; 0 for none
    pub last_seen_seq: u64,
    /// The stored hash of the last argument that the caller had seen; `None` for none
    pub last_seen_hash: Option<Hash>,
    /// What the caller should and may do now
    pub turn: Turn,
    /// Only if the wait timed out: the other roles that wait on the debate now
    pub waiting: Option<Vec<Waiting>>,
    /// The arguments for the caller; `None` if the wait timed out
    pub arguments: Option<NewArguments>,
}

/// The arguments that end a wait.
#[derive(Debug, Clone)]
pub struct NewArguments {
    /// Whether `argument` is newer than the last one that the caller had seen
    pub is_new: bool,
    /// The newest argument by somebody else; the debate's newest if it is closed or a ruling is due
    pub argument: Arc<Argument>,
    /// The other unseen arguments by somebody else, in `seq` order; empty if the caller had seen none
    pub earlier: Vec<Arc<Argument>>,
    /// The debate's newest argument by anybody
    pub newest_id: ArgumentId,
    /// The issues, if any is not settled
    pub ledger: Ledger,
}

impl App {
    /// Waits until there are arguments for the caller, the timeout is over or the server stops.
    pub async fn debate_wait(&self, query: WaitQuery) -> Result<WaitOutcome, Error> {
        let timeout = query.timeout;
        let deadline = Instant::now() + timeout;
        // Futures that query the store are boxed, so that their memory is freed while the caller waits.
        let (subscription, debate, permit) = if query.until_opened {
            self.debate_subscribe_until_opened(query.debate_id, timeout, deadline).await?
        } else {
            let (subscription, debate) = Box::pin(self.debate_subscribe(query.debate_id)).await?;
            (subscription, debate, None)
        };
        self.notifier.record_wait(query.debate_id, query.role, (self.now)());
        let mut waiter = Box::pin(self.waiter(query, subscription, debate)).await?;
        if let Some(arguments) = Box::pin(self.new_arguments(&mut waiter)).await? {
            return Ok(waiter.outcome(Some(arguments)));
        }
        let _permit = match permit {
            Some(permit) => Some(permit),
            None => self.hold_wait(timeout)?,
        };
        let presence = waiter.subscription.register_presence(query.role, (self.now)());
        let _recorded = RecordedWait { app: self, id: query.debate_id, role: query.role };
        loop {
            let notification = tokio::select! {
                notification = timeout_at(deadline, waiter.subscription.next_commit()) => notification.ok(),
                () = self.stopping.cancelled() => None,
            };
            let Some(notification) = notification else {
                let arguments = Box::pin(self.arguments_at_the_end(&mut waiter)).await?;
                return Ok(waiter.outcome(arguments));
            };
            let added = Box::pin(self.debate_catch_up(&mut waiter.debate, &notification.commit)).await?;
            if !added.is_empty() {
                waiter.ledger = Some(notification.commit.ledger.clone());
            }
            waiter.add_unseen(added);
            if let Some(arguments) = Box::pin(self.new_arguments(&mut waiter)).await? {
                presence.end_now();
                return Ok(waiter.outcome(Some(arguments)));
            }
        }
    }

    async fn waiter(&self, query: WaitQuery, subscription: Subscription, debate: Debate) -> Result<Waiter, Error> {
        let WaitQuery { debate_id, last_seen, role, .. } = query;
        let (last_seen_seq, last_seen_hash) = match last_seen {
            None => (0, None),
            Some(id) if id == debate.last_argument_id => (debate.last_seq, Some(debate.head)),
            Some(id) => {
                let (seq, hash) = self.store.seq_of(debate_id, id).await?.ok_or_else(|| {
                    Error::invalid("argument_id", format!("is {id}, which is not an argument of this debate"))
                })?;
                (seq, Some(hash))
            }
        };
        let unseen = match last_seen {
            None => self.store.newest_not_by(&debate, role).await?.into_iter().collect(),
            Some(_) => {
                let range = Range { after: last_seen_seq, up_to: debate.last_seq, newest: None };
                self.store.arguments(&debate, range).await?
            }
        };
        let unseen_by_role = Vec::new();
        let mut waiter =
            Waiter { subscription, debate, ledger: None, role, last_seen_seq, last_seen_hash, unseen: unseen_by_role };
        waiter.add_unseen(unseen);
        Ok(waiter)
    }

    /// The arguments that end the wait now, if any do.
    async fn new_arguments(&self, waiter: &mut Waiter) -> Result<Option<NewArguments>, Error> {
        let (is_due, ledger) = loop {
            let action = waiter.action();
            let is_due = action == Action::DebateClosed || action == Action::Rule;
            if !is_due && (waiter.role == Role::Arbitrator || waiter.unseen.is_empty()) {
                return Ok(None);
            }
            match waiter.ledger() {
                Some(ledger) => break (is_due, ledger),
                None => self.read_issues(waiter).await?,
            }
        };
        let newest_id = waiter.debate.last_argument_id;
        let mut earlier = mem::take(&mut waiter.unseen);
        let argument = match earlier.pop() {
            Some(argument) if !is_due || argument.id == newest_id => argument,
            older => {
                earlier.extend(older);
                self.store.newest(&waiter.debate).await?
            }
        };
        if waiter.last_seen_seq == 0 {
            earlier.clear();
        }
        Ok(Some(NewArguments { is_new: argument.seq > waiter.last_seen_seq, argument, earlier, newest_id, ledger }))
    }

    /// The arguments that came while the issues were read that a wait without arguments needs for its answer, if it needs
    /// them: for what fits now in the caller's own turn.
    async fn arguments_at_the_end(&self, waiter: &mut Waiter) -> Result<Option<NewArguments>, Error> {
        let has_moves = !waiter.debate.turn(waiter.role, &Ledger::default()).moves.is_empty();
        if !has_moves || waiter.ledger().is_some() {
            return Ok(None);
        }
        self.read_issues(waiter).await?;
        self.new_arguments(waiter).await
    }

    /// Reads the issues. An argument that was added meanwhile is taken in: the answer is of one moment, the issues' one.
    async fn read_issues(&self, waiter: &mut Waiter) -> Result<(), Error> {
        let id = waiter.debate.id;
        let (debate, ledger) = self.store.debate_and_issues(id).await?.ok_or(Error::DebateNotFound(id))?;
        if debate.last_seq > waiter.debate.last_seq {
            let range = Range { after: waiter.debate.last_seq, up_to: debate.last_seq, newest: None };
            waiter.add_unseen(self.store.arguments(&debate, range).await?);
            waiter.debate = debate;
        }
        waiter.ledger = Some(ledger);
        Ok(())
    }
}

/// Records when a held wait ends, also if the client has gone.
struct RecordedWait<'a> {
    app: &'a App,
    id: DebateId,
    role: Role,
}

impl Drop for RecordedWait<'_> {
    fn drop(&mut self) {
        self.app.notifier.record_wait(self.id, self.role, (self.app.now)());
    }
}

/// A caller that waits on a debate.
struct Waiter {
    subscription: Subscription,
    /// The debate as of the newest argument that was looked at
    debate: Debate,
    /// Its issues, if they were read
    ledger: Option<Ledger>,
    role: Role,
    /// 0 if the caller has seen no argument
    last_seen_seq: u64,
    last_seen_hash: Option<Hash>,
    /// The arguments by others after `last_seen_seq`, in order; only the newest one if the caller has seen none
    unseen: Vec<Arc<Argument>>,
}

impl Waiter {
    fn add_unseen(&mut self, arguments: Vec<Arc<Argument>>) {
        let role = self.role;
        self.unseen.extend(arguments.into_iter().filter(|argument| argument.role() != role));
    }

    /// The issues, if they were read or none is unsettled.
    fn ledger(&self) -> Option<Ledger> {
        let none_unsettled = self.debate.issue_counts.unsettled() == 0;
        self.ledger.clone().or_else(|| none_unsettled.then(Ledger::default))
    }

    fn action(&self) -> Action {
        action_for(&self.debate.state, self.role)
    }

    fn outcome(&mut self, arguments: Option<NewArguments>) -> WaitOutcome {
        let waiting = match arguments {
            Some(_) => None,
            None => {
                let mut waiting = self.subscription.waiting();
                waiting.retain(|one| one.role != self.role);
                Some(waiting)
            }
        };
        WaitOutcome {
            debate: self.debate.clone(),
            last_seen_seq: self.last_seen_seq,
            last_seen_hash: self.last_seen_hash,
            turn: self.debate.turn(self.role, &self.ledger().unwrap_or_default()),
            waiting,
            arguments,
        }
    }
}
