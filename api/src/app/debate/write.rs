//! The use cases that write to a debate.

use crate::{
    app::{App, Arbitrator, CorrelationId, Error, audit},
    domain::{NewDebate, Submission},
    store::{DebateWrite, DebateWritten},
};

impl App {
    /// Creates a debate with its MOTION.
    pub async fn debate_create(&self, new: NewDebate) -> Result<DebateWritten, Error> {
        Ok(self.store.write_debate(DebateWrite::Create(new)).await?)
    }

    /// Adds a CLAIM of either side.
    pub async fn debate_submit(&self, claim: Submission) -> Result<DebateWritten, Error> {
        Ok(self.store.write_debate(DebateWrite::Submit(claim)).await?)
    }

    /// Adds an APPEAL of the proposer.
    pub async fn debate_appeal(&self, appeal: Submission) -> Result<DebateWritten, Error> {
        Ok(self.store.write_debate(DebateWrite::Submit(appeal)).await?)
    }

    /// Adds a RESOLUTION of the proposer.
    pub async fn debate_request_completion(&self, resolution: Submission) -> Result<DebateWritten, Error> {
        Ok(self.store.write_debate(DebateWrite::Submit(resolution)).await?)
    }

    /// Adds a RULING, which may close the debate.
    pub async fn debate_ruling(
        &self,
        _: Arbitrator,
        ruling: Submission,
        request: &CorrelationId,
    ) -> Result<DebateWritten, Error> {
        self.submit_audited(ruling, request).await
    }

    /// Adds an INTERVENTION.
    pub async fn debate_intervention(
        &self,
        _: Arbitrator,
        intervention: Submission,
        request: &CorrelationId,
    ) -> Result<DebateWritten, Error> {
        self.submit_audited(intervention, request).await
    }

    async fn submit_audited(&self, submission: Submission, request: &CorrelationId) -> Result<DebateWritten, Error> {
        let (store, logged) = (self.store.clone(), request.clone());
        self.audited(request, async move {
            let written = store.write_debate(DebateWrite::Submit(submission)).await?;
            audit::argument(&written, &logged);
            Ok(written)
        })
        .await
    }
}
