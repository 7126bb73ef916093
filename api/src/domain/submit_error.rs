//! Why an argument may not be added to a debate, and what to do instead.

use std::sync::Arc;

use super::{
    argument::{ArgumentKind, ArgumentType},
    id::ArgumentId,
    issue::{ChangeError, Issue},
    new_plan::PlanRefusal,
    role::Role,
    state::{InterventionPending, State, StateName},
};

/// Why an argument may not be added. Nothing is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubmitError {
    /// The state or the role forbids it.
    NotAllowed(NotAllowed),
    /// The debate has no argument with the id of the target.
    TargetNotFound(ArgumentId),
    /// The ruling chooses an option that does not exist.
    OptionNotFound {
        /// The chosen index
        chosen: usize,
        /// The number of options
        options: usize,
    },
    /// An issue may not be changed as the argument asks.
    Change {
        /// The fault
        error: ChangeError,
        /// The number of the option, from 0, if it is a change that an option of an APPEAL decides
        option: Option<usize>,
        /// The state of the debate
        current_state: StateName,
        /// The role whose turn it is
        allowed_role: Option<Role>,
    },
    /// The plan that comes with it cannot be stored.
    Plan {
        /// Why
        refusal: PlanRefusal,
        /// The state of the debate
        current_state: StateName,
        /// The role whose turn it is
        allowed_role: Option<Role>,
    },
    /// Issues keep the proposer from requesting completion.
    IssuesOpen(Vec<Arc<Issue>>),
}

impl SubmitError {
    /// A plan that cannot be stored with an argument in this state.
    pub fn plan(refusal: PlanRefusal, state: &State) -> Self {
        Self::Plan { refusal, current_state: state.name(), allowed_role: state.turn() }
    }

    pub(super) fn change(error: ChangeError, option: Option<usize>, state: &State) -> Self {
        Self::Change { error, option, current_state: state.name(), allowed_role: state.turn() }
    }
}

/// An argument that the state or the role forbids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAllowed {
    /// The role that submitted it
    pub role: Role,
    /// The type that was submitted
    pub attempted: ArgumentType,
    /// The state of the debate
    pub current_state: StateName,
    /// The role whose turn it is; none if the debate is closed
    pub allowed_role: Option<Role>,
    /// What this role can do instead
    pub suggestion: &'static str,
}

impl NotAllowed {
    pub(super) fn new(state: &State, kind: &ArgumentKind) -> Self {
        let (role, attempted) = (kind.role(), kind.argument_type());
        Self {
            role,
            attempted,
            current_state: state.name(),
            allowed_role: state.turn(),
            suggestion: suggestion(state, role, attempted),
        }
    }

    /// A CLAIM of the proposer after the last round.
    pub(super) fn after_last_round(state: &State, kind: &ArgumentKind) -> Self {
        Self {
            suggestion: "This debate has had all its rounds: submit an APPEAL, or a RESOLUTION to request completion.",
            ..Self::new(state, kind)
        }
    }
}

fn suggestion(state: &State, role: Role, attempted: ArgumentType) -> &'static str {
    if attempted == ArgumentType::Motion && state.name() != StateName::Closed {
        return "This debate already has its MOTION: create another debate for another motion.";
    }
    match (state, role) {
        (State::Closed(_), _) => "The debate is closed and takes no more arguments. Read it, or create another debate.",
        (State::AwaitingOpponent(_), Role::Proposer) => "It is the opponent's turn: wait for its CLAIM.",
        (State::AwaitingProposer(_), Role::Opponent) => "It is the proposer's turn: wait for its next argument.",
        (State::AwaitingOpponent(_), Role::Opponent) => "It is your turn: submit a CLAIM.",
        (State::AwaitingProposer(_), Role::Proposer) => {
            "It is your turn: submit a CLAIM, an APPEAL, or a RESOLUTION to request completion."
        }
        (State::AwaitingOpponent(_) | State::AwaitingProposer(_), Role::Arbitrator) => {
            "There is nothing to rule on: submit an INTERVENTION first, then the RULING."
        }
        (State::AwaitingArbitrator(_) | State::InterventionPending(_), Role::Arbitrator) => {
            "It is your turn: submit a RULING."
        }
        (State::AwaitingArbitrator(_), Role::Proposer | Role::Opponent) => "Wait for the arbitrator's RULING.",
        (State::InterventionPending(turn), Role::Proposer | Role::Opponent) => {
            if may_deliver_late(turn, role) {
                "The arbitrator intervened. You may still submit the one argument that you were writing, with a type that \
                 was allowed in your turn and a target older than the INTERVENTION. Then wait for the RULING."
            } else {
                "The arbitrator intervened: wait for the RULING."
            }
        }
    }
}

fn may_deliver_late(turn: &InterventionPending, role: Role) -> bool {
    match turn {
        InterventionPending::Open(delivery) => Role::from(delivery.interrupted) == role,
        InterventionPending::Delivered(_) => false,
    }
}
