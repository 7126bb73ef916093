//! The known values of strings in responses, which later versions may add to.
//!
//! They are no `enum`, since a client that is generated from it would refuse a new value.

use serde_json::{Value, json};

use super::schemas::for_each_typed_property;
use crate::{
    domain::{
        Action, AgentPurpose, ArgumentType, ChangeField, ChangeName, DebateType, IssueStatus, Outcome, Role,
        SearchKind, SeatHolder, Severity, StateName, may_carry,
    },
    http::ErrorCode,
};

/// Adds the known values of all properties that have some.
pub(super) fn add(contract: &mut Value) {
    for_each_typed_property(contract, |schema, property, description| {
        let Some(values) = known_values(schema, property) else { return };
        let described = match description.get_mut("items") {
            Some(items) => items.as_object_mut(),
            None => Some(description),
        };
        if let Some(described) = described {
            described.insert("x-extensible-enum".to_owned(), json!(values));
        }
    });
}

fn known_values(schema: &str, property: &str) -> Option<Vec<&'static str>> {
    Some(match (schema, property) {
        (_, "action") => names(Action::ALL, Action::as_str),
        ("Error", "code") => names(ErrorCode::ALL, ErrorCode::as_str),
        (_, "state" | "debate_state" | "current_state") => names(StateName::ALL, StateName::as_str),
        (_, "type" | "allowed") => names(ArgumentType::ALL, ArgumentType::as_str),
        (_, "role" | "allowed_roles") => names(Role::ALL, Role::as_str),
        (_, "raised_by") => names(Role::ALL.iter().filter(|role| may(**role, ChangeName::Raise)), Role::as_str),
        (_, "deferred_by") => names(Role::ALL.iter().filter(|role| may(**role, ChangeName::Defer)), Role::as_str),
        (_, "debate_type" | "debate_types") => names(DebateType::ALL, DebateType::as_str),
        (_, "kind") => names(SearchKind::ALL, SearchKind::as_str),
        (_, "purpose") => names(AgentPurpose::ALL, AgentPurpose::as_str),
        ("IssueMay", _) => {
            names(ChangeName::ALL.iter().filter(|change| **change != ChangeName::Raise), ChangeName::as_str)
        }
        ("IssueChangeRule", "needs") => names(ChangeField::ALL, ChangeField::as_str),
        ("DebateContext", "seat") => names(SeatHolder::ALL, SeatHolder::as_str),
        (_, "change" | "allowed_changes") => names(ChangeName::ALL, ChangeName::as_str),
        ("Record", "outcome") => names(Outcome::ALL, Outcome::as_str),
        (_, "on") => {
            names(&[ArgumentType::Appeal, ArgumentType::Resolution, ArgumentType::Intervention], ArgumentType::as_str)
        }
        ("BlockingIssue", "severity") => {
            names(Severity::ALL.iter().filter(|severity| severity.is_blocking()), Severity::as_str)
        }
        (_, "severity") => names(Severity::ALL, Severity::as_str),
        ("BlockingIssue", "status") => {
            names(IssueStatus::ALL.iter().filter(|status| !status.is_settled()), IssueStatus::as_str)
        }
        (_, "reading" | "writing") => vec!["ok", "failing"],
        ("Issue" | "Error", "status") => names(IssueStatus::ALL, IssueStatus::as_str),
        _ => return None,
    })
}

fn may(role: Role, change: ChangeName) -> bool {
    ArgumentType::ALL.iter().any(|argument_type| may_carry(*argument_type, role, change))
}

fn names<'a, T: Copy + 'a>(
    values: impl IntoIterator<Item = &'a T>,
    name: impl Fn(T) -> &'static str,
) -> Vec<&'static str> {
    values.into_iter().map(|value| name(*value)).collect()
}
