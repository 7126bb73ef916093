//! Which programs wrote the arguments of each role, and what they used.

use serde::Serialize;
use serde_with::skip_serializing_none;

use super::Entry;
use crate::domain::{
    agent::{Agent, AgentPurpose, MAX_USED, Usage},
    role::Role,
};

/// The starts of a program by a role, with one model and for one purpose.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentsOfRole {
    /// The role
    pub role: Role,
    /// How often it was started
    pub starts: u64,
    /// The program
    pub program: Option<String>,
    /// The model that it used
    pub model: Option<String>,
    /// What it was started for
    pub purpose: Option<AgentPurpose>,
    /// What all starts used together
    #[serde(flatten)]
    pub usage: Usage,
}

/// The starts of all roles, in the order of [`Role::ALL`], and for each role in the order in which they first came.
pub(super) fn agents(entries: &[Entry]) -> Vec<AgentsOfRole> {
    let mut rows: Vec<AgentsOfRole> = Vec::new();
    for &role in Role::ALL {
        for agent in entries.iter().filter(|entry| entry.role() == role).flat_map(|entry| &entry.agents) {
            let Agent { program, model, purpose, starts, usage } = agent.clone();
            let starts = starts.unwrap_or(1);
            let same = |row: &&mut AgentsOfRole| {
                row.role == role && row.program == program && row.model == model && row.purpose == purpose
            };
            match rows.iter_mut().find(same) {
                Some(row) => {
                    row.starts = row.starts.saturating_add(starts).min(MAX_USED);
                    row.usage = row.usage.plus(usage);
                }
                None => rows.push(AgentsOfRole { role, starts, program, model, purpose, usage }),
            }
        }
    }
    rows
}
