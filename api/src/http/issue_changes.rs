//! Converts and validates the changes of issues in request bodies.

use super::contract::IssueChangeSubmit;
use crate::{
    app::Error,
    domain::{ChangeFault, MAX_CHANGES, RequestedChange, UncheckedChange, check_changes},
};

/// The name of the field.
const FIELD: &str = "issue_changes";

/// Checks the changes of a body.
pub(super) fn issue_changes(changes: Option<Vec<IssueChangeSubmit>>) -> Result<Vec<RequestedChange>, Error> {
    let unchecked = |change: IssueChangeSubmit| {
        let IssueChangeSubmit { change, issue, severity, title, location, note } = change;
        UncheckedChange { change, issue, severity, title, location, note }
    };
    check_changes(changes.unwrap_or_default().into_iter().map(unchecked).collect()).map_err(error)
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
