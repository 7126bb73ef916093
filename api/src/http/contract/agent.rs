//! The programs that were started to write an argument, in requests and responses.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::plain_string::PlainString;
use crate::domain::{self, Role};

/// One start of a program to write an argument, or several of which the numbers are sums. What is not known is left out.
#[skip_serializing_none]
#[derive(Debug, Clone, Object, Serialize, Deserialize)]
pub struct Agent {
    /// The program, 1 to 100 characters
    pub program: Option<String>,
    /// The model, 1 to 100 characters
    pub model: Option<String>,
    /// What it was started for: `turn`, `review`, `reading`, or `failed` if it failed
    pub purpose: Option<String>,
    /// How many starts these are; left out for one
    pub starts: Option<u64>,
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
    /// How often it called a tool, such as one that reads a file
    pub calls: Option<u64>,
    /// How many of these calls failed
    pub failed_calls: Option<u64>,
    /// How many of these calls were not permitted
    pub denied_calls: Option<u64>,
}

impl From<&domain::Agent> for Agent {
    fn from(domain::Agent { program, model, purpose, usage }: &domain::Agent) -> Self {
        Self {
            program: program.clone(),
            model: model.clone(),
            purpose: purpose.map(|purpose| purpose.to_string()),
            starts: usage.starts,
            input_tokens: usage.input_tokens,
            cached_tokens: usage.cached_tokens,
            output_tokens: usage.output_tokens,
            cost_microusd: usage.cost_microusd,
            seconds: usage.seconds,
            changed_paths: usage.changed_paths,
            calls: usage.calls,
            failed_calls: usage.failed_calls,
            denied_calls: usage.denied_calls,
        }
    }
}

impl From<&Agent> for domain::Usage {
    fn from(agent: &Agent) -> Self {
        Self {
            input_tokens: agent.input_tokens,
            cached_tokens: agent.cached_tokens,
            output_tokens: agent.output_tokens,
            cost_microusd: agent.cost_microusd,
            seconds: agent.seconds,
            changed_paths: agent.changed_paths,
            starts: agent.starts,
            calls: agent.calls,
            failed_calls: agent.failed_calls,
            denied_calls: agent.denied_calls,
        }
    }
}

/// The starts of a program by a role, with one model and for one purpose. Sums are of those that told the number.
#[skip_serializing_none]
#[derive(Debug, Clone, Object, Serialize)]
pub struct RecordAgents {
    /// The role that wrote the arguments
    pub role: PlainString<Role>,
    /// How often it was started
    pub starts: u64,
    /// The program
    pub program: Option<String>,
    /// The model
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
    /// How often it called a tool, such as one that reads a file
    pub calls: Option<u64>,
    /// How many of these calls failed
    pub failed_calls: Option<u64>,
    /// How many of these calls were not permitted
    pub denied_calls: Option<u64>,
}

impl From<domain::AgentsOfRole> for RecordAgents {
    fn from(of_role: domain::AgentsOfRole) -> Self {
        let sums = Agent::from(&of_role.sums);
        Self {
            role: of_role.role.into(),
            starts: of_role.starts(),
            program: sums.program,
            model: sums.model,
            purpose: sums.purpose,
            input_tokens: sums.input_tokens,
            cached_tokens: sums.cached_tokens,
            output_tokens: sums.output_tokens,
            cost_microusd: sums.cost_microusd,
            seconds: sums.seconds,
            changed_paths: sums.changed_paths,
            calls: sums.calls,
            failed_calls: sums.failed_calls,
            denied_calls: sums.denied_calls,
        }
    }
}
