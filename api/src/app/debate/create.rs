//! `debate_create`: a proposer opens a debate with its MOTION.

use super::Submitted;
use crate::{
    app::{App, Error},
    domain::NewDebate,
    store::DebateWrite,
};

impl App {
    /// Opens a debate.
    pub async fn debate_create(&self, new: NewDebate) -> Result<Submitted, Error> {
        self.write(DebateWrite::Create(new)).await
    }
}
