//! `debate_get_context`: a debate with its MOTION and other arguments.

use std::sync::Arc;

use crate::{
    app::{App, Error},
    domain::{Argument, Debate, DebateId, Ledger},
    store::Range,
};

/// Which arguments to return besides the MOTION.
#[derive(Debug, Clone, Copy, Default)]
pub struct ArgumentFilter {
    /// Only the newest ones, at most this many; `None` for all
    pub limit: Option<u64>,
    /// Only arguments before this `seq`
    pub before_seq: Option<u64>,
    /// Only arguments after this `seq`
    pub after_seq: Option<u64>,
}

impl ArgumentFilter {
    /// The range of the debate's arguments that match, without the MOTION.
    pub(super) fn range(&self, debate: &Debate) -> Range {
        let after = self.after_seq.unwrap_or(0).max(1);
        let up_to = self.before_seq.map_or(debate.last_seq, |before| debate.last_seq.min(before.saturating_sub(1)));
        Range { after, up_to, newest: self.limit }
    }
}

/// A debate with its MOTION and other arguments.
#[derive(Debug, Clone)]
pub struct DebateContext {
    /// The debate
    pub debate: Debate,
    /// The MOTION
    pub motion: Arc<Argument>,
    /// The other arguments that match the filter, in `seq` order
    pub arguments: Vec<Arc<Argument>>,
    /// How many arguments the limit left out
    pub omitted: u64,
    /// The RULINGs among the omitted arguments, in `seq` order
    pub earlier_rulings: Vec<Arc<Argument>>,
    /// All issues
    pub ledger: Ledger,
}

impl App {
    /// Reads a debate with its MOTION and the arguments that match `filter`.
    pub async fn debate_get_context(&self, id: DebateId, filter: ArgumentFilter) -> Result<DebateContext, Error> {
        let (debate, ledger) = self.store.debate_and_issues(id).await?.ok_or(Error::DebateNotFound(id))?;
        let range = filter.range(&debate);
        let Range { after, up_to, .. } = range;
        // Arguments are only ever added, so those up to `last_seq` are consistent with the debate without a transaction.
        let (motion, arguments) = self.store.motion_and(&debate, range).await?;
        let omitted = up_to.saturating_sub(after).saturating_sub(arguments.len() as u64);
        let earlier_rulings = match omitted {
            0 => Vec::new(),
            omitted => {
                let up_to = after + omitted;
                self.store.rulings(&debate, Range { up_to, newest: None, ..range }).await?
            }
        };
        Ok(DebateContext { debate, motion, arguments, omitted, earlier_rulings, ledger })
    }
}
