//! Changes of issues in request bodies.

use std::{borrow::Cow, collections::HashMap};

use poem_openapi::Object;
use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use crate::{
    app::Error,
    domain::{
        CHANGE_NOTE, ChangeFault, ISSUE_LOCATION, ISSUE_TITLE, IssueChange, MAX_CHANGES, RequestedChange,
        UncheckedChange, check_changes,
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

/// The changes of a body before they are checked.
impl From<IssueChangeSubmit> for UncheckedChange {
    fn from(change: IssueChangeSubmit) -> Self {
        let IssueChangeSubmit { change, issue, severity, title, location, note } = change;
        Self { change, issue, severity, title, location, note }
    }
}

/// Checks the changes in a field of a body.
pub(super) fn issue_changes(field: &str, changes: Vec<IssueChangeSubmit>) -> Result<Vec<RequestedChange>, Error> {
    check_changes(changes.into_iter().map(Into::into).collect()).map_err(|fault| error(field, fault))
}

/// Checks the changes that an option decides, in a field of a body. They are of issues that are there.
pub(super) fn changes_of_option(field: &str, changes: Vec<IssueChangeSubmit>) -> Result<Vec<IssueChange>, Error> {
    let of_issue = |(index, change): (usize, RequestedChange)| {
        let message = "is raise; an option changes issues that are there";
        let issue = change.issue.ok_or_else(|| Error::invalid(format!("{field}[{index}].change"), message))?;
        Ok(change.with_issue(issue))
    };
    issue_changes(field, changes)?.into_iter().enumerate().map(of_issue).collect()
}

/// The error about the first text that is over its limit, in the changes of a field.
pub(super) fn check_sizes(field: &str, changes: &[IssueChangeSubmit]) -> Result<(), Error> {
    for (index, change) in changes.iter().enumerate() {
        for ((name, rule), text) in
            UncheckedChange::TEXTS.into_iter().zip([&change.title, &change.location, &change.note])
        {
            let size = rule.check_size(text.as_deref().unwrap_or_default());
            size.map_err(|error| Error::text(&format!("{field}[{index}].{name}"), error))?;
        }
    }
    Ok(())
}

/// The error about the first text that is over its limit, in the changes of a field of a body that is invalid.
pub(super) fn too_large_text(field: &str, changes: &RawValue) -> Option<Error> {
    let changes: Vec<&RawValue> = serde_json::from_str(changes.get()).ok()?;
    changes.into_iter().enumerate().find_map(|(index, change)| {
        let fields: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(change.get()).ok()?;
        UncheckedChange::TEXTS.into_iter().find_map(|(name, rule)| {
            let text: Cow<'_, str> = serde_json::from_str(fields.get(name)?.get()).ok()?;
            let error = rule.check_size(&text).err()?;
            Some(Error::text(&format!("{field}[{index}].{name}"), error))
        })
    })
}

/// The same in the options of a body that is invalid.
pub(super) fn too_large_text_of_option(options: &RawValue) -> Option<Error> {
    let options: Vec<&RawValue> = serde_json::from_str(options.get()).ok()?;
    options.into_iter().enumerate().find_map(|(number, option)| {
        let fields: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(option.get()).ok()?;
        too_large_text(&field_of_option(number), fields.get(FIELD)?)
    })
}

/// The name of the field of an option, counted from 0.
pub(super) fn field_of_option(number: usize) -> String {
    format!("options[{number}].{FIELD}")
}

fn error(list: &str, fault: ChangeFault) -> Error {
    match fault {
        ChangeFault::TooMany { actual } => {
            Error::invalid(list, format!("has {actual} changes; there may be at most {MAX_CHANGES}"))
        }
        ChangeFault::Text { index, field, error } => Error::text(&format!("{list}[{index}].{field}"), error),
        ChangeFault::Shape { index, field: Some(field), problem } => {
            Error::invalid(format!("{list}[{index}].{field}"), problem)
        }
        ChangeFault::Shape { index, field: None, problem } => Error::invalid(format!("{list}[{index}]"), problem),
    }
}
