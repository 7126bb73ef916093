//! What can be written to the store, and what a write returns.

use std::sync::Arc;

use crate::domain::{
    Argument, ArgumentId, CitedVersion, Debate, DebateId, Document, DocumentVersion, Hash, Issue, Ledger, NewDebate,
    NewDocument, NewPlan, NewVersion, RequestId, Side, Submission, Turn,
};

/// A write to a debate.
#[derive(Debug, Clone)]
pub enum DebateWrite {
    /// Creates a debate with its MOTION.
    Create(NewDebate),
    /// Adds an argument to an existing debate.
    Submit(Submission),
}

impl DebateWrite {
    /// The debate to create or to add to
    pub fn debate_id(&self) -> DebateId {
        match self {
            Self::Create(new) => new.id,
            Self::Submit(submission) => submission.debate_id,
        }
    }

    pub(super) fn request_id(&self) -> Option<&RequestId> {
        match self {
            Self::Create(new) => Some(&new.request_id),
            Self::Submit(submission) => submission.request_id.as_ref(),
        }
    }

    /// The plan that comes with it
    pub(super) fn plan(&self) -> Option<&NewPlan> {
        match self {
            Self::Create(new) => new.plan.as_ref(),
            Self::Submit(submission) => submission.plan.as_ref(),
        }
    }

    /// The text that may cite versions of documents, but for the line that cites the plan that comes with it
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Create(new) => new.motion.as_str(),
            Self::Submit(submission) => submission.content.as_str(),
        }
    }

    pub(super) fn target_id(&self) -> Option<ArgumentId> {
        match self {
            Self::Create(_) => None,
            Self::Submit(submission) => submission.kind.parent_id(),
        }
    }
}

/// The result of a [`DebateWrite`].
#[derive(Debug, Clone)]
pub struct DebateWritten {
    /// The debate after the write, or as it is now if the write was replayed.
    pub debate: Debate,
    /// The argument that this request stored, now or earlier.
    pub argument: Arc<Argument>,
    /// Whether an earlier write with the same request id had stored the argument already.
    pub replayed: bool,
    /// The hash of the argument before this one; none for a MOTION and for a replayed write.
    pub previous_hash: Option<Hash>,
    /// The issues of the debate, where any is not settled or the argument changed some.
    pub ledger: Ledger,
    /// What the argument cites and does not exist.
    pub unknown_citations: Vec<CitedVersion>,
    /// On a RESOLUTION: the versions that it cites and that no argument up to the opponent's newest CLAIM cites.
    pub unseen_citations: Option<Vec<CitedVersion>>,
}

impl DebateWritten {
    /// The issues that the argument changed, as they are now, in the order of their numbers.
    pub fn changed_issues(&self) -> impl Iterator<Item = &Arc<Issue>> {
        self.ledger.changed_by(&self.argument)
    }

    /// What the author should and may do now.
    pub fn turn(&self) -> Turn {
        self.debate.turn(self.argument.role(), &self.ledger)
    }
}

/// Frees a seat of a debate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeSeat {
    /// The debate
    pub debate_id: DebateId,
    /// Whose seat it is
    pub side: Side,
}

/// The result of [`FreeSeat`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatFreed {
    /// The debate with the free seat
    pub debate: Debate,
    /// Whether somebody had the seat
    pub was_taken: bool,
}

/// A write to a document.
#[derive(Debug, Clone)]
pub enum DocumentWrite {
    /// Creates a document with its first version.
    Create(NewDocument),
    /// Adds a version to an existing document.
    Submit(NewVersion),
}

/// The result of a [`DocumentWrite`].
#[derive(Debug, Clone)]
pub struct DocumentWritten {
    /// The document after the write, or as it is now if the write was replayed.
    pub document: Document,
    /// The version that this request stored, now or earlier.
    pub version: Arc<DocumentVersion>,
    /// Whether an earlier write with the same request id had stored the version already.
    pub replayed: bool,
}

/// The result of the deletion of a document.
#[derive(Debug, Clone)]
pub struct DocumentDeleted {
    /// The document.
    pub document: Document,
    /// Whether it had been deleted before, so that nothing changed.
    pub replayed: bool,
}

/// A committed argument, with its debate right after it. Freeing a seat repeats the newest argument, with the debate as it is
/// then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The debate right after the argument.
    pub debate: Debate,
    /// The argument.
    pub argument: Arc<Argument>,
    /// The issues of the debate right after the argument, where any is not settled or the argument changed some.
    pub ledger: Ledger,
}

impl Commit {
    /// The issues that the argument changed, in the order of their numbers.
    pub fn changed_issues(&self) -> impl Iterator<Item = &Arc<Issue>> {
        self.ledger.changed_by(&self.argument)
    }
}
