//! `debate_record`: what a debate decided.

use std::{iter, sync::Arc};

use crate::{
    app::{App, CorrelationId, Error},
    domain::{Argument, DebateId, Record, plan_candidates},
    store::Range,
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

    /// The record of a debate with the arguments that it is of, in `seq` order.
    pub async fn debate_record_with_arguments(&self, id: DebateId) -> Result<(Record, Vec<Arc<Argument>>), Error> {
        let record = self.debate_record(id).await?;
        let range = Range { after: 1, up_to: record.debate.last_seq, newest: None };
        let (motion, arguments) = self.store.motion_and(&record.debate, range).await?;
        Ok((record, iter::once(motion).chain(arguments).collect()))
    }
}
