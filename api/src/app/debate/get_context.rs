//! `debate_get_context`: a debate with its motion and the arguments asked for.

use std::sync::Arc;

use crate::{
    app::{App, Error},
    domain::{Argument, Debate, DebateId},
    store::Range,
};

/// Which arguments besides the motion to give.
#[derive(Debug, Clone, Copy, Default)]
pub struct Page {
    /// The newest so many; all where it is none
    pub limit: Option<u64>,
    /// Only those before this `seq`
    pub before_seq: Option<u64>,
    /// Only those after this `seq`
    pub after_seq: Option<u64>,
}

/// A debate with its motion and some of its other arguments.
#[derive(Debug, Clone)]
pub struct Context {
    /// The debate
    pub debate: Debate,
    /// Its MOTION
    pub motion: Arc<Argument>,
    /// The others, in `seq` order
    pub arguments: Vec<Arc<Argument>>,
}

impl App {
    /// The debate as it was at one moment.
    pub async fn debate_get_context(&self, id: DebateId, page: Page) -> Result<Context, Error> {
        let debate = self.store.debate(id).await?.ok_or(Error::DebateNotFound(id))?;
        self.debate_context_of(debate, page).await
    }

    /// The motion and arguments of a debate as it was when `debate` was read.
    pub async fn debate_context_of(&self, debate: Debate, page: Page) -> Result<Context, Error> {
        // Arguments never change and are only ever added, so those up to `last_seq` are what the row stood for.
        let after = page.after_seq.unwrap_or(0).max(1);
        let up_to = page.before_seq.map_or(debate.last_seq, |before| debate.last_seq.min(before.saturating_sub(1)));
        let wanted = Range { after, up_to, newest: page.limit };
        let (motion, arguments) = self.store.motion_and(&debate, wanted).await?;
        Ok(Context { debate, motion, arguments })
    }
}
