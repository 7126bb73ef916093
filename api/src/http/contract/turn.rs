//! What the roles should and may do now, in responses.

use std::collections::BTreeMap;

use poem_openapi::Object;
use serde::Serialize;
use serde_with::skip_serializing_none;
use uuid::Uuid;

use super::plain_string::PlainString;
use crate::domain::{self, Action, ArgumentType, Debate, Ledger, Role};

/// What a role should and may do now.
#[derive(Debug, Clone, Object, Serialize)]
pub struct Turn {
    /// The role: `proposer`, `opponent` or `arbitrator`
    pub role: PlainString<Role>,
    /// What the role should do next: `respond`, `align_to_ruling`, `wait_for_opponent`, `wait_for_proposer`,
    /// `wait_for_ruling`, `watch`, `rule` or `debate_closed`
    pub action: PlainString<Action>,
    /// The argument types that the role may submit now, including a late delivery
    pub allowed: Vec<PlainString<ArgumentType>>,
    /// What fits now for the role, best first; empty if it waits
    pub moves: Vec<Move>,
}

/// An argument that fits now. It is legal as it stands, but for its text.
#[skip_serializing_none]
#[derive(Debug, Clone, Object, Serialize)]
pub struct Move {
    /// The type of the argument
    #[oai(rename = "type")]
    #[serde(rename = "type")]
    pub argument_type: PlainString<ArgumentType>,
    /// What the argument answers: the newest one that it may answer. Absent for a RULING
    pub target_id: Option<Uuid>,
    /// Only for a RULING: whether it closes the debate
    pub close: Option<bool>,
    /// The changes that the argument should carry and that need no text, each with the ids of the issues that it changes, at
    /// most the first 50 of those that are not settled
    pub issue_changes: BTreeMap<String, Vec<String>>,
}

impl From<domain::Turn> for Turn {
    fn from(domain::Turn { role, action, allowed, moves: fitting }: domain::Turn) -> Self {
        Self {
            role: role.into(),
            action: action.into(),
            allowed: allowed.into_iter().map(Into::into).collect(),
            moves: moves(fitting),
        }
    }
}

impl From<domain::Move> for Move {
    fn from(domain::Move { argument_type, target_id, close, issue_change }: domain::Move) -> Self {
        let change = issue_change.map(|(change, issues)| {
            let issues = issues.iter().map(ToString::to_string).collect();
            (change.as_str().to_owned(), issues)
        });
        Self {
            argument_type: argument_type.into(),
            target_id: target_id.map(|id| id.0),
            close,
            issue_changes: change.into_iter().collect(),
        }
    }
}

/// Moves in responses.
pub fn moves(moves: Vec<domain::Move>) -> Vec<Move> {
    moves.into_iter().map(Into::into).collect()
}

/// What each role should and may do now. `ledger` has the issues, if any of them is not settled.
pub fn turns(debate: &Debate, ledger: &Ledger) -> Vec<Turn> {
    debate.turns(ledger).into_iter().map(Into::into).collect()
}
