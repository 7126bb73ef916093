//! Changes of issues in request bodies.

use std::{borrow::Cow, collections::HashMap};

use poem_openapi::Object;
use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use crate::{
    app::Error,
    domain::{
        CHANGE_NOTE, ChangeFault, ISSUE_LOCATION, ISSUE_TITLE, MAX_CHANGES, RequestedChange, UncheckedChange,
        check_changes,
    },
};

/// The size of 50 changes with texts of full length in which each code point is escaped as two `\uXXXX`, in bytes.
pub const MAX_CHANGES_BYTES: usize =
    MAX_CHANGES * (12 * (ISSUE_TITLE.limit + ISSUE_LOCATION.limit + CHANGE_NOTE.limit) + 512);

/// A change of an issue that an argument is to carry.
///
/// `raise` needs `severity` and `title`, `regrade` needs `issue` and `severity`, `dispute`, `reopen` and `defer` need `issue` and
/// `note`, the others need `issue`.
#[derive(Debug, Object, Deserialize)]
pub struct IssueChangeSubmit {
    /// What it does. The opponent's CLAIM: `raise`, `resolve`, `withdraw`, `defer`, `reopen`, `regrade`. The proposer's CLAIM:
    /// `fix`, `dispute`. An APPEAL: `refer`. A RULING: `raise`, `regrade`, `uphold`, `dismiss`, `defer`, `reopen`.
    pub change: String,
    /// The id of the issue, such as `I1`; not on `raise`
    pub issue: Option<String>,
    /// Only on `raise` and `regrade`: `critical`, `high`, `medium` or `low`
    pub severity: Option<String>,
    /// Only on `raise`: what is wrong, in one line of 1 to 200 characters
    pub title: Option<String>,
    /// Only on `raise`: where it is, in one line of at most 300 characters
    pub location: Option<String>,
    /// An explanation of at most 1,000 characters
    pub note: Option<String>,
}

/// The field `issue_changes` of a body that cannot carry any: it may be absent, null or empty.
#[derive(Debug, Default, Clone, Copy)]
pub struct NoIssueChanges;

impl<'de> Deserialize<'de> for NoIssueChanges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = Box::<RawValue>::deserialize(deserializer)?;
        let text: String = given.get().split_ascii_whitespace().collect();
        match text.as_str() {
            "null" | "[]" => Ok(Self),
            _ => Err(de::Error::custom("an argument of this type carries no changes of issues; leave it out")),
        }
    }
}

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
