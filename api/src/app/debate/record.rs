//! `debate_record`: what a debate decided.

use crate::{
    app::{App, CorrelationId, Error},
    domain::{DebateId, Record, plan_candidates},
};

impl App {
    /// The record of a debate.
    pub async fn debate_record(&self, id: DebateId) -> Result<Record, Error> {
        let (debate, issues) = self.store.debate_and_issues(id).await?.ok_or(Error::DebateNotFound(id))?;
        // Arguments are only ever added, so those up to `last_seq` are consistent with the debate without a transaction.
        let entries = self.store.record_entries(&debate).await?;
        let versions = self.store.cited_versions(plan_candidates(&entries)).await?;
        Record::of(debate, issues, entries, &versions).map_err(|fault| {
            let request_id = CorrelationId::current();
            tracing::error!(debate = %id, %fault, request_id, "the database has an inconsistent history");
            Error::Internal
        })
    }
}
