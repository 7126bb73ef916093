//! Changes of issues as requests and arguments carry them, and what is wrong with a change whatever the debate is like.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{CHANGE_NOTE, ChangeField, ChangeName, ISSUE_LOCATION, ISSUE_TITLE, IssueNumber, MAX_CHANGES, Severity};
use crate::domain::{
    UnknownValue,
    text::{TextError, TextRule},
};

/// A change of one issue that an argument carries.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueChange<Number = IssueNumber> {
    /// What it does
    pub change: ChangeName,
    /// The issue; the new one's if it is raised
    pub issue: Number,
    /// The severity that a `raise` and a `regrade` set
    pub severity: Option<Severity>,
    /// On a `raise`: what is wrong, in one line
    pub title: Option<String>,
    /// On a `raise`: where, such as a file or a section of the plan
    pub location: Option<String>,
    /// An explanation
    pub note: Option<String>,
}

/// A change that a request asks for, whose parts are all there. An issue that is to be raised has no number yet.
pub type RequestedChange = IssueChange<Option<IssueNumber>>;

impl<Number> IssueChange<Number> {
    /// The same change of an issue that is named in another way.
    pub(crate) fn with_issue<Other>(self, issue: Other) -> IssueChange<Other> {
        let Self { change, issue: _, severity, title, location, note } = self;
        IssueChange { change, issue, severity, title, location, note }
    }

    /// Which severity or title it lacks, if it does; a change that was checked lacks none.
    pub fn lacks(&self) -> Option<ChangeField> {
        let lacks = |field: &&ChangeField| match field {
            ChangeField::Severity => self.severity.is_none(),
            ChangeField::Title => self.title.is_none(),
            ChangeField::Note => false,
        };
        self.change.needs().iter().find(lacks).copied()
    }

    /// The length of its texts, in bytes.
    pub fn text_bytes(&self) -> usize {
        [&self.title, &self.location, &self.note].into_iter().flatten().map(String::len).sum()
    }
}

impl From<&IssueChange> for RequestedChange {
    /// The request for a change that is made already.
    fn from(made: &IssueChange) -> Self {
        let issue = (made.change != ChangeName::Raise).then_some(made.issue);
        made.clone().with_issue(issue)
    }
}

impl RequestedChange {
    /// Whether `stored` is what this request stored before.
    pub fn is_repeated_by(&self, stored: &IssueChange) -> bool {
        let IssueChange { change, issue, severity, title, location, note } = stored;
        self.issue.is_none_or(|asked| asked == *issue)
            && (self.change, self.severity) == (*change, *severity)
            && (&self.title, &self.location, &self.note) == (title, location, note)
    }
}

#[cfg(test)]
impl<Number> IssueChange<Number> {
    /// A change without anything that is optional.
    pub fn of(change: ChangeName, issue: Number) -> Self {
        Self { change, issue, severity: None, title: None, location: None, note: None }
    }

    /// A `regrade`.
    pub fn regrade(issue: Number, severity: Severity) -> Self {
        Self { severity: Some(severity), ..Self::of(ChangeName::Regrade, issue) }
    }
}

#[cfg(test)]
impl RequestedChange {
    /// A `raise` without anything that is optional.
    pub fn raise(severity: Severity, title: &str) -> Self {
        let title = Some(title.to_owned());
        Self { severity: Some(severity), title, ..Self::of(ChangeName::Raise, None) }
    }
}

/// A change as a client wrote it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UncheckedChange {
    /// The name of the change
    pub change: String,
    /// The id of the issue
    pub issue: Option<String>,
    /// The severity
    pub severity: Option<String>,
    /// The title
    pub title: Option<String>,
    /// The location
    pub location: Option<String>,
    /// The note
    pub note: Option<String>,
}

