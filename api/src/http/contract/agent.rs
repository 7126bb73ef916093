//! The programs that were started to write an argument, in requests and responses.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::plain_string::PlainString;
use crate::domain::{self, Role, Usage};

/// One start of a program to write an argument. What is not known is left out.
#[skip_serializing_none]
#[derive(Debug, Clone, Object, Serialize, Deserialize)]
pub struct Agent {
    /// The program, 1 to 100 characters
    pub program: Option<String>,
    /// The model, 1 to 100 characters
    pub model: Option<String>,
    /// What it was started for: `turn`, `review`, `reading`, or `failed` if it failed
    pub purpose: Option<String>,
    /// Tokens that the model read, cached ones included
    pub input_tokens: Option<u64>,
    /// Those of them that were cached
    pub cached_tokens: Option<u64>,
    /// Tokens that the model wrote
    pub output_tokens: Option<u64>,
    /// What it cost, in millionths of a US dollar
    pub cost_microusd: Option<u64>,
    /// How many seconds it took
    pub seconds: Option<u64>,
    /// How many paths changed meanwhile in the folder of the code
    pub changed_paths: Option<u64>,
}

impl From<&domain::Agent> for Agent {
    fn from(domain::Agent { program, model, purpose, usage }: &domain::Agent) -> Self {
        let Usage { input_tokens, cached_tokens, output_tokens, cost_microusd, seconds, changed_paths } = *usage;
        Self {
            program: program.clone(),
            model: model.clone(),
            purpose: purpose.map(|purpose| purpose.to_string()),
            input_tokens,
            cached_tokens,
            output_tokens,
            cost_microusd,
            seconds,
            changed_paths,
        }
    }
}

/// The starts of a program by a role, with one model and for one purpose. Sums are of those that told the number.
#[derive(Debug, Clone, Object, Serialize)]
pub struct RecordAgents {
    /// The role that wrote the arguments
    pub role: PlainString<Role>,
    /// How often it was started
    pub starts: u64,
    #[oai(flatten)]
    #[serde(flatten)]
    pub sums: Agent,
}

impl From<domain::AgentsOfRole> for RecordAgents {
    fn from(domain::AgentsOfRole { role, starts, sums }: domain::AgentsOfRole) -> Self {
        Self { role: role.into(), starts, sums: (&sums).into() }
    }
}
