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
    /// How many starts these are; one where it is missing
    pub starts: Option<u64>,
    /// What they used
    #[serde(flatten)]
    pub usage: Usage,
}

impl Agent {
    /// The numbers with their names.
    pub fn numbers(&self) -> impl Iterator<Item = (&'static str, u64)> + use<> {
        let numbers = [("starts", self.starts)].into_iter().chain(self.usage.fields());
        numbers.filter_map(|(name, number)| number.map(|number| (name, number)))
    }
}

/// Calls a macro with the fields of [`Usage`] in the order in which they are hashed: the only list of them.
macro_rules! usage_fields {
    ($macro:ident) => {
        $macro! {
            /// Tokens that the model read, cached ones included
            input_tokens,
            /// Those of them that were cached
            cached_tokens,
            /// Tokens that the model wrote
            output_tokens,
            /// What it cost, in millionths of a US dollar
            cost_microusd,
            /// How many seconds it took
            seconds,
            /// How many paths changed meanwhile in the folder of the code
            changed_paths,
            /// How often it called a tool, such as one that reads a file
            calls,
            /// How many of these calls failed
            failed_calls,
            /// How many of these calls were not permitted
            denied_calls,
        }
    };
}

pub(crate) use usage_fields;

macro_rules! usage {
    ($($(#[$($doc:tt)+])+ $field:ident,)+) => {
        /// What starts of a program used. What is not known is missing.
        #[skip_serializing_none]
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Usage {
            $($(#[$($doc)+])+ pub $field: Option<u64>,)+
        }

        impl Usage {
            /// The names of the fields.
            pub const NAMES: &[&str] = &[$(stringify!($field)),+];

            /// The fields with their names, in the order in which they are hashed.
            pub fn fields(&self) -> [(&'static str, Option<u64>); Self::NAMES.len()] {
                [$((stringify!($field), self.$field)),+]
            }

            /// The sum of both. A sum over [`MAX_USED`] is that.
            #[must_use]
            pub fn plus(self, other: Self) -> Self {
                let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
                    (Some(one), Some(other)) => Some(one.saturating_add(other).min(MAX_USED)),
                    (one, other) => one.or(other),
                };
                Self { $($field: sum(self.$field, other.$field)),+ }
            }
        }
    };
}

usage_fields!(usage);

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
