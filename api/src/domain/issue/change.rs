//! Changes of issues as requests and arguments carry them, and what is wrong with a change whatever the debate is like.

use std::collections::HashSet;

use super::{CHANGE_NOTE, ChangeField, ChangeName, ISSUE_LOCATION, ISSUE_TITLE, IssueNumber, MAX_CHANGES, Severity};
use crate::domain::text::{TextError, TextRule};

/// What a change does, with what it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// See [`ChangeName::Raise`]
    Raise(NewIssue),
    /// See [`ChangeName::Fix`]
    Fix,
    /// See [`ChangeName::Dispute`]
    Dispute,
    /// See [`ChangeName::Refer`]
    Refer,
    /// See [`ChangeName::Resolve`]
    Resolve,
    /// See [`ChangeName::Withdraw`]
    Withdraw,
    /// See [`ChangeName::Reopen`]
    Reopen,
    /// See [`ChangeName::Regrade`]
    Regrade(Severity),
    /// See [`ChangeName::Uphold`]
    Uphold,
    /// See [`ChangeName::Dismiss`]
    Dismiss,
    /// See [`ChangeName::Defer`]
    Defer,
}

/// An issue to be raised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewIssue {
    /// How much harm it would do
    pub severity: Severity,
    /// What is wrong, in one line
    pub title: String,
    /// Where: a file, a section of the plan
    pub location: Option<String>,
}

impl Change {
    /// Its name.
    pub fn name(&self) -> ChangeName {
        match self {
            Self::Raise(_) => ChangeName::Raise,
            Self::Fix => ChangeName::Fix,
            Self::Dispute => ChangeName::Dispute,
            Self::Refer => ChangeName::Refer,
            Self::Resolve => ChangeName::Resolve,
            Self::Withdraw => ChangeName::Withdraw,
            Self::Reopen => ChangeName::Reopen,
            Self::Regrade(_) => ChangeName::Regrade,
            Self::Uphold => ChangeName::Uphold,
            Self::Dismiss => ChangeName::Dismiss,
            Self::Defer => ChangeName::Defer,
        }
    }

    /// The severity that it sets, if it does.
    pub fn severity(&self) -> Option<Severity> {
        match self {
            Self::Raise(new) => Some(new.severity),
            Self::Regrade(severity) => Some(*severity),
            Self::Fix
            | Self::Dispute
            | Self::Refer
            | Self::Resolve
            | Self::Withdraw
            | Self::Reopen
            | Self::Uphold
            | Self::Dismiss
            | Self::Defer => None,
        }
    }

    /// The issue that it raises, if it does.
    pub fn raised(&self) -> Option<&NewIssue> {
        match self {
            Self::Raise(new) => Some(new),
            Self::Fix
            | Self::Dispute
            | Self::Refer
            | Self::Resolve
            | Self::Withdraw
            | Self::Reopen
            | Self::Regrade(_)
            | Self::Uphold
            | Self::Dismiss
            | Self::Defer => None,
        }
    }
}

/// A change of one issue that an argument carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssueChange {
    /// The issue; the new one's if it is raised
    pub issue: IssueNumber,
    /// What the change does
    pub change: Change,
    /// An explanation
    pub note: Option<String>,
}

/// A change that a request asks for, whose parts are all there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedChange {
    /// The issue; none if it is to be raised
    pub issue: Option<IssueNumber>,
    /// What the change does
    pub change: Change,
    /// An explanation
    pub note: Option<String>,
}

/// The length of the texts of a change, in bytes.
fn text_bytes(change: &Change, note: Option<&String>) -> usize {
    let raised = change.raised().map_or(0, |new| new.title.len() + new.location.as_ref().map_or(0, String::len));
    raised + note.map_or(0, String::len)
}

impl IssueChange {
    /// The length of its texts, in bytes.
    pub fn text_bytes(&self) -> usize {
        text_bytes(&self.change, self.note.as_ref())
    }
}

impl From<&IssueChange> for RequestedChange {
    /// The request for a change that is made already.
    fn from(IssueChange { issue, change, note }: &IssueChange) -> Self {
        let issue = change.raised().is_none().then_some(*issue);
        Self { issue, change: change.clone(), note: note.clone() }
    }
}

impl RequestedChange {
    /// The length of its texts, in bytes.
    pub fn text_bytes(&self) -> usize {
        text_bytes(&self.change, self.note.as_ref())
    }

    /// Whether `stored` is what this request stored before.
    pub fn is_repeated_by(&self, stored: &IssueChange) -> bool {
        self.change == stored.change && self.note == stored.note && self.issue.is_none_or(|issue| issue == stored.issue)
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
    fn texts(&self) -> [(&'static str, Option<&str>, TextRule); 3] {
        [
            ("title", self.title.as_deref(), ISSUE_TITLE),
            ("location", self.location.as_deref(), ISSUE_LOCATION),
            ("note", self.note.as_deref(), CHANGE_NOTE),
        ]
    }

    fn check(self, index: usize) -> Result<RequestedChange, ChangeFault> {
        let fault = |field, problem: String| ChangeFault::Shape { index, field: Some(field), problem };
        let name: ChangeName = self.change.parse().map_err(|error| fault("change", format!("is {error}")))?;
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
                Some(text.parse::<Severity>().map_err(|error| fault("severity", format!("is {error}")))?)
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
        let change = match (name, severity) {
            (ChangeName::Raise, Some(severity)) => {
                let title = given(title).ok_or_else(|| fault("title", "is missing, raise needs it".to_owned()))?;
                Change::Raise(NewIssue { severity, title, location })
            }
            (ChangeName::Regrade, Some(severity)) => Change::Regrade(severity),
            (ChangeName::Raise | ChangeName::Regrade, None) => {
                return Err(fault("severity", format!("is missing, {name} needs it")));
            }
            (ChangeName::Fix, _) => Change::Fix,
            (ChangeName::Dispute, _) => Change::Dispute,
            (ChangeName::Refer, _) => Change::Refer,
            (ChangeName::Resolve, _) => Change::Resolve,
            (ChangeName::Withdraw, _) => Change::Withdraw,
            (ChangeName::Reopen, _) => Change::Reopen,
            (ChangeName::Uphold, _) => Change::Uphold,
            (ChangeName::Dismiss, _) => Change::Dismiss,
            (ChangeName::Defer, _) => Change::Defer,
        };
        Ok(RequestedChange { issue, change, note })
    }
}
