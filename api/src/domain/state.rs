//! The states of a debate as types (SPEC section 2).
//!
//! A move consumes the state that it starts from and exists only on the states that allow it, so an illegal move
//! cannot be written down. Which move an attempt asks for is decided in [`super::decide()`].

use super::{name::named, role::Side};

named! {
    /// The name of a state in the contract and in the store.
    StateName {
        /// The opponent's turn
        AwaitingOpponent = "AWAITING_OPPONENT",
        /// The proposer's turn
        AwaitingProposer = "AWAITING_PROPOSER",
        /// An APPEAL or RESOLUTION waits for a ruling
        AwaitingArbitrator = "AWAITING_ARBITRATOR",
        /// The arbitrator stepped in and will rule
        InterventionPending = "INTERVENTION_PENDING",
        /// Finished
        Closed = "CLOSED",
    }
}

/// Where a debate stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// See [`StateName::AwaitingOpponent`]
    AwaitingOpponent(AwaitingOpponent),
    /// See [`StateName::AwaitingProposer`]
    AwaitingProposer(AwaitingProposer),
    /// See [`StateName::AwaitingArbitrator`]
    AwaitingArbitrator(AwaitingArbitrator),
    /// See [`StateName::InterventionPending`]
    InterventionPending(InterventionPending),
    /// See [`StateName::Closed`]
    Closed(Closed),
}

impl State {
    /// The state that a MOTION opens a debate in.
    pub fn opened() -> Self {
        Self::AwaitingOpponent(AwaitingOpponent)
    }

    /// Its name.
    pub fn name(&self) -> StateName {
        match self {
            Self::AwaitingOpponent(_) => StateName::AwaitingOpponent,
            Self::AwaitingProposer(_) => StateName::AwaitingProposer,
            Self::AwaitingArbitrator(_) => StateName::AwaitingArbitrator,
            Self::InterventionPending(_) => StateName::InterventionPending,
            Self::Closed(_) => StateName::Closed,
        }
    }
}

/// The opponent's turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AwaitingOpponent;

/// The proposer's turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AwaitingProposer {
    /// What called the proposer
    pub summons: Summons,
}

/// What made it the proposer's turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Summons {
    /// The opponent's CLAIM, to be answered
    Claim,
    /// A RULING, to be followed
    Ruling,
}

/// The arbitrator's turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AwaitingArbitrator {
    /// What is to be ruled on
    pub question: Question,
}

/// What the proposer asked the arbitrator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// To decide a point
    Appeal {
        /// How many options there are to choose from
        options: usize,
    },
    /// To close the debate
    Resolution,
}

impl Question {
    /// How many options a ruling may choose from.
    pub fn options(self) -> usize {
        match self {
            Self::Appeal { options } => options,
            Self::Resolution => 0,
        }
    }
}

/// The arbitrator stepped in and will rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterventionPending {
    /// The argument that the interrupted side was composing may still come
    Open(LateDelivery),
    /// It came: nothing more is taken
    Delivered(LateArgument),
}

/// The leave to deliver one argument after an intervention, which is then the newest argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LateDelivery {
    /// Whose turn was interrupted
    pub interrupted: Side,
}

/// What was delivered late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LateArgument {
    /// A CLAIM of either side
    Claim,
    /// An APPEAL or a RESOLUTION of the proposer
    Question(Question),
}

/// Finished; nothing may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed;

impl AwaitingOpponent {
    /// The opponent answers.
    pub fn claim(self) -> AwaitingProposer {
        AwaitingProposer { summons: Summons::Claim }
    }

    /// The arbitrator steps in.
    pub fn intervene(self) -> InterventionPending {
        InterventionPending::Open(LateDelivery { interrupted: Side::Opponent })
    }
}

impl AwaitingProposer {
    /// The proposer answers.
    pub fn claim(self) -> AwaitingOpponent {
        AwaitingOpponent
    }

    /// The proposer asks the arbitrator.
    pub fn ask(self, question: Question) -> AwaitingArbitrator {
        AwaitingArbitrator { question }
    }

    /// The arbitrator steps in.
    pub fn intervene(self) -> InterventionPending {
        InterventionPending::Open(LateDelivery { interrupted: Side::Proposer })
    }
}

impl AwaitingArbitrator {
    /// The arbitrator rules and the debate goes on.
    pub fn rule(self) -> AwaitingProposer {
        AwaitingProposer { summons: Summons::Ruling }
    }

    /// The arbitrator rules and closes.
    pub fn close(self) -> Closed {
        Closed
    }
}

impl LateDelivery {
    /// The interrupted side delivers what it was composing, which uses up the leave.
    pub fn deliver(self, argument: LateArgument) -> InterventionPending {
        InterventionPending::Delivered(argument)
    }
}

impl InterventionPending {
    /// How many options a ruling may choose from: those of an APPEAL that was delivered late.
    pub fn options(&self) -> usize {
        match self {
            Self::Delivered(LateArgument::Question(question)) => question.options(),
            Self::Open(_) | Self::Delivered(LateArgument::Claim) => 0,
        }
    }

    /// The arbitrator rules and the debate goes on.
    pub fn rule(self) -> AwaitingProposer {
        AwaitingProposer { summons: Summons::Ruling }
    }

    /// The arbitrator rules and closes.
    pub fn close(self) -> Closed {
        Closed
    }
}
