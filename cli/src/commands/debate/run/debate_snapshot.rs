//! The debate as the server tells it now. A run keeps nothing of it.

use std::{fmt::Display, str::FromStr};

use uuid::Uuid;

use super::program::saw_nothing;
use crate::{
    client::{
        Client,
        types::{
            Agent, AgentPurpose, Argument, ArgumentType, DebateContext, DebateIssues, ErrorCode, Issue, Plan, Role,
            RulingRequest, StateName, Turn,
        },
    },
    output::{Code, Failure},
};

/// A debate with all its arguments and issues.
pub struct DebateSnapshot {
    /// The debate with its arguments
    pub context: DebateContext,
    /// All issues with their histories
    pub issues: Vec<Issue>,
}

impl DebateSnapshot {
    /// The debate as it is now; none if it is not open yet.
    pub async fn read(client: &Client, id: Uuid) -> Result<Option<Self>, Failure> {
        let context = client.send(|| client.api.debate_get_context(&id, None, None, None, None, None));
        let context = match context.await {
            Ok(context) => context.parsed,
            Err(failure) if failure.is(ErrorCode::DebateNotFound) => return Ok(None),
            Err(failure) => return Err(failure),
        };
        let issues = client.send::<DebateIssues, _>(|| client.api.debate_issues(&id, Some(true), None)).await?;
        Ok(Some(Self { context, issues: issues.parsed.issues }))
    }

    /// The state, on which the run acts.
    pub fn state(&self) -> Result<StateName, Failure> {
        known("the state", &self.context.debate.state)
    }

    pub fn is_closed(&self) -> bool {
        self.context.debate.state == StateName::Closed.to_string()
    }

    /// All arguments, from the motion on.
    pub fn arguments(&self) -> impl DoubleEndedIterator<Item = &Argument> {
        [&self.context.motion].into_iter().chain(&self.context.arguments)
    }

    pub fn of_role(&self, role: Role) -> impl DoubleEndedIterator<Item = &Argument> {
        self.arguments().filter(move |argument| argument.role == role.to_string())
    }

    /// The newest argument of a side.
    pub fn newest_of(&self, role: Role) -> Option<&Argument> {
        self.of_role(role).next_back()
    }

    pub fn newest(&self) -> &Argument {
        self.context.arguments.last().unwrap_or(&self.context.motion)
    }

    pub fn newest_seq(&self) -> u64 {
        self.newest().seq
    }

    /// What the role may do.
    pub fn turn(&self, role: Role) -> Option<&Turn> {
        self.context.turns.iter().find(|turn| turn.role == role.to_string())
    }

    /// The ids of the issues that are not settled.
    pub fn unsettled(&self) -> Vec<&str> {
        self.context.issues.iter().map(|issue| issue.id.as_str()).collect()
    }

    /// What asks for a ruling; none where none is due.
    pub fn ruling_request(&self) -> Option<&RulingRequest> {
        self.context.debate.ruling_request.as_ref()
    }

    /// Whether the opponent looked at nothing before its first CLAIM, and tells of no later one for which it did.
    pub fn opponent_saw_nothing(&self) -> bool {
        let claims = self.of_role(Role::Opponent).filter(|argument| argument.type_ == ArgumentType::Claim.to_string());
        let is_of_turn = |agent: &&Agent| agent.purpose == Some(AgentPurpose::Turn.to_string());
        let mut starts = claims.map(|claim| claim.agents.iter().rfind(is_of_turn));
        let is_blind = starts.next().flatten().is_some_and(saw_nothing);
        is_blind && !starts.flatten().any(|agent| agent.calls.is_some() && !saw_nothing(agent))
    }

    pub fn plan(&self) -> Option<&Plan> {
        self.context.debate.plan.as_ref()
    }
}

/// A value of an enumeration of the contract, on which somebody acts. One of a later version is a failure that names it.
pub fn known<T: FromStr>(what: &str, value: impl Display) -> Result<T, Failure> {
    value.to_string().parse().map_err(|_| {
        let problem = format!("{what} is {value}, which this version of aw does not know");
        Failure::new(Code::InternalError, problem).with_suggestion("Update aw to the version of the server")
    })
}

#[cfg(test)]
pub mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// An argument with these fields, the others as in a claim of the opponent.
    pub fn argument(fields: Value) -> Argument {
        let nil = Uuid::nil();
        with_fields(
            json!({"id": nil, "debate_id": nil, "parent_id": null, "type": "CLAIM", "role": "opponent", "seq": 2,
                   "content": "c", "created_at": "2026-01-31T10:00:00Z"}),
            fields,
        )
    }

    /// An issue with these fields, the others as in one that is open.
    pub fn issue(fields: Value) -> Issue {
        with_fields(
            json!({"id": "I1", "severity": "high", "title": "Lost", "location": null, "status": "open", "note": null,
                   "raised_by": "opponent", "raised_seq": 2, "changed_seq": 2, "upheld": false, "referred": false,
                   "reopened": 0, "stalled": false, "settled": false, "blocking": true}),
            fields,
        )
    }

    /// A debate with its motion and these arguments, whose row has these fields besides.
    pub fn snapshot(debate: Value, arguments: Vec<Argument>) -> DebateSnapshot {
        let counts = json!({"open": 0, "fixed": 0, "disputed": 0, "unsettled": 0, "resolved": 0, "withdrawn": 0,
                            "dismissed": 0, "deferred": 0, "blocking": 0});
        let row = json!({"id": Uuid::nil(), "title": "T", "debate_type": "general_debate", "state": "AWAITING_PROPOSER",
                         "created_at": "2026-01-31T10:00:00Z", "updated_at": "2026-01-31T10:00:00Z", "last_seq": 2,
                         "max_rounds": null, "rounds": 0, "issue_counts": counts, "plan": null, "ruling_request": null,
                         "seats": {"proposer": false, "opponent": false}});
        let motion = argument(json!({"seq": 1, "type": "MOTION", "role": "proposer"}));
        let context = DebateContext {
            debate: with_fields(row, debate),
            motion,
            arguments,
            omitted: 0,
            earlier_rulings: Vec::new(),
            turns: Vec::new(),
            issues: Vec::new(),
            seat: None,
        };
        DebateSnapshot { context, issues: Vec::new() }
    }

    fn with_fields<T: serde::de::DeserializeOwned>(mut all: Value, fields: Value) -> T {
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        serde_json::from_value(all).unwrap()
    }

    #[test]
    fn a_state_of_a_later_version_is_named() {
        let failure = snapshot(json!({"state": "PAUSED"}), Vec::new()).state().unwrap_err();
        assert!(failure.message.contains("PAUSED"), "{}", failure.message);
        assert_eq!(snapshot(json!({}), Vec::new()).state().unwrap(), StateName::AwaitingProposer);
    }
}
