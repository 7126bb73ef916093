//! `debate_record`: what a debate decided.

use std::{iter, sync::Arc};

use crate::{
    app::{App, CorrelationId, Error},
    domain::{Argument, DebateId, Record},
    store::Range,
};

impl App {
    /// The record of a debate.
    pub async fn debate_record(&self, id: DebateId) -> Result<Record, Error> {
        let (debate, ledger) = self.store.debate_and_issues(id).await?.ok_or(Error::DebateNotFound(id))?;
        // Arguments are only ever added, so those up to `last_seq` are consistent with the debate without a transaction.
        let entries = self.store.record_entries(&debate).await?;
        let summary = match debate.plan() {
            Some(plan) => self.store.summary_of(plan.citation.cited()).await?,
            None => None,
        };
        Record::of(debate, &ledger, entries, summary).map_err(|fault| {
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
