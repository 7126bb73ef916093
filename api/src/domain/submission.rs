//! Opening a debate and adding an argument to it.

use chrono::{DateTime, Utc};

use super::{
    argument::{Argument, ArgumentKind},
    debate::{Debate, DebateType},
    hash::Hash,
    id::{ArgumentId, DebateId, RequestId},
    state::State,
    state_machine::decide,
    submit_error::SubmitError,
    text::{Content, Title},
};

/// A debate to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDebate {
    /// The id that the proposer chose
    pub id: DebateId,
    /// The title
    pub title: Title,
    /// The type
    pub debate_type: DebateType,
    /// The content of the MOTION
    pub motion: Content,
    /// Identifies the request when it is repeated
    pub request_id: RequestId,
}

/// An argument to be added to a debate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// The debate to add it to
    pub debate_id: DebateId,
    /// The type, and what only this type has
    pub kind: ArgumentKind,
    /// The text
    pub content: Content,
    /// Identifies the request when it is repeated
    pub request_id: Option<RequestId>,
}

impl NewDebate {
    /// Creates the debate with its MOTION.
    pub fn create(self, motion_id: ArgumentId, now: DateTime<Utc>) -> (Debate, Argument) {
        let mut debate = Debate {
            id: self.id,
            title: self.title,
            debate_type: self.debate_type,
            state: State::initial(),
            last_seq: 1,
            last_argument_id: motion_id,
            head: Hash::UNSET,
            created_at: now,
            updated_at: now,
        };
        let motion = Argument {
            id: motion_id,
            debate_id: self.id,
            kind: ArgumentKind::Motion,
            seq: 1,
            content: self.motion,
            request_id: Some(self.request_id),
            late_for: None,
            created_at: now,
            hash: Hash::UNSET,
        };
        let motion = motion.with_hash_after(Hash::of_debate(&debate));
        debate.head = motion.hash;
        (debate, motion)
    }

    /// Whether `debate` and `motion` are what this request stored before.
    pub fn is_repeated_by(&self, debate: &Debate, motion: &Argument) -> bool {
        self.title == debate.title && self.debate_type == debate.debate_type && self.motion == motion.content
    }
}

impl Submission {
    /// Whether `argument` is what this request stored before.
    pub fn is_repeated_by(&self, argument: &Argument) -> bool {
        self.kind == argument.kind && self.content == argument.content
    }
}

impl Debate {
    /// Adds an argument. Returns the changed debate and the argument; an error changes nothing.
    ///
    /// `seq_of` returns the `seq` of an argument of this debate, or `None` if the debate has no such argument.
    pub fn submit(
        &self,
        submission: Submission,
        seq_of: impl Fn(ArgumentId) -> Option<u64>,
        id: ArgumentId,
        now: DateTime<Utc>,
    ) -> Result<(Self, Argument), SubmitError> {
        let decision = decide(self.state, self.last_seq, &submission.kind, seq_of)?;
        let argument = Argument {
            id,
            debate_id: self.id,
            kind: submission.kind,
            seq: self.last_seq + 1,
            content: submission.content,
            request_id: submission.request_id,
            late_for: decision.late.then_some(self.last_argument_id),
            created_at: now,
            hash: Hash::UNSET,
        };
        let argument = argument.with_hash_after(self.head);
        let debate = Self {
            state: decision.state,
            last_seq: argument.seq,
            last_argument_id: id,
            head: argument.hash,
            updated_at: now.max(self.updated_at),
            ..self.clone()
        };
        Ok((debate, argument))
    }
}
