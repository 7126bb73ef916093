//! `debate_record`: what a debate decided.

use std::{iter, sync::Arc};

use crate::{
    app::{App, Error},
    domain::{Argument, DebateId, Record},
    store::{Range, VerifiedHistory},
};

impl App {
    /// The record of a debate, which is checked as a whole first.
    pub async fn debate_record(&self, id: DebateId) -> Result<Record, Error> {
        let VerifiedHistory { debate, ledger, entries } =
            self.store.verified_history(id).await?.ok_or(Error::DebateNotFound(id))?;
        let summary = match debate.plan() {
            Some(plan) => {
                let summary = self.store.summary_of(plan.citation.cited()).await;
                summary.map_err(|error| Error::of_record(id, error))?
            }
            None => None,
        };
        Ok(Record::of(debate, &ledger, entries, summary))
    }

    /// The record of a debate with the arguments that it is of, in `seq` order.
    pub async fn debate_record_with_arguments(&self, id: DebateId) -> Result<(Record, Vec<Arc<Argument>>), Error> {
        let record = self.debate_record(id).await?;
        let range = Range { after: 1, up_to: record.debate.last_seq, newest: None };
        let (motion, arguments) = self.store.motion_and(&record.debate, range).await?;
        Ok((record, iter::once(motion).chain(arguments).collect()))
    }
}
