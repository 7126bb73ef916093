//! Changes of issues in request bodies.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use poem_openapi::Object;
use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use crate::{
    app::Error,
    domain::{
        CHANGE_NOTE, ChangeField, ChangeName, ISSUE_LOCATION, ISSUE_TITLE, IssueChange, IssueNumber, MAX_CHANGES,
        RequestedChange, Severity, TextRule, UnknownValue,
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

/// The texts of a change, and their rules.
const TEXTS: [(&str, TextRule); 3] = [("title", ISSUE_TITLE), ("location", ISSUE_LOCATION), ("note", CHANGE_NOTE)];

impl IssueChangeSubmit {
    /// The [`TEXTS`].
    fn texts(&self) -> [Option<&str>; 3] {
        [self.title.as_deref(), self.location.as_deref(), self.note.as_deref()]
    }

    /// Checks everything but what depends on the debate. `place` is that of the change in the body.
    fn check(self, place: &str) -> Result<RequestedChange, Error> {
        let path = |field: &str| format!("{place}.{field}");
        let fault = |field: &str, problem: String| Error::invalid(path(field), problem);
        let name: ChangeName = self.change.parse().map_err(|error: UnknownValue| fault("change", error.to_string()))?;
        for ((field, rule), text) in TEXTS.into_iter().zip(self.texts()) {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                rule.check(text).map_err(|error| Error::text(&path(field), error))?;
                if field != "note" && text.contains(['\n', '\r']) {
                    return Err(fault(field, "has a line break; it is one line".to_owned()));
                }
            }
        }
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let Self { change: _, issue, severity, title, location, note } = self;
        let (location, note) = (given(location), given(note));
        let no_use = |field, given: bool| match given {
            true => Err(fault(field, format!("is of no use for {name}; leave it out"))),
            false => Ok(()),
        };
        let needs = |field| name.needs().contains(&field);
        let severity = match severity {
            Some(text) if needs(ChangeField::Severity) => {
                Some(text.parse::<Severity>().map_err(|error| fault("severity", error.to_string()))?)
            }
            None if needs(ChangeField::Severity) => {
                return Err(fault("severity", format!("is missing, {name} needs it: critical, high, medium or low")));
            }
            useless => {
                no_use("severity", useless.is_some())?;
                None
            }
        };
        let issue = match issue {
            useless if name == ChangeName::Raise => {
                no_use("issue", useless.is_some())?;
                None
            }
            Some(text) => Some(
                text.parse::<IssueNumber>().map_err(|error| fault("issue", format!("is {text:?}, which {error}")))?,
            ),
            None => {
                return Err(fault("issue", format!("is missing, {name} needs the id of an issue, such as I1")));
            }
        };
        if !needs(ChangeField::Title) {
            no_use("title", title.is_some())?;
            no_use("location", location.is_some())?;
        }
        if needs(ChangeField::Note) && note.is_none() {
            return Err(fault("note", format!("is missing, {name} needs one that says why")));
        }
        let title = given(title);
        if needs(ChangeField::Title) && title.is_none() {
            return Err(fault("title", format!("is missing, {name} needs it")));
        }
        Ok(RequestedChange { change: name, issue, severity, title, location, note })
    }
}

/// Checks the changes in a field of a body, but for the sizes of their texts.
pub(super) fn issue_changes(field: &str, changes: Vec<IssueChangeSubmit>) -> Result<Vec<RequestedChange>, Error> {
    if changes.len() > MAX_CHANGES {
        let message = format!("has {} changes; there may be at most {MAX_CHANGES}", changes.len());
        return Err(Error::invalid(field, message));
    }
    let mut changed = HashSet::new();
    let check = |(index, change): (usize, IssueChangeSubmit)| {
        let place = format!("{field}[{index}]");
        let requested = change.check(&place)?;
        match requested.issue {
            Some(issue) if !changed.insert(issue) => {
                Err(Error::invalid(place, format!("is a second change of {issue}; an issue is changed once")))
            }
            Some(_) | None => Ok(requested),
        }
    };
    changes.into_iter().enumerate().map(check).collect()
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

/// The error about the first of the [`TEXTS`] of a change that is over its limit.
fn too_large<T: AsRef<str>>(place: &str, texts: [Option<T>; 3]) -> Option<Error> {
    TEXTS.into_iter().zip(texts).find_map(|((name, rule), text)| {
        let error = rule.check_size(text?.as_ref()).err()?;
        Some(Error::text(&format!("{place}.{name}"), error))
    })
}

/// Checks the lengths of the texts in the changes of a field, which is done before anything else is checked.
pub(super) fn check_sizes(field: &str, changes: &[IssueChangeSubmit]) -> Result<(), Error> {
    let mut changes = changes.iter().enumerate();
    changes.find_map(|(index, change)| too_large(&format!("{field}[{index}]"), change.texts())).map_or(Ok(()), Err)
}

/// The error about the first text that is over its limit, in the changes of a field of a body that is invalid.
pub(super) fn too_large_text(field: &str, changes: &RawValue) -> Option<Error> {
    let changes: Vec<&RawValue> = serde_json::from_str(changes.get()).ok()?;
    changes.into_iter().enumerate().find_map(|(index, change)| {
        let fields: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(change.get()).ok()?;
        let text = |(name, _)| serde_json::from_str::<String>(fields.get(name)?.get()).ok();
        too_large(&format!("{field}[{index}]"), TEXTS.map(text))
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A change of I9, and this one.
    fn checked(change: &Value) -> Result<Vec<RequestedChange>, Error> {
        let changes = json!([{ "change": "resolve", "issue": "I9" }, change]);
        issue_changes(FIELD, serde_json::from_value(changes).unwrap())
    }

    #[test]
    fn what_is_wrong_with_a_change_whatever_the_debate_is_like() {
        let cases = [
            json!({ "change": "close" }),
            json!({ "change": "raise", "title": "T" }),
            json!({ "change": "raise", "severity": "High", "title": "T" }),
            json!({ "change": "raise", "severity": "high" }),
            json!({ "change": "raise", "severity": "high", "title": "" }),
            json!({ "change": "raise", "severity": "high", "title": "two\nlines" }),
            json!({ "change": "raise", "severity": "high", "title": "T", "location": "two\rlines" }),
            json!({ "change": "raise", "severity": "high", "title": "T", "issue": "I1" }),
            json!({ "change": "raise", "severity": "high", "title": "bell \u{7}" }),
            json!({ "change": "fix" }),
            json!({ "change": "fix", "issue": "1" }),
            json!({ "change": "fix", "issue": "I0" }),
            json!({ "change": "fix", "issue": "I01" }),
            json!({ "change": "fix", "issue": "I+1" }),
            json!({ "change": "fix", "issue": "I" }),
            json!({ "change": "fix", "issue": "I1", "severity": "high" }),
            json!({ "change": "fix", "issue": "I1", "title": "T" }),
            json!({ "change": "fix", "issue": "I1", "location": "src" }),
            json!({ "change": "dispute", "issue": "I1" }),
            json!({ "change": "reopen", "issue": "I1", "note": "" }),
            json!({ "change": "regrade", "issue": "I1" }),
            json!({ "change": "defer", "issue": "I1" }),
            json!({ "change": "fix", "issue": "I9" }),
        ];
        let table: String = cases.map(|case| format!("{case}\n    {}\n", checked(&case).unwrap_err())).concat();
        insta::assert_snapshot!(table);
    }

    #[test]
    fn empty_texts_are_as_if_absent() {
        let empty = checked(&json!({ "change": "fix", "issue": "I1", "location": "", "note": "" }));
        assert_eq!(empty.unwrap(), checked(&json!({ "change": "fix", "issue": "I1" })).unwrap());
    }
}
