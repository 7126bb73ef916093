//! The rounds of a debate, which the one who opens it may limit.

use std::num::NonZeroU8;

use super::{argument::ArgumentKind, role::Side};

/// How many rounds there were, and how many there may be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rounds {
    /// The CLAIMs of the opponent since the last RULING
    pub done: u64,
    /// After so many rounds the proposer may not answer with a CLAIM; none for no limit
    pub max: Option<NonZeroU8>,
}

impl Rounds {
    /// The largest limit.
    pub const MAX: u8 = 100;

    /// The rounds after an argument.
    pub fn after(self, kind: &ArgumentKind) -> Self {
        match kind {
            ArgumentKind::Claim { by: Side::Opponent, .. } => Self { done: self.done + 1, ..self },
            ArgumentKind::Ruling { .. } => Self { done: 0, ..self },
            ArgumentKind::Motion
            | ArgumentKind::Claim { by: Side::Proposer, .. }
            | ArgumentKind::Appeal { .. }
            | ArgumentKind::Resolution { .. }
            | ArgumentKind::Intervention => self,
        }
    }

    /// Whether the opponent has argued since the last RULING.
    pub fn has_one(self) -> bool {
        self.done > 0
    }

    /// Whether the proposer may not answer with a CLAIM.
    pub fn is_over(self) -> bool {
        self.max.is_some_and(|max| self.done >= u64::from(max.get()))
    }
}
