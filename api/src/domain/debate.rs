//! A debate as a whole, and how an argument is added to it.

use chrono::{DateTime, Utc};

use super::{
    argument::{AppealOption, Argument, ArgumentKind},
    chain::Hash,
    decide::{Attempt, Target, decide},
    id::{ArgumentId, DebateId, RequestId},
    name::named,
    refusal::Refusal,
    role::{Role, Side},
    state::State,
    text::{Content, Title},
};

named! {
    /// What a debate is about.
    DebateType {
        /// The motion is an implementation plan, reviewed against the code
        CodingPlanDebate = "coding_plan_debate",
        /// Anything else
        GeneralDebate = "general_debate",
    }
}

/// A debate without its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Debate {
    /// Its name
    pub id: DebateId,
    /// What it is called
    pub title: Title,
    /// What it is about
    pub debate_type: DebateType,
    /// Where it stands
    pub state: State,
    /// The `seq` of its newest argument
    pub last_seq: u64,
    /// Its newest argument
    pub last_argument_id: ArgumentId,
    /// The hash of its newest argument, which stands for the whole debate
    pub head: Hash,
    /// When it was opened
    pub created_at: DateTime<Utc>,
    /// When its newest argument came; never before an earlier one
    pub updated_at: DateTime<Utc>,
}

/// A debate that a proposer wants to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDebate {
    /// The name that the proposer chose
    pub id: DebateId,
    /// What it is called
    pub title: Title,
    /// What it is about
    pub debate_type: DebateType,
    /// What the MOTION says
    pub motion: Content,
    /// What the write may be repeated by
    pub request_id: RequestId,
}

/// An argument that somebody wants to add to a debate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// The debate that it is meant for
    pub debate_id: DebateId,
    /// What it says
    pub content: Content,
    /// What the write may be repeated by
    pub request_id: Option<RequestId>,
    /// What it is
    pub draft: Draft,
}

/// What only its kind has of a [`Submission`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Draft {
    /// A CLAIM
    Claim {
        /// Whose
        by: Side,
        /// What it answers
        target: ArgumentId,
    },
    /// An APPEAL
    Appeal {
        /// What it answers
        target: ArgumentId,
        /// What the arbitrator may choose from, as it is stored
        options: Vec<AppealOption>,
    },
    /// A RESOLUTION
    Resolution {
        /// What it answers
        target: ArgumentId,
    },
    /// An INTERVENTION
    Intervention,
    /// A RULING
    Ruling {
        /// Whether it ends the debate
        close: bool,
        /// Which option it takes
        chosen_option: Option<usize>,
    },
}

impl NewDebate {
    /// Opens the debate with its MOTION, at `now`.
    pub fn open(self, motion_id: ArgumentId, now: DateTime<Utc>) -> (Debate, Argument) {
        let mut debate = Debate {
            id: self.id,
            title: self.title,
            debate_type: self.debate_type,
            state: State::opened(),
            last_seq: 1,
            last_argument_id: motion_id,
            head: Hash::UNKNOWN,
            created_at: now,
            updated_at: now,
        };
        let motion = Argument {
            id: motion_id,
            debate_id: self.id,
            parent_id: None,
            kind: ArgumentKind::Motion,
            seq: 1,
            content: self.motion,
            request_id: Some(self.request_id),
            late_for: None,
            created_at: now,
            hash: Hash::UNKNOWN,
        };
        let motion = motion.sealed_after(Hash::of_opening(&debate));
        debate.head = motion.hash;
        (debate, motion)
    }

    /// Whether opening `debate` with `motion` was this very request.
    pub fn is_repeated_by(&self, debate: &Debate, motion: &Argument) -> bool {
        self.title == debate.title && self.debate_type == debate.debate_type && self.motion == motion.content
    }
}

impl Submission {
    /// What it answers.
    pub fn target_id(&self) -> Option<ArgumentId> {
        match &self.draft {
            Draft::Claim { target, .. } | Draft::Appeal { target, .. } | Draft::Resolution { target } => Some(*target),
            Draft::Intervention | Draft::Ruling { .. } => None,
        }
    }

    /// Whether storing `argument` was this very request.
    pub fn is_repeated_by(&self, argument: &Argument) -> bool {
        self.draft.kind() == argument.kind && self.target_id() == argument.parent_id && self.content == argument.content
    }
}

impl Draft {
    pub(super) fn kind(&self) -> ArgumentKind {
        match self {
            Self::Claim { by, .. } => ArgumentKind::Claim { by: *by },
            Self::Appeal { options, .. } => ArgumentKind::Appeal { options: options.clone() },
            Self::Resolution { .. } => ArgumentKind::Resolution,
            Self::Intervention => ArgumentKind::Intervention,
            Self::Ruling { close, chosen_option } => {
                ArgumentKind::Ruling { close: *close, chosen_option: *chosen_option }
            }
        }
    }

    fn attempt(&self, place: impl Fn(ArgumentId) -> Target) -> Attempt {
        match self {
            Self::Claim { target, .. } => Attempt::Claim { target: place(*target) },
            Self::Appeal { target, options } => Attempt::Appeal { target: place(*target), options: options.len() },
            Self::Resolution { target } => Attempt::Resolution { target: place(*target) },
            Self::Intervention => Attempt::Intervention,
            Self::Ruling { close, chosen_option } => Attempt::Ruling { close: *close, chosen_option: *chosen_option },
        }
    }
}

impl Debate {
    /// Adds what is submitted as the argument `id` at `now`: the debate afterwards and the argument.
    ///
    /// `place` tells where in this debate an argument stands. A refusal changes nothing.
    pub fn submit(
        &self,
        submission: Submission,
        place: impl Fn(ArgumentId) -> Target,
        id: ArgumentId,
        now: DateTime<Utc>,
    ) -> Result<(Self, Argument), Refusal> {
        let kind = submission.draft.kind();
        let role: Role = kind.role();
        let step = decide(self.state, self.last_seq, role, &submission.draft.attempt(place))?;
        let argument = Argument {
            id,
            debate_id: self.id,
            parent_id: step.parent,
            kind,
            seq: self.last_seq + 1,
            content: submission.content,
            request_id: submission.request_id,
            late_for: step.late.then_some(self.last_argument_id),
            created_at: now,
            hash: Hash::UNKNOWN,
        };
        let argument = argument.sealed_after(self.head);
        let debate = Self {
            state: step.state,
            last_seq: argument.seq,
            last_argument_id: id,
            head: argument.hash,
            updated_at: now.max(self.updated_at),
            ..self.clone()
        };
        Ok((debate, argument))
    }
}
