//! The use cases of debates; file, operation id and command have the same name.

mod appeal;
mod create;
mod follow;
mod get_context;
mod intervention;
mod list;
mod request_completion;
mod ruling;
mod submit;
mod wait;

pub use follow::Follower;
pub use get_context::{Context, Page};
pub use list::ListQuery;
pub use wait::{News, WaitQuery, Waited};

use std::sync::Arc;

use super::{App, Error};
use crate::{
    domain::{Argument, Debate, Hash},
    store::DebateWrite,
};

/// What became of a write.
#[derive(Debug, Clone)]
pub struct Submitted {
    /// The debate as it is now
    pub debate: Debate,
    /// The argument that was stored, now or by the same request before
    pub argument: Arc<Argument>,
    /// Whether it had been stored before
    pub replayed: bool,
    /// The hash before the argument, where it was stored now and is not the MOTION
    pub previous: Option<Hash>,
}

impl App {
    async fn write(&self, write: DebateWrite) -> Result<Submitted, Error> {
        let written = self.store.write_debate(write).await?;
        Ok(Submitted {
            debate: written.debate,
            argument: written.argument,
            replayed: written.replayed,
            previous: written.previous_hash,
        })
    }
}
