//! What a program is started for.

use std::fmt;

use crate::client::types::{AgentPurpose, Role};

/// What a program is started for, which `AW_ROLE` tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A turn of this role in the debate
    Turn(Role),
    /// To review the plan alone, before the opponent's first turn
    Review,
    /// The final reading
    Reading,
}

impl Part {
    /// Whether it takes part in the debate. Those who review or read the plan alone must not read what others noted.
    pub fn is_turn(self) -> bool {
        matches!(self, Self::Turn(_))
    }

    /// The role whose form of answers it takes, and for which it counts.
    pub fn role(self) -> Role {
        match self {
            Self::Turn(role) => role,
            Self::Review | Self::Reading => Role::Opponent,
        }
    }

    /// The option that names the program.
    pub fn option(self) -> &'static str {
        match self.role() {
            Role::Proposer => "--proposer",
            Role::Opponent => "--opponent",
            Role::Arbitrator => "--arbitrator",
        }
    }

    /// What `agents` says that it is started for.
    pub fn purpose(self) -> AgentPurpose {
        match self {
            Self::Turn(_) => AgentPurpose::Turn,
            Self::Review => AgentPurpose::Review,
            Self::Reading => AgentPurpose::Reading,
        }
    }
}

/// `AW_ROLE`.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turn(role) => role.fmt(f),
            Self::Review => f.write_str("reviewer"),
            Self::Reading => f.write_str("reader"),
        }
    }
}
