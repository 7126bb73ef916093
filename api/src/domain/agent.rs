//! The programs that were started to write an argument, and what they used.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{
    string_enum::string_enum,
    text::{TextRule, Unit},
};

/// The most starts of programs that an argument may name.
pub const MAX_AGENTS: usize = 16;

/// The rule for the names of programs and models.
pub const AGENT_NAME: TextRule = TextRule { limit: 100, unit: Unit::Characters, may_be_empty: false };

/// The largest number, which is the largest that JSON has exactly everywhere.
pub const MAX_USED: u64 = (1 << 53) - 1;

string_enum! {
    /// What a program was started for.
    AgentPurpose {
        /// To write the argument
        Turn = "turn",
        /// To review the motion alone, before the opponent's first turn
        Review = "review",
        /// To read the plan and nothing of the debate
        Reading = "reading",
        /// It failed, and its answer was of no use
        Failed = "failed",
    }
}

/// One start of a program, or several of which the numbers are sums. What is not known is missing.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// The program
    pub program: Option<String>,
    /// The model that it used
    pub model: Option<String>,
    /// What it was started for
    pub purpose: Option<AgentPurpose>,
    /// The numbers
    #[serde(flatten)]
    pub usage: Usage,
}

/// How many starts there were, and what they used. What is not known is missing.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens that the model read, cached ones included
    pub input_tokens: Option<u64>,
    /// Those of them that were cached
    pub cached_tokens: Option<u64>,
    /// Tokens that the model wrote
    pub output_tokens: Option<u64>,
    /// What it cost, in millionths of a US dollar
    pub cost_microusd: Option<u64>,
    /// How long it took
    pub seconds: Option<u64>,
    /// How many paths changed meanwhile in the folder of the code
    pub changed_paths: Option<u64>,
    /// How many starts these are; one where it is missing
    pub starts: Option<u64>,
    /// How often it called a tool, such as one that reads a file
    pub calls: Option<u64>,
    /// How many of these calls failed
    pub failed_calls: Option<u64>,
    /// How many of these calls were not permitted
    pub denied_calls: Option<u64>,
}

impl Usage {
    /// The numbers with their names, in the order in which they are stored and hashed.
    pub fn fields(&self) -> [(&'static str, Option<u64>); 10] {
        [
            ("input_tokens", self.input_tokens),
            ("cached_tokens", self.cached_tokens),
            ("output_tokens", self.output_tokens),
            ("cost_microusd", self.cost_microusd),
            ("seconds", self.seconds),
            ("changed_paths", self.changed_paths),
            ("starts", self.starts),
            ("calls", self.calls),
            ("failed_calls", self.failed_calls),
            ("denied_calls", self.denied_calls),
        ]
    }

    /// The same, with the number of starts also where it is one.
    #[must_use]
    pub fn counted(self) -> Self {
        Self { starts: self.starts.or(Some(1)), ..self }
    }

    /// The sum of both. A sum over [`MAX_USED`] is that.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (Some(one), Some(other)) => Some(one.saturating_add(other).min(MAX_USED)),
            (one, other) => one.or(other),
        };
        Self {
            input_tokens: sum(self.input_tokens, other.input_tokens),
            cached_tokens: sum(self.cached_tokens, other.cached_tokens),
            output_tokens: sum(self.output_tokens, other.output_tokens),
            cost_microusd: sum(self.cost_microusd, other.cost_microusd),
            seconds: sum(self.seconds, other.seconds),
            changed_paths: sum(self.changed_paths, other.changed_paths),
            starts: sum(self.starts, other.starts),
            calls: sum(self.calls, other.calls),
            failed_calls: sum(self.failed_calls, other.failed_calls),
            denied_calls: sum(self.denied_calls, other.denied_calls),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_has_what_either_knows_and_stays_within_what_json_has_exactly() {
        let one = Usage { input_tokens: Some(MAX_USED), output_tokens: Some(2), ..Usage::default() };
        let other = Usage { input_tokens: Some(1), cached_tokens: Some(3), output_tokens: Some(5), ..Usage::default() };
        let sum =
            Usage { input_tokens: Some(MAX_USED), cached_tokens: Some(3), output_tokens: Some(7), ..Usage::default() };
        assert_eq!(one.plus(other), sum);
        assert_eq!(MAX_USED, 9_007_199_254_740_991);
    }
}
