//! What a role should and may do now.

use serde::Serialize;

use super::{
    argument::ArgumentType,
    debate::Debate,
    issue::{ChangeName, Issue, Ledger, may_change},
    moves::Move,
    role::Role,
    state::{AwaitingProposer, RespondingTo, State},
    state_machine::allowed_types,
    string_enum::string_enum,
};

string_enum! {
    /// What a role should do next. It follows from the state and the role alone.
    Action {
        /// Answer the other side
        Respond = "respond",
        /// Follow the ruling, then answer
        AlignToRuling = "align_to_ruling",
        /// Wait: it is the opponent's turn
        WaitForOpponent = "wait_for_opponent",
        /// Wait: it is the proposer's turn
        WaitForProposer = "wait_for_proposer",
        /// Wait: the arbitrator will rule
        WaitForRuling = "wait_for_ruling",
        /// Watch; an INTERVENTION is allowed
        Watch = "watch",
        /// Submit a RULING
        Rule = "rule",
        /// Stop: the debate is closed
        DebateClosed = "debate_closed",
    }
}

/// What `role` should do in `state`.
pub fn action_for(state: &State, role: Role) -> Action {
    match (state, role) {
        (State::AwaitingOpponent(_), Role::Opponent) => Action::Respond,
        (State::AwaitingOpponent(_), Role::Proposer) => Action::WaitForOpponent,
        (State::AwaitingProposer(AwaitingProposer { responding_to }), Role::Proposer) => match responding_to {
            RespondingTo::Claim => Action::Respond,
            RespondingTo::Ruling => Action::AlignToRuling,
        },
        (State::AwaitingProposer(_), Role::Opponent) => Action::WaitForProposer,
        (State::AwaitingOpponent(_) | State::AwaitingProposer(_), Role::Arbitrator) => Action::Watch,
        (State::AwaitingArbitrator(_) | State::InterventionPending(_), Role::Proposer | Role::Opponent) => {
            Action::WaitForRuling
        }
        (State::AwaitingArbitrator(_) | State::InterventionPending(_), Role::Arbitrator) => Action::Rule,
        (State::Closed(_), Role::Proposer | Role::Opponent | Role::Arbitrator) => Action::DebateClosed,
    }
}

/// What a role should and may do now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// The role
    pub role: Role,
    /// What it should do next
    pub action: Action,
    /// The argument types that it may submit, a late delivery included
    pub allowed: Vec<ArgumentType>,
    /// What fits now, best first
    pub moves: Vec<Move>,
}

impl Debate {
    /// The turn of `role`. `ledger` has the issues, if any of them is not settled.
    pub fn turn(&self, role: Role, ledger: &Ledger) -> Turn {
        let allowed = allowed_types(&self.state, self.rounds, role);
        let moves = self.moves(role, &allowed, ledger);
        Turn { role, action: action_for(&self.state, role), allowed, moves }
    }

    /// What `role` may make of `issue` in its turn, in an argument of any type that it may submit. A late delivery is no turn.
    pub fn issue_changes(&self, role: Role, issue: &Issue) -> Vec<ChangeName> {
        let is_turn = self.state.turn() == Some(role);
        let types = if is_turn { allowed_types(&self.state, self.rounds, role) } else { Vec::new() };
        let fits = |change: &ChangeName| types.iter().any(|kind| may_change(*kind, role, issue, *change));
        ChangeName::ALL.iter().copied().filter(fits).collect()
    }

    /// The turns of all roles.
    pub fn turns(&self, ledger: &Ledger) -> Vec<Turn> {
        Role::ALL.iter().map(|role| self.turn(*role, ledger)).collect()
    }
}