/// What is wrong with a list of changes whatever the debate is like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeFault {
    /// There are too many
    TooMany {
        /// How many there are
        actual: usize,
    },
    /// A text is too long, empty, or has characters that are not allowed
    Text {
        /// The place of the change in the list, from 0
        index: usize,
        /// The name of the field
        field: &'static str,
        /// What is wrong
        error: TextError,
    },
    /// A change is not as it should be
    Shape {
        /// The place of the change in the list, from 0
        index: usize,
        /// The name of the field; none if it is about the whole change
        field: Option<&'static str>,
        /// What is wrong, to be read after the name of the field
        problem: String,
    },
}

/// Checks the changes of a request. Of several faults a text over its limit is reported first.
///
/// # Errors
/// The first fault.
pub fn check_changes(changes: Vec<UncheckedChange>) -> Result<Vec<RequestedChange>, ChangeFault> {
    for (index, change) in changes.iter().enumerate() {
        for (field, text, rule) in change.texts() {
            rule.check_size(text.unwrap_or_default()).map_err(|error| ChangeFault::Text { index, field, error })?;
        }
    }
    if changes.len() > MAX_CHANGES {
        return Err(ChangeFault::TooMany { actual: changes.len() });
    }
    let mut changed = HashSet::new();
    let check = |(index, change): (usize, UncheckedChange)| {
        let requested = change.check(index)?;
        match requested.issue {
            Some(issue) if !changed.insert(issue) => Err(ChangeFault::Shape {
                index,
                field: None,
                problem: format!("is a second change of {issue}; an issue is changed once"),
            }),
            Some(_) | None => Ok(requested),
        }
    };
    changes.into_iter().enumerate().map(check).collect()
}

impl UncheckedChange {
    /// The names and the rules of its texts.
    pub const TEXTS: [(&'static str, TextRule); 3] =
        [("title", ISSUE_TITLE), ("location", ISSUE_LOCATION), ("note", CHANGE_NOTE)];

    fn texts(&self) -> impl Iterator<Item = (&'static str, Option<&str>, TextRule)> {
        let texts = [self.title.as_deref(), self.location.as_deref(), self.note.as_deref()];
        Self::TEXTS.into_iter().zip(texts).map(|((name, rule), text)| (name, text, rule))
    }

    fn check(self, index: usize) -> Result<RequestedChange, ChangeFault> {
        let fault = |field, problem: String| ChangeFault::Shape { index, field: Some(field), problem };
        let name: ChangeName = self.change.parse().map_err(|error: UnknownValue| fault("change", error.to_string()))?;
        for (field, text, rule) in self.texts() {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                rule.check(text).map_err(|error| ChangeFault::Text { index, field, error })?;
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
        let severity = match (severity, name) {
            (Some(text), ChangeName::Raise | ChangeName::Regrade) => {
                Some(text.parse::<Severity>().map_err(|error| fault("severity", error.to_string()))?)
            }
            (None, ChangeName::Raise | ChangeName::Regrade) => {
                return Err(fault("severity", format!("is missing, {name} needs it: critical, high, medium or low")));
            }
            (severity, _) => {
                no_use("severity", severity.is_some())?;
                None
            }
        };
        let issue = match (issue, name) {
            (issue, ChangeName::Raise) => {
                no_use("issue", issue.is_some())?;
                None
            }
            (Some(text), _) => Some(
                text.parse::<IssueNumber>().map_err(|error| fault("issue", format!("is {text:?}, which {error}")))?,
            ),
            (None, _) => {
                return Err(fault("issue", format!("is missing, {name} needs the id of an issue, such as I1")));
            }
        };
        if name != ChangeName::Raise {
            no_use("title", title.is_some())?;
            no_use("location", location.is_some())?;
        }
        if name.needs().contains(&ChangeField::Note) && note.is_none() {
            return Err(fault("note", format!("is missing, {name} needs one that says why")));
        }
        let title = given(title);
        if name == ChangeName::Raise && title.is_none() {
            return Err(fault("title", "is missing, raise needs it".to_owned()));
        }
        Ok(RequestedChange { change: name, issue, severity, title, location, note })
    }
}
