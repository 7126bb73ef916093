//! Changes of issues as requests and arguments carry them.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{ChangeField, ChangeName, IssueNumber, Severity};

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
