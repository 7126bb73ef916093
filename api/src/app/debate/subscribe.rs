//! Subscribing to a debate, so that a client receives all its new arguments in order and without a gap.

use std::sync::Arc;

use crate::{
    app::{App, ArgumentFilter, Error, notifier::Subscription},
    domain::{Argument, Debate, DebateId},
    store::{Commit, Range},
};

impl App {
    /// Subscribes to a debate and reads it.
    pub async fn debate_subscribe(&self, id: DebateId) -> Result<(Subscription, Debate), Error> {
        // Subscribe before reading, so that no commit in between is lost.
        let subscription = self.notifier.subscribe(id);
        let debate = self.store.debate(id).await?.ok_or(Error::DebateNotFound(id))?;
        self.notifier.mark_read(id, debate.last_seq);
        Ok((subscription, debate))
    }

    /// Reads the MOTION, and the other arguments that match `filter` in `seq` order, of a debate that was read before.
    pub async fn debate_arguments(
        &self,
        debate: &Debate,
        filter: ArgumentFilter,
    ) -> Result<(Arc<Argument>, Vec<Arc<Argument>>), Error> {
        Ok(self.store.motion_and(debate, filter.range(debate)).await?)
    }

    /// Brings `debate` up to date with `commit` and returns the arguments that were added; empty if `commit` is not newer.
    pub async fn debate_catch_up(&self, debate: &mut Debate, commit: &Commit) -> Result<Vec<Arc<Argument>>, Error> {
        let (last_seq, newest) = (debate.last_seq, commit.debate.last_seq);
        if newest <= last_seq {
            return Ok(Vec::new());
        }
        let added = if newest == last_seq + 1 {
            vec![commit.argument.clone()]
        } else {
            // A notification was missed: the commit has only the newest argument.
            self.store.arguments(debate.id, Range { after: last_seq, up_to: newest, newest: None }).await?
        };
        *debate = commit.debate.clone();
        Ok(added)
    }
}
