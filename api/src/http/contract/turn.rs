//! What the roles should and may do now, in responses.

use std::collections::BTreeMap;

use poem_openapi::Object;
use uuid::Uuid;

use crate::domain::{self, Action, ArgumentType, Role};

/// What a role should and may do now.
#[derive(Object)]
pub struct Turn {
    /// The role: `proposer`, `opponent` or `arbitrator`
    role: Role,
    /// What the role should do next: `respond`, `align_to_ruling`, `wait_for_opponent`, `wait_for_proposer`,
    /// `wait_for_ruling`, `watch`, `rule` or `debate_closed`
    action: Action,
    /// The argument types that the role may submit now, including a late delivery
    allowed: Vec<ArgumentType>,
    /// What fits now for the role, best first; empty if it waits
    moves: Vec<domain::Move>,
}

/// An argument that fits now. It is legal as it stands, but for its text.
#[derive(Object)]
pub struct Move {
    /// The type of the argument
    #[oai(rename = "type")]
    argument_type: ArgumentType,
    /// What the argument answers: the newest one that it may answer. Absent for a RULING
    target_id: Option<Uuid>,
    /// Only for a RULING: whether it closes the debate
    close: Option<bool>,
    /// The changes that the argument should carry and that need no text, each with the ids of the issues that it changes, at
    /// most the first 50 of those that are not settled
    issue_changes: BTreeMap<String, Vec<String>>,
}
