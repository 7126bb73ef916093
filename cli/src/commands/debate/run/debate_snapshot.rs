//! The debate as the server tells it now. A run keeps nothing of it.

use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;
use uuid::Uuid;

use super::program::saw_nothing;
use crate::{
    client::{
        Client,
        types::{Agent, Plan, Role, RulingRequest, StateName},
    },
    output::Failure,
};

/// A debate with all its arguments and issues.
pub struct DebateSnapshot {
    /// What GET `/debates/{id}` answered
    pub context: Value,
    /// All issues with their histories
    pub issues: Vec<Value>,
}

impl DebateSnapshot {
    /// The debate as it is now; none if it is not open yet.
    pub async fn read(client: &Client, id: Uuid) -> Result<Option<Self>, Failure> {
        let context = client.send::<IgnoredAny, _>(|| client.api.debate_get_context(&id, None, None, None, None, None));
        let context = match context.await {
            Ok(context) => context.data,
            Err(failure) if failure.code == "DEBATE_NOT_FOUND" => return Ok(None),
            Err(failure) => return Err(failure),
        };
        let issues = client.send::<IgnoredAny, _>(|| client.api.debate_issues(&id, Some(true), None)).await?;
        let issues = issues.data["issues"].as_array().cloned().unwrap_or_default();
        Ok(Some(Self { context, issues }))
    }

    pub fn state(&self) -> &str {
        self.context["debate"]["state"].as_str().unwrap_or_default()
    }

    pub fn is_closed(&self) -> bool {
        self.state() == StateName::Closed.to_string()
    }

    /// All arguments, from the motion on.
    pub fn arguments(&self) -> impl DoubleEndedIterator<Item = &Value> {
        [&self.context["motion"]].into_iter().chain(self.context["arguments"].as_array().into_iter().flatten())
    }

    pub fn of_role(&self, role: &str) -> impl DoubleEndedIterator<Item = &Value> {
        self.arguments().filter(move |argument| argument["role"] == role)
    }

    /// The newest argument of a side.
    pub fn newest_of(&self, role: &str) -> Option<&Value> {
        self.of_role(role).next_back()
    }

    pub fn newest(&self) -> &Value {
        self.arguments().next_back().unwrap_or(&Value::Null)
    }

    pub fn newest_seq(&self) -> u64 {
        self.newest()["seq"].as_u64().unwrap_or_default()
    }

    /// What the role may do.
    pub fn turn(&self, role: Role) -> &Value {
        let mut turns = self.context["turns"].as_array().into_iter().flatten();
        turns.find(|turn| turn["role"] == role.to_string()).unwrap_or(&Value::Null)
    }

    /// The ids of the issues that are not settled.
    pub fn unsettled(&self) -> Vec<String> {
        let unsettled = self.context["issues"].as_array().into_iter().flatten();
        unsettled.filter_map(|issue| issue["id"].as_str()).map(str::to_owned).collect()
    }

    /// What asks for a ruling; none where none is due.
    pub fn ruling_request(&self) -> Option<RulingRequest> {
        RulingRequest::deserialize(&self.context["debate"]["ruling_request"]).ok()
    }

    /// Whether the opponent looked at nothing before its first CLAIM, and tells of no later one for which it did.
    pub fn opponent_saw_nothing(&self) -> bool {
        let claims = self.of_role("opponent").filter(|argument| argument["type"] == "CLAIM");
        let written_by = |claim: &Value| {
            let mut agents = claim["agents"].as_array().into_iter().flatten();
            Agent::deserialize(agents.rfind(|agent| agent["purpose"] == "turn")?).ok()
        };
        let mut starts = claims.map(written_by);
        let is_blind = starts.next().flatten().is_some_and(|agent| saw_nothing(&agent));
        is_blind && !starts.flatten().any(|agent| agent.calls.is_some() && !saw_nothing(&agent))
    }

    pub fn plan(&self) -> Option<Plan> {
        Plan::deserialize(&self.context["debate"]["plan"]).ok()
    }
}

/// The id in a field.
pub fn id_in(value: &Value) -> Option<Uuid> {
    value.as_str()?.parse().ok()
}
