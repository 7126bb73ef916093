//! Debates and commits to try things with.

use std::sync::Arc;

use chrono::DateTime;
use uuid::Uuid;

use crate::{
    domain::{ArgumentId, Content, Debate, DebateId, DebateType, DocumentId, Limits, NewDebate, Title},
    store::Commit,
};

/// The debate that they are all about.
pub const DEBATE: DebateId = DebateId(Uuid::from_u128(1));

/// A debate to open.
pub fn new_debate(id: DebateId) -> NewDebate {
    NewDebate {
        id,
        title: Title::parse("Retry budget".to_owned()).unwrap(),
        debate_type: DebateType::GeneralDebate,
        motion: Content::parse("We add one.".to_owned(), Limits::default().content()).unwrap(),
        request_id: "open".parse().unwrap(),
    }
}

/// A commit that opens a debate.
pub fn opened(id: DebateId) -> Commit {
    let (debate, motion) = new_debate(id).create(ArgumentId(id.0), DateTime::UNIX_EPOCH);
    Commit { debate, argument: Arc::new(motion) }
}

/// A commit that brings the debate to that `seq`.
pub fn moved_to(seq: u64) -> Arc<Commit> {
    let Commit { debate, argument } = opened(DEBATE);
    Arc::new(Commit { debate: Debate { last_seq: seq, ..debate }, argument })
}

/// A document by number.
pub fn document(number: u128) -> DocumentId {
    DocumentId(Uuid::from_u128(number))
}
