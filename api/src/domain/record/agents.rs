//! Which programs wrote the arguments of each role, and what they used.

use super::Entry;
use crate::domain::{agent::Agent, role::Role};

/// The starts of a program by a role, with one model and for one purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentsOfRole {
    /// The role
    pub role: Role,
    /// How many there were
    pub starts: u64,
    /// What they have in common, and what they used together
    pub sums: Agent,
}

impl AgentsOfRole {
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
            match rows.iter_mut().find(|row| row.is_of(*role, agent)) {
                Some(row) => {
                    row.starts += 1;
                    row.sums.usage = row.sums.usage.plus(agent.usage);
                }
                None => rows.push(AgentsOfRole { role: *role, starts: 1, sums: agent.clone() }),
            }
        }
    }
    rows
}
