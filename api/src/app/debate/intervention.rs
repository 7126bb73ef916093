//! `debate_intervention`: the arbitrator steps in.

use super::Submitted;
use crate::{
    app::{App, Arbitrator, Error},
    domain::{Content, DebateId, Draft, RequestId, Submission},
    store::DebateWrite,
};

impl App {
    /// Adds an INTERVENTION.
    pub async fn debate_intervention(
        &self,
        _permission: Arbitrator,
        debate_id: DebateId,
        content: Content,
        request_id: Option<RequestId>,
    ) -> Result<Submitted, Error> {
        self.write(DebateWrite::Submit(Submission { debate_id, content, request_id, draft: Draft::Intervention })).await
    }
}
