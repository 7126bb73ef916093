//! The states of a debate, as types.
//!
//! Each transition is a method that consumes its state and exists only on the states that allow it, so an illegal
//! transition does not compile. [`super::decide()`] chooses the transition for an argument.

use super::{
    argument::ArgumentType,
    role::{Role, Side},
    string_enum::string_enum,
};

string_enum! {
    /// The name of a state.
    StateName {
        /// It is the opponent's turn
        AwaitingOpponent = "AWAITING_OPPONENT",
        /// It is the proposer's turn
        AwaitingProposer = "AWAITING_PROPOSER",
        /// An APPEAL or RESOLUTION waits for a RULING
        AwaitingArbitrator = "AWAITING_ARBITRATOR",
        /// The arbitrator intervened and will rule
        InterventionPending = "INTERVENTION_PENDING",
        /// The debate is finished
        Closed = "CLOSED",
    }
}

impl StateName {
    /// The role whose turn it is; none once the debate is closed. The arbitrator's right to intervene at any time is no turn.
    pub fn turn(self) -> Option<Role> {
        match self {
            Self::AwaitingOpponent => Some(Role::Opponent),
            Self::AwaitingProposer => Some(Role::Proposer),
            Self::AwaitingArbitrator | Self::InterventionPending => Some(Role::Arbitrator),
            Self::Closed => None,
        }
    }
}

/// The state of a debate.
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
    /// The state after the MOTION.
    pub fn initial() -> Self {
        Self::AwaitingOpponent(AwaitingOpponent)
    }

    /// The name of this state.
    pub fn name(&self) -> StateName {
        match self {
            Self::AwaitingOpponent(_) => StateName::AwaitingOpponent,
            Self::AwaitingProposer(_) => StateName::AwaitingProposer,
            Self::AwaitingArbitrator(_) => StateName::AwaitingArbitrator,
            Self::InterventionPending(_) => StateName::InterventionPending,
            Self::Closed(_) => StateName::Closed,
        }
    }

    /// See [`StateName::turn`].
    pub fn turn(&self) -> Option<Role> {
        self.name().turn()
    }

    /// The argument that asks for a RULING; none if none is due.
    pub fn asks_for_ruling(&self) -> Option<AsksForRuling> {
        let asks = |on, is_newest| Some(AsksForRuling { on, is_newest });
        match self {
            Self::AwaitingArbitrator(AwaitingArbitrator { request: ProposerRequest::Appeal { .. } }) => {
                asks(ArgumentType::Appeal, true)
            }
            Self::AwaitingArbitrator(AwaitingArbitrator { request: ProposerRequest::Resolution }) => {
                asks(ArgumentType::Resolution, true)
            }
            Self::InterventionPending(InterventionPending::Open(_)) => asks(ArgumentType::Intervention, true),
            Self::InterventionPending(InterventionPending::Delivered(_)) => asks(ArgumentType::Intervention, false),
            Self::AwaitingOpponent(_) | Self::AwaitingProposer(_) | Self::Closed(_) => None,
        }
    }
}

/// The argument that asks for a RULING.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AsksForRuling {
    /// Its type
    pub on: ArgumentType,
    /// Whether it is the newest argument; otherwise it is the one before
    pub is_newest: bool,
}

/// It is the opponent's turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AwaitingOpponent;

/// It is the proposer's turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AwaitingProposer {
    /// The type of the argument that gave the turn to the proposer
    pub responding_to: RespondingTo,
}

/// The type of the argument that the proposer responds to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RespondingTo {
    /// A CLAIM of the opponent, to be answered
    Claim,
    /// A RULING, to be followed
    Ruling,
}

/// It is the arbitrator's turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AwaitingArbitrator {
    /// What the arbitrator should rule on
    pub request: ProposerRequest,
}

/// What the proposer asks the arbitrator to rule on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProposerRequest {
    /// An APPEAL: decide a point
    Appeal {
        /// The number of options to choose from
        options: usize,
    },
    /// A RESOLUTION: close the debate
    Resolution,
}

impl ProposerRequest {
    /// The number of options that a RULING may choose from.
    pub fn options(self) -> usize {
        match self {
            Self::Appeal { options } => options,
            Self::Resolution => 0,
        }
    }
}

/// The arbitrator intervened and will rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterventionPending {
    /// The interrupted side may still deliver the argument that it was writing
    Open(LateDelivery),
    /// It delivered the argument; no more arguments are accepted before the RULING
    Delivered(LateArgument),
}

/// The right to deliver one argument after an INTERVENTION. As long as it exists the INTERVENTION is the newest argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LateDelivery {
    /// The side whose turn was interrupted
    pub interrupted: Side,
}

/// What was delivered late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LateArgument {
    /// A CLAIM of either side
    Claim,
    /// An APPEAL or a RESOLUTION of the proposer
    ProposerRequest(ProposerRequest),
}

/// The debate is finished: nothing may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed;

impl AwaitingOpponent {
    /// The opponent submits a CLAIM.
    pub fn claim(self) -> AwaitingProposer {
        AwaitingProposer { responding_to: RespondingTo::Claim }
    }

    /// The arbitrator intervenes.
    pub fn intervene(self) -> InterventionPending {
        InterventionPending::Open(LateDelivery { interrupted: Side::Opponent })
    }
}

impl AwaitingProposer {
    /// The proposer submits a CLAIM.
    pub fn claim(self) -> AwaitingOpponent {
        AwaitingOpponent
    }

    /// The proposer submits an APPEAL or a RESOLUTION.
    pub fn request_ruling(self, request: ProposerRequest) -> AwaitingArbitrator {
        AwaitingArbitrator { request }
    }

    /// The arbitrator intervenes.
    pub fn intervene(self) -> InterventionPending {
        InterventionPending::Open(LateDelivery { interrupted: Side::Proposer })
    }
}

impl AwaitingArbitrator {
    /// The arbitrator rules and the debate continues.
    pub fn rule(self) -> AwaitingProposer {
        AwaitingProposer { responding_to: RespondingTo::Ruling }
    }

    /// The arbitrator rules and closes the debate.
    pub fn close(self) -> Closed {
        Closed
    }
}

impl LateDelivery {
    /// The interrupted side delivers its argument, which uses up the right.
    pub fn deliver(self, argument: LateArgument) -> InterventionPending {
        InterventionPending::Delivered(argument)
    }
}

impl InterventionPending {
    /// The number of options that a RULING may choose from: those of an APPEAL that was delivered late.
    pub fn options(&self) -> usize {
        match self {
            Self::Delivered(LateArgument::ProposerRequest(request)) => request.options(),
            Self::Open(_) | Self::Delivered(LateArgument::Claim) => 0,
        }
    }

    /// The arbitrator rules and the debate continues.
    pub fn rule(self) -> AwaitingProposer {
        AwaitingProposer { responding_to: RespondingTo::Ruling }
    }

    /// The arbitrator rules and closes the debate.
    pub fn close(self) -> Closed {
        Closed
    }
}
