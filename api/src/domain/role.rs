//! The participants of a debate.

use super::string_enum::string_enum;

string_enum! {
    /// A participant of a debate.
    Role {
        /// The AI agent that opened the debate with its MOTION
        Proposer = "proposer",
        /// The AI agent that looks for faults in the motion and its revisions
        Opponent = "opponent",
        /// The person, or an agent, that intervenes and rules
        Arbitrator = "arbitrator",
    }
}

string_enum! {
    /// One of the two sides that argue.
    Side {
        /// See [`Role::Proposer`]
        Proposer = "proposer",
        /// See [`Role::Opponent`]
        Opponent = "opponent",
    }
}

impl Side {
    /// The side that this role is; none for the arbitrator.
    pub fn of(role: Role) -> Option<Self> {
        match role {
            Role::Proposer => Some(Self::Proposer),
            Role::Opponent => Some(Self::Opponent),
            Role::Arbitrator => None,
        }
    }
}

impl From<Side> for Role {
    fn from(side: Side) -> Self {
        match side {
            Side::Proposer => Self::Proposer,
            Side::Opponent => Self::Opponent,
        }
    }
}
