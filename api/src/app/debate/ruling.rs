//! `debate_ruling`: the arbitrator decides, and may close.

use super::Submitted;
use crate::{
    app::{App, Arbitrator, Error},
    domain::{Content, DebateId, Draft, RequestId, Submission},
    store::DebateWrite,
};

impl App {
    /// Adds a RULING.
    pub async fn debate_ruling(
        &self,
        _permission: Arbitrator,
        debate_id: DebateId,
        close: bool,
        chosen_option: Option<usize>,
        content: Content,
        request_id: Option<RequestId>,
    ) -> Result<Submitted, Error> {
        let draft = Draft::Ruling { close, chosen_option };
        self.write(DebateWrite::Submit(Submission { debate_id, content, request_id, draft })).await
    }
}
