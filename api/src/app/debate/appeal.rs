//! `debate_appeal`: the proposer asks the arbitrator to decide.

use super::Submitted;
use crate::{
    app::{App, Error},
    domain::{AppealOption, ArgumentId, Content, DebateId, Draft, RequestId, Submission, with_free_form},
    store::DebateWrite,
};

impl App {
    /// Adds an APPEAL.
    pub async fn debate_appeal(
        &self,
        debate_id: DebateId,
        target: ArgumentId,
        options: Vec<AppealOption>,
        content: Content,
        request_id: RequestId,
    ) -> Result<Submitted, Error> {
        let draft = Draft::Appeal { target, options: with_free_form(options) };
        self.write(DebateWrite::Submit(Submission { debate_id, content, request_id: Some(request_id), draft })).await
    }
}
