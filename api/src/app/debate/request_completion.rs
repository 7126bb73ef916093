//! `debate_request_completion`: the proposer asks the arbitrator to close.

use super::Submitted;
use crate::{
    app::{App, Error},
    domain::{ArgumentId, Content, DebateId, Draft, RequestId, Submission},
    store::DebateWrite,
};

impl App {
    /// Adds a RESOLUTION.
    pub async fn debate_request_completion(
        &self,
        debate_id: DebateId,
        target: ArgumentId,
        content: Content,
        request_id: RequestId,
    ) -> Result<Submitted, Error> {
        let draft = Draft::Resolution { target };
        self.write(DebateWrite::Submit(Submission { debate_id, content, request_id: Some(request_id), draft })).await
    }
}
