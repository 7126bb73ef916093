//! `debate_submit`: either side answers with a CLAIM.

use super::Submitted;
use crate::{
    app::{App, Error},
    domain::{ArgumentId, Content, DebateId, Draft, RequestId, Side, Submission},
    store::DebateWrite,
};

impl App {
    /// Adds a CLAIM.
    pub async fn debate_submit(
        &self,
        debate_id: DebateId,
        by: Side,
        target: ArgumentId,
        content: Content,
        request_id: RequestId,
    ) -> Result<Submitted, Error> {
        let draft = Draft::Claim { by, target };
        self.write(DebateWrite::Submit(Submission { debate_id, content, request_id: Some(request_id), draft })).await
    }
}
