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

    /// Adds an argument of one of the sides: a CLAIM, an APPEAL or a RESOLUTION.
    pub async fn debate_submit(&self, argument: Submission) -> Result<DebateWritten, Error> {
        Ok(self.store.write_debate(DebateWrite::Submit(argument)).await?)
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

    /// What a RULING would lead to. Nothing is stored, told or audited.
    pub async fn debate_ruling_preview(&self, _: Arbitrator, ruling: Submission) -> Result<DebateWritten, Error> {
        Ok(self.store.preview(ruling).await?)
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
