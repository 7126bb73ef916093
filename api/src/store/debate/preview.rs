//! What a write to a debate would lead to. It is decided as the writer decides it, and nothing is stored.

use std::sync::Arc;

use chrono::SubsecRound;
use entity::argument;
use sea_orm::{ColumnTrait, QueryFilter};

use super::select::{ArgumentRow, find_arguments};
use crate::{
    domain::{Argument, ArgumentId, AtStoring, Citations, DebateId, RequestId, Submission, cited_versions},
    store::{DebateWritten, STORED_DIGITS, Store, StoreError, WriteError, document::hashes},
};

impl Store {
    /// What storing an argument that answers no other one would lead to; or, if its request was stored, what that is now.
    ///
    /// # Errors
    /// As if it were to be stored.
    pub async fn preview(&self, submission: Submission) -> Result<DebateWritten, WriteError> {
        let id = submission.debate_id;
        if let Some(fault) = self.caches.faulty.get(id) {
            return Err(StoreError::from(fault).into());
        }
        // Read first, so that a request that is stored meanwhile is at most refused by what the debate is like then.
        let stored = match &submission.request_id {
            Some(request) => self.find_by_request_id(id, request).await?,
            None => None,
        };
        let (debate, mut ledger) = self.debate_and_issues(id).await?.ok_or(WriteError::DebateNotFound(id))?;
        submission.check_seat(&debate)?;
        if let Some(row) = stored {
            let argument = self.checked(&debate, vec![row]).await?.pop().ok_or(WriteError::DebateNotFound(id))?;
            let appeal = match &argument.chosen {
                Some(chosen) if submission.takes_changes_of_option() => {
                    Some(self.argument_at(&debate, chosen.seq).await?)
                }
                Some(_) | None => None,
            };
            let options = appeal.as_deref().map_or(&[][..], Argument::options);
            if let (Some(request), false) =
                (&submission.request_id, submission.is_repeated_by(&debate, &argument, options))
            {
                return Err(WriteError::IdempotencyConflict(request.clone()));
            }
            let unknown_citations = self.citations(argument.content.as_str()).await?.unknown;
            return Ok(DebateWritten {
                debate,
                argument,
                replayed: true,
                previous_hash: None,
                ledger,
                unknown_citations,
                unseen_citations: None,
            });
        }
        let Citations { known, unknown } = self.citations(submission.content.as_str()).await?;
        let newest = if submission.needs_options() { Some(self.newest(&debate).await?) } else { None };
        let at_storing = AtStoring {
            id: ArgumentId((self.clock_and_ids.new_id)()),
            now: (self.clock_and_ids.now)().trunc_subsecs(STORED_DIGITS),
            citations: known,
            options: newest.as_deref().map_or(&[], Argument::options),
            // It previews what answers no other argument, with which no plan comes.
            plan: Ok(()),
        };
        let (after, argument) =
            debate.submit(submission, &mut ledger, |_| None, at_storing).map_err(WriteError::Refused)?;
        Ok(DebateWritten {
            debate: after,
            argument: Arc::new(argument),
            replayed: false,
            previous_hash: Some(debate.head),
            ledger,
            unknown_citations: unknown,
            unseen_citations: None,
        })
    }

    async fn find_by_request_id(
        &self,
        debate: DebateId,
        request: &RequestId,
    ) -> Result<Option<ArgumentRow>, StoreError> {
        let stored = find_arguments()
            .filter(argument::Column::DebateId.eq(debate.0))
            .filter(argument::Column::ClientRequestId.eq(request.as_str()));
        Ok(stored.into_model().one(&self.read).await?)
    }

    async fn citations(&self, text: &str) -> Result<Citations, StoreError> {
        let hashes = hashes(&self.read, cited_versions(text).into_iter().collect()).await?;
        Ok(Citations::look_up(text, |cited| hashes.get(&cited).copied()))
    }
}
