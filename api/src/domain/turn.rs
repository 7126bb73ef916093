//! What a role should and may do now.

use super::{
    action::{Action, action_for},
    argument::ArgumentType,
    debate::Debate,
    issue::Ledger,
    moves::Move,
    role::Role,
    state_machine::allowed_types,
};

/// What a role should and may do now.
#[derive(Debug, Clone, PartialEq, Eq)]
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
        Turn {
            role,
            action: action_for(&self.state, role),
            allowed: allowed_types(&self.state, self.rounds, role),
            moves: self.moves(role, ledger),
        }
    }

    /// The turns of all roles.
    pub fn turns(&self, ledger: &Ledger) -> Vec<Turn> {
        Role::ALL.iter().map(|role| self.turn(*role, ledger)).collect()
    }
}
