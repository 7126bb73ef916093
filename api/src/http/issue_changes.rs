//! Converts and validates the changes of issues in request bodies.

use std::{borrow::Cow, collections::HashMap};

use serde_json::value::RawValue;

use super::contract::IssueChangeSubmit;
use crate::{
    app::Error,
    domain::{
        CHANGE_NOTE, ChangeFault, ISSUE_LOCATION, ISSUE_TITLE, MAX_CHANGES, RequestedChange, UncheckedChange,
        check_changes,
    },
};

/// The name of the field.
pub(super) const FIELD: &str = "issue_changes";

/// Checks the changes of a body.
pub(super) fn issue_changes(changes: Option<Vec<IssueChangeSubmit>>) -> Result<Vec<RequestedChange>, Error> {
    let unchecked = |change: IssueChangeSubmit| {
        let IssueChangeSubmit { change, issue, severity, title, location, note } = change;
        UncheckedChange { change, issue, severity, title, location, note }
    };
    check_changes(changes.unwrap_or_default().into_iter().map(unchecked).collect()).map_err(error)
}

/// The error about the first text that is over its limit, in changes of a body that is invalid.
pub(super) fn too_large_text(changes: &RawValue) -> Option<Error> {
    let changes: Vec<&RawValue> = serde_json::from_str(changes.get()).ok()?;
    changes.into_iter().enumerate().find_map(|(index, change)| {
        let fields: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(change.get()).ok()?;
        [("title", ISSUE_TITLE), ("location", ISSUE_LOCATION), ("note", CHANGE_NOTE)].into_iter().find_map(
            |(name, rule)| {
                let text: Cow<'_, str> = serde_json::from_str(fields.get(name)?.get()).ok()?;
                let error = rule.check_size(&text).err()?;
                Some(Error::text(&format!("{FIELD}[{index}].{name}"), error))
            },
        )
    })
}

fn error(fault: ChangeFault) -> Error {
    match fault {
        ChangeFault::TooMany { actual } => {
            Error::invalid(FIELD, format!("has {actual} changes, an argument carries at most {MAX_CHANGES}"))
        }
        ChangeFault::Text { index, field, error } => Error::text(&format!("{FIELD}[{index}].{field}"), error),
        ChangeFault::Shape { index, field: Some(field), problem } => {
            Error::invalid(format!("{FIELD}[{index}].{field}"), problem)
        }
        ChangeFault::Shape { index, field: None, problem } => Error::invalid(format!("{FIELD}[{index}]"), problem),
    }
}
