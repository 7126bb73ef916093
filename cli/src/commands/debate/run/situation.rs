//! The debate as the server tells it now. A run keeps nothing of it.

use serde_json::Value;
use uuid::Uuid;

use crate::client::types::Role;

/// A debate with all its arguments and issues.
pub struct Situation {
    /// What GET `/debates/{id}` answered
    pub context: Value,
    /// All issues with their histories
    pub issues: Vec<Value>,
}

impl Situation {
    pub fn state(&self) -> &str {
        self.context["debate"]["state"].as_str().unwrap_or_default()
    }

    /// All arguments, from the motion on.
    pub fn arguments(&self) -> impl DoubleEndedIterator<Item = &Value> {
        [&self.context["motion"]].into_iter().chain(self.context["arguments"].as_array().into_iter().flatten())
    }

    pub fn of_role(&self, role: &str) -> impl DoubleEndedIterator<Item = &Value> {
        self.arguments().filter(move |argument| argument["role"] == role)
    }

    pub fn newest(&self) -> &Value {
        self.arguments().next_back().unwrap_or(&Value::Null)
    }

    pub fn newest_seq(&self) -> u64 {
        self.newest()["seq"].as_u64().unwrap_or_default()
    }

    fn turn(&self, role: Role) -> Option<&Value> {
        let turns = self.context["turns"].as_array()?;
        turns.iter().find(|turn| turn["role"] == role.to_string())
    }

    /// What the role has to do.
    pub fn action(&self, role: Role) -> &str {
        self.turn(role).and_then(|turn| turn["action"].as_str()).unwrap_or_default()
    }

    /// What fits for the role, best first.
    pub fn moves(&self, role: Role) -> Vec<Value> {
        self.turn(role).and_then(|turn| turn["moves"].as_array()).cloned().unwrap_or_default()
    }

    /// The ids of the issues that are not settled.
    pub fn unsettled(&self) -> Vec<String> {
        let unsettled = self.context["issues"].as_array().into_iter().flatten();
        unsettled.filter_map(|issue| issue["id"].as_str()).map(str::to_owned).collect()
    }

    pub fn plan(&self) -> Option<Plan> {
        let plan = &self.context["debate"]["plan"];
        Some(Plan {
            document: plan["document_id"].as_str()?.parse().ok()?,
            version: plan["version"].as_u64()?,
            seen: plan["seen_version"].as_u64(),
        })
    }
}

/// The plan of a debate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    pub document: Uuid,
    pub version: u64,
    /// The version that the opponent saw last
    pub seen: Option<u64>,
}

/// The id in a field.
pub fn id_in(value: &Value) -> Option<Uuid> {
    value.as_str()?.parse().ok()
}
