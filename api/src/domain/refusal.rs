//! Why a move is refused, and what to do instead.

use super::{
    argument::ArgumentType,
    id::ArgumentId,
    role::Role,
    state::{InterventionPending, State, StateName},
};

/// Why an attempt is refused; nothing is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// State or role forbids it.
    NotAllowed(NotAllowed),
    /// The argument that it answers is none of this debate.
    TargetUnknown(ArgumentId),
    /// The ruling chooses an option that is not there.
    OptionUnknown {
        /// The index that was given
        chosen: usize,
        /// How many options there are to choose from
        options: usize,
    },
}

/// A move that the state or the role forbids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAllowed {
    /// Who tried
    pub role: Role,
    /// What was tried
    pub attempted: ArgumentType,
    /// Where the debate stands
    pub current_state: StateName,
    /// Whose turn it is; none once the debate is closed
    pub allowed_roles: &'static [Role],
    /// What the one who tried can do instead
    pub suggestion: &'static str,
}

impl NotAllowed {
    pub(super) fn new(state: &State, role: Role, attempted: ArgumentType) -> Self {
        Self {
            role,
            attempted,
            current_state: state.name(),
            allowed_roles: turn_of(state),
            suggestion: suggestion(state, role, attempted),
        }
    }
}

/// Whose turn it is. The arbitrator's standing right to step in is not listed.
fn turn_of(state: &State) -> &'static [Role] {
    match state {
        State::AwaitingOpponent(_) => &[Role::Opponent],
        State::AwaitingProposer(_) => &[Role::Proposer],
        State::AwaitingArbitrator(_) | State::InterventionPending(_) => &[Role::Arbitrator],
        State::Closed(_) => &[],
    }
}

fn suggestion(state: &State, role: Role, attempted: ArgumentType) -> &'static str {
    if attempted == ArgumentType::Motion && state.name() != StateName::Closed {
        return "This debate has its motion: create another debate for another one.";
    }
    match (state, role) {
        (State::Closed(_), _) => "The debate is closed: nothing may be written any more. Read it, or create another.",
        (State::AwaitingOpponent(_), Role::Proposer) => "It is the opponent's turn: wait for its CLAIM.",
        (State::AwaitingProposer(_), Role::Opponent) => "It is the proposer's turn: wait for its next argument.",
        (State::AwaitingOpponent(_), Role::Opponent) => "It is your turn: submit a CLAIM.",
        (State::AwaitingProposer(_), Role::Proposer) => {
            "It is your turn: submit a CLAIM, an APPEAL, or a RESOLUTION to request completion."
        }
        (State::AwaitingOpponent(_) | State::AwaitingProposer(_), Role::Arbitrator) => {
            "There is nothing to rule on: submit an INTERVENTION to step in, then the RULING."
        }
        (State::AwaitingArbitrator(_) | State::InterventionPending(_), Role::Arbitrator) => {
            "It is your turn: submit a RULING."
        }
        (State::AwaitingArbitrator(_), Role::Proposer | Role::Opponent) => "Wait for the arbitrator's RULING.",
        (State::InterventionPending(pending), Role::Proposer | Role::Opponent) => {
            if may_still_deliver(pending, role) {
                "The arbitrator stepped in. Only the argument that you were composing is still taken: one of a type that \
                 your turn allowed, with a target older than the intervention. Then wait for the RULING."
            } else {
                "The arbitrator stepped in: wait for the RULING."
            }
        }
    }
}

fn may_still_deliver(pending: &InterventionPending, role: Role) -> bool {
    match pending {
        InterventionPending::Open(leave) => Role::from(leave.interrupted) == role,
        InterventionPending::Delivered(_) => false,
    }
}
