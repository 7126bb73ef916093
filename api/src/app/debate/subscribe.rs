//! Subscribing to a debate, so that a client receives all its new arguments in order and without a gap.

use std::sync::Arc;

use crate::{
    app::{App, ArgumentFilter, Error, notifier::Subscription},
    domain::{Argument, Debate, DebateId, Issue, Ledger},
    store::{Commit, Range},
};

/// A debate as a new viewer gets it.
#[derive(Debug, Clone)]
pub struct DebateView {
    /// The debate
    pub debate: Debate,
    /// The MOTION
    pub motion: Arc<Argument>,
    /// The other arguments that match the filter, in `seq` order
    pub arguments: Vec<Arc<Argument>>,
    /// All issues
    pub ledger: Ledger,
}

/// How many missed arguments are read at once.
const MISSED_PAGE_SIZE: u64 = 8;

/// An argument that a subscriber missed, and the issues that it changed.
pub type MissedArgument = (Arc<Argument>, Vec<Arc<Issue>>);

impl App {
    /// Subscribes to a debate and reads it.
    pub async fn debate_subscribe(&self, id: DebateId) -> Result<(Subscription, Debate), Error> {
        // Subscribe before reading, so that no commit in between is lost.
        let subscription = self.notifier.subscribe(id);
        let debate = self.store.debate(id).await?.ok_or(Error::DebateNotFound(id))?;
        self.notifier.mark_read(id, debate.last_seq);
        Ok((subscription, debate))
    }

    /// Reads a debate for a viewer.
    pub async fn debate_view(&self, id: DebateId, filter: ArgumentFilter) -> Result<DebateView, Error> {
        let (debate, ledger) = self.store.debate_and_issues(id).await?.ok_or(Error::DebateNotFound(id))?;
        let (motion, arguments) = self.store.motion_and(&debate, filter.range(&debate)).await?;
        Ok(DebateView { debate, motion, arguments, ledger })
    }

    /// The next arguments after one that a subscriber missed, a few at once, each with the issues that it changed, as they are now.
    pub async fn debate_missed_arguments(&self, debate: &Debate, after: u64) -> Result<Vec<MissedArgument>, Error> {
        let up_to = debate.last_seq.min(after + MISSED_PAGE_SIZE);
        let missed = self.store.arguments(debate, Range { after, up_to, newest: None }).await?;
        let ledger = match missed.iter().all(|argument| argument.changed_issues.is_empty()) {
            true => Ledger::default(),
            false => self.store.issues(debate.id).await?,
        };
        let changed = |argument: &Argument| ledger.changed_by(argument).cloned().collect();
        Ok(missed.into_iter().map(|argument| (argument.clone(), changed(&argument))).collect())
    }

    /// Brings `debate` up to date with `commit` and returns the arguments that were added; empty if `commit` is not newer, or if it
    /// only freed a seat.
    pub async fn debate_catch_up(&self, debate: &mut Debate, commit: &Commit) -> Result<Vec<Arc<Argument>>, Error> {
        let (last_seq, newest) = (debate.last_seq, commit.debate.last_seq);
        if commit.debate.version() <= debate.version() {
            return Ok(Vec::new());
        }
        let added = if newest == last_seq {
            Vec::new()
        } else if newest == last_seq + 1 {
            vec![commit.argument.clone()]
        } else {
            // A notification was missed: the commit has only the newest argument.
            self.store.arguments(&commit.debate, Range { after: last_seq, up_to: newest, newest: None }).await?
        };
        *debate = commit.debate.clone();
        Ok(added)
    }
}
