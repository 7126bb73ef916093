//! Converts the agents of arguments to the JSON of their column and back.

use std::borrow::Cow;

use entity::argument;
use serde::{Deserialize, Serialize};

use super::row_errors::bad_argument;
use crate::{
    domain::{Agent, Usage},
    store::error::InconsistentRow,
};

/// An agent in the JSON of the column `agents`.
#[derive(Serialize, Deserialize)]
struct AgentJson<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    purpose: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    input_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cached_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cost_microusd: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    changed_paths: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    starts: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    calls: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed_calls: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    denied_calls: Option<u64>,
}

impl<'a> From<&'a Agent> for AgentJson<'a> {
    fn from(Agent { program, model, purpose, starts, usage }: &'a Agent) -> Self {
        Self {
            program: program.as_deref().map(Into::into),
            model: model.as_deref().map(Into::into),
            purpose: purpose.map(|purpose| purpose.as_str().into()),
            input_tokens: usage.input_tokens,
            cached_tokens: usage.cached_tokens,
            output_tokens: usage.output_tokens,
            cost_microusd: usage.cost_microusd,
            seconds: usage.seconds,
            changed_paths: usage.changed_paths,
            starts: *starts,
            calls: usage.calls,
            failed_calls: usage.failed_calls,
            denied_calls: usage.denied_calls,
        }
    }
}

/// The column `agents`; none if there are none.
pub(super) fn column(agents: &[Agent]) -> serde_json::Result<Option<String>> {
    if agents.is_empty() {
        return Ok(None);
    }
    serde_json::to_string(&agents.iter().map(AgentJson::from).collect::<Vec<_>>()).map(Some)
}

/// The agents of a row of `arguments`.
pub(super) fn agents(row: &argument::Model) -> Result<Vec<Agent>, InconsistentRow> {
    let Some(json) = &row.agents else { return Ok(Vec::new()) };
    let bad = |error: &dyn std::fmt::Display| bad_argument("agents", row, error);
    let agents: Vec<AgentJson> = serde_json::from_str(json).map_err(|error| bad(&error))?;
    let agent = |json: AgentJson| {
        Ok(Agent {
            program: json.program.map(Cow::into_owned),
            model: json.model.map(Cow::into_owned),
            purpose: json.purpose.map(|purpose| purpose.parse().map_err(|error| bad(&error))).transpose()?,
            starts: json.starts,
            usage: Usage {
                input_tokens: json.input_tokens,
                cached_tokens: json.cached_tokens,
                output_tokens: json.output_tokens,
                cost_microusd: json.cost_microusd,
                seconds: json.seconds,
                changed_paths: json.changed_paths,
                calls: json.calls,
                failed_calls: json.failed_calls,
                denied_calls: json.denied_calls,
            },
        })
    };
    agents.into_iter().map(agent).collect()
}
