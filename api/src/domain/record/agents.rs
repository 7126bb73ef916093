//! Which programs wrote the arguments of each role, and what they used.

use super::Entry;
use crate::domain::{agent::Agent, role::Role};

/// The starts of a program by a role, with one model and for one purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentsOfRole {
    /// The role
    pub role: Role,
    /// What they have in common, how many there were, and what they used together
    pub sums: Agent,
}

impl AgentsOfRole {
    /// How many starts there were.
    pub fn starts(&self) -> u64 {
        self.sums.usage.starts.unwrap_or(1)
    }

    fn is_of(&self, role: Role, agent: &Agent) -> bool {
        let Agent { program, model, purpose, usage: _ } = &self.sums;
        self.role == role && *program == agent.program && *model == agent.model && *purpose == agent.purpose
    }
}

/// The starts of all roles, in the order of [`Role::ALL`], and for each role in the order in which they first came.
pub(super) fn agents(entries: &[Entry]) -> Vec<AgentsOfRole> {
    let mut rows: Vec<AgentsOfRole> = Vec::new();
    for role in Role::ALL {
        for agent in entries.iter().filter(|entry| entry.role() == *role).flat_map(|entry| &entry.agents) {
            let usage = agent.usage.counted();
            match rows.iter_mut().find(|row| row.is_of(*role, agent)) {
                Some(row) => row.sums.usage = row.sums.usage.plus(usage),
                None => rows.push(AgentsOfRole { role: *role, sums: Agent { usage, ..agent.clone() } }),
            }
        }
    }
    rows
}
