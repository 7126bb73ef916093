//! Who takes part (SPEC section 1).

use super::name::named;

named! {
    /// Who writes an argument or waits for one.
    Role {
        /// The AI agent that opened the debate with its MOTION
        Proposer = "proposer",
        /// The AI agent that looks for what is wrong in the motion and its revisions
        Opponent = "opponent",
        /// The one who steps in and rules
        Arbitrator = "arbitrator",
    }
}

named! {
    /// One of the two who argue.
    Side {
        /// See [`Role::Proposer`]
        Proposer = "proposer",
        /// See [`Role::Opponent`]
        Opponent = "opponent",
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
