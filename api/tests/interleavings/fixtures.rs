//! Debates, commits and documents to write.

use std::sync::Arc;

use chrono::DateTime;
use uuid::Uuid;

use crate::{
    domain::{
        ArgumentId, AwaitingArbitrator, Content, Debate, DebateId, DebateType, DocumentId, Ledger, Limits, NewDebate,
        ProposerRequest, State, Title,
    },
    store::Commit,
};

/// The debate of the wake-up tests.
pub const DEBATE: DebateId = DebateId(Uuid::from_u128(1));

/// A debate that is never opened.
pub const OTHER: DebateId = DebateId(Uuid::from_u128(2));

/// A debate to create.
pub fn new_debate(id: DebateId) -> NewDebate {
    NewDebate::new(
        id,
        Title::parse("Retry budget".to_owned()).unwrap(),
        DebateType::GeneralDebate,
        Content::parse("We add one.".to_owned(), Limits::default().content()).unwrap(),
        "open".parse().unwrap(),
    )
}

/// The commit that creates a debate.
pub fn created(id: DebateId) -> Commit {
    let (debate, motion) = new_debate(id).create(Vec::new(), ArgumentId(id.0), DateTime::UNIX_EPOCH);
    Commit { debate, argument: Arc::new(motion), ledger: Ledger::default() }
}

/// A commit that leaves [`DEBATE`] at this `last_seq`.
pub fn commit_at(last_seq: u64) -> Arc<Commit> {
    let Commit { debate, argument, ledger } = created(DEBATE);
    Arc::new(Commit { debate: Debate { last_seq, ..debate }, argument, ledger })
}

/// The commit with a state in which a ruling is due.
pub fn ruling_due_in(commit: &Commit) -> Arc<Commit> {
    let state = State::AwaitingArbitrator(AwaitingArbitrator { request: ProposerRequest::Resolution });
    let ruling_since = Some(commit.debate.updated_at);
    Arc::new(Commit { debate: Debate { state, ruling_since, ..commit.debate.clone() }, ..(*commit).clone() })
}

/// A document id by number.
pub fn document_id(number: u128) -> DocumentId {
    DocumentId(Uuid::from_u128(number))
}
