//! Issues: the points of a debate. Arguments carry changes that raise, answer and settle them.

mod change;
mod ledger;
mod transitions;

use std::{fmt, num::NonZeroU32, str::FromStr};

use serde::Serialize;
use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::{
    role::Role,
    string_enum::string_enum,
    text::{TextRule, Unit},
};

pub use change::{IssueChange, RequestedChange};
pub(in crate::domain) use ledger::Changes;
pub use ledger::{Changing, HistoryEntry, Ledger, histories};
pub use transitions::{ChangeError, ChangeNotAllowed, allowed_changes, leads_to, may_carry, may_change};

/// The most issues that a debate may have, settled ones included.
pub const MAX_ISSUES: usize = 500;

/// The most changes that an argument may carry.
pub const MAX_CHANGES: usize = 50;

/// The rule for the title of an issue, which is one line.
pub const ISSUE_TITLE: TextRule = TextRule { limit: 200, unit: Unit::Characters, may_be_empty: false };

/// The rule for the location of an issue, which is one line.
pub const ISSUE_LOCATION: TextRule = TextRule { limit: 300, unit: Unit::Characters, may_be_empty: true };

/// The rule for the note of a change.
pub const CHANGE_NOTE: TextRule = TextRule { limit: 1_000, unit: Unit::Characters, may_be_empty: true };

string_enum! {
    /// How much harm an issue would do.
    Severity {
        /// The plan cannot be carried out as it stands
        Critical = "critical",
        /// The plan would do harm or miss its goal
        High = "high",
        /// The plan would work, but badly in some place
        Medium = "medium",
        /// The plan could be better
        Low = "low",
    }
}

string_enum! {
    /// Where an issue stands.
    IssueStatus {
        /// It waits for the proposer
        Open = "open",
        /// The proposer changed the plan; the opponent checks that
        Fixed = "fixed",
        /// The proposer does not accept it; the opponent answers
        Disputed = "disputed",
        /// Settled: the opponent found it fixed
        Resolved = "resolved",
        /// Settled: the opponent took it back
        Withdrawn = "withdrawn",
        /// Settled for good: the arbitrator dismissed it
        Dismissed = "dismissed",
        /// Settled: it is right, but not for now
        Deferred = "deferred",
    }
}

impl Severity {
    /// Whether an issue keeps the proposer from requesting completion as long as it is not settled.
    pub fn is_blocking(self) -> bool {
        match self {
            Self::Critical | Self::High => true,
            Self::Medium | Self::Low => false,
        }
    }
}

impl IssueStatus {
    /// Whether nobody has to do anything about the issue any more.
    pub fn is_settled(self) -> bool {
        match self {
            Self::Open | Self::Fixed | Self::Disputed => false,
            Self::Resolved | Self::Withdrawn | Self::Dismissed | Self::Deferred => true,
        }
    }
}

string_enum! {
    /// What a change does to an issue.
    ChangeName {
        /// Adds an issue
        Raise = "raise",
        /// Says that the plan is changed
        Fix = "fix",
        /// Says why the issue is none
        Dispute = "dispute",
        /// Asks the arbitrator to decide it
        Refer = "refer",
        /// Says that it is fixed
        Resolve = "resolve",
        /// Takes it back
        Withdraw = "withdraw",
        /// Says why it is not settled
        Reopen = "reopen",
        /// Changes its severity
        Regrade = "regrade",
        /// Decides that it has to be fixed
        Uphold = "uphold",
        /// Decides that it need not be fixed
        Dismiss = "dismiss",
        /// Says why it is left for later
        Defer = "defer",
    }
}

string_enum! {
    /// What a change may need besides the issue.
    ChangeField {
        /// A severity
        Severity = "severity",
        /// A title
        Title = "title",
        /// A note
        Note = "note",
    }
}

impl ChangeName {
    /// What a change of this name needs besides the issue.
    pub fn needs(self) -> &'static [ChangeField] {
        match self {
            Self::Raise => &[ChangeField::Severity, ChangeField::Title],
            Self::Regrade => &[ChangeField::Severity],
            Self::Dispute | Self::Reopen | Self::Defer => &[ChangeField::Note],
            Self::Fix | Self::Refer | Self::Resolve | Self::Withdraw | Self::Uphold | Self::Dismiss => &[],
        }
    }

    /// Whether it settles the issue.
    pub fn settles(self) -> bool {
        leads_to(self).is_some_and(IssueStatus::is_settled)
    }

    /// Whether one of those who write does not agree with another one.
    pub fn is_dissent(self) -> bool {
        match self {
            Self::Dispute | Self::Uphold | Self::Dismiss => true,
            Self::Raise
            | Self::Fix
            | Self::Refer
            | Self::Resolve
            | Self::Withdraw
            | Self::Reopen
            | Self::Regrade
            | Self::Defer => false,
        }
    }
}

/// The number of an issue in its debate, written as `I1`, `I2` and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr)]
pub struct IssueNumber(NonZeroU32);

/// A text that is not the id of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not the id of an issue, such as I1")]
pub struct InvalidIssueId;

impl IssueNumber {
    /// The number at this place in the order in which the issues were raised, counted from 0.
    pub(crate) fn at(index: usize) -> Option<Self> {
        u32::try_from(index + 1).ok().and_then(NonZeroU32::new).map(Self)
    }

    /// The place in the order in which the issues were raised, counted from 0.
    pub(crate) fn index(self) -> usize {
        usize::try_from(self.0.get()).unwrap_or(usize::MAX) - 1
    }

    /// The number.
    pub fn get(self) -> u32 {
        self.0.get()
    }
}

impl fmt::Display for IssueNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "I{}", self.0)
    }
}

impl FromStr for IssueNumber {
    type Err = InvalidIssueId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix('I').ok_or(InvalidIssueId)?;
        let plain = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !plain {
            return Err(InvalidIssueId);
        }
        digits.parse().map(Self).map_err(|_| InvalidIssueId)
    }
}

/// A point of a debate, as the changes so far have left it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// Its number in the debate
    #[serde(rename = "id")]
    pub number: IssueNumber,
    /// How much harm it would do
    pub severity: Severity,
    /// What is wrong, in one line
    pub title: String,
    /// Where: a file, a section of the plan
    pub location: Option<String>,
    /// Where it stands
    pub status: IssueStatus,
    /// The note of its newest change
    pub note: Option<String>,
    /// Who raised it
    pub raised_by: Role,
    /// The `seq` of the argument that raised it
    pub raised_seq: u64,
    /// The `seq` of the argument with its newest change
    pub changed_seq: u64,
    /// Whether the arbitrator decided that it has to be fixed
    pub upheld: bool,
    /// Whether an APPEAL refers it to the arbitrator, until the next RULING
    pub referred: bool,
    /// Who deferred it, as long as it is deferred: what a RULING deferred only a RULING opens again
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deferred_by: Option<Role>,
    /// How often it was reopened since it was raised or last ruled on
    pub reopened: u32,
}

impl Issue {
    /// How often an issue is reopened before it is stalled: the sides do not agree about it.
    const STALLED_AFTER: u32 = 2;

    /// Whether the sides do not get on with it, so that it should be referred to the arbitrator.
    pub fn is_stalled(&self) -> bool {
        self.reopened >= Self::STALLED_AFTER
    }

    /// Whether it keeps the proposer from requesting completion.
    pub fn is_blocking(&self) -> bool {
        !self.status.is_settled() && self.severity.is_blocking()
    }
}

/// How many issues of a debate there are in each status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IssueCounts {
    /// See [`IssueStatus::Open`]
    pub open: u32,
    /// See [`IssueStatus::Fixed`]
    pub fixed: u32,
    /// See [`IssueStatus::Disputed`]
    pub disputed: u32,
    /// See [`IssueStatus::Resolved`]
    pub resolved: u32,
    /// See [`IssueStatus::Withdrawn`]
    pub withdrawn: u32,
    /// See [`IssueStatus::Dismissed`]
    pub dismissed: u32,
    /// See [`IssueStatus::Deferred`]
    pub deferred: u32,
    /// Those that keep the proposer from requesting completion
    pub blocking: u32,
}

impl IssueCounts {
    /// The counts of these issues.
    pub fn of<'i>(issues: impl IntoIterator<Item = &'i Issue>) -> Self {
        let mut counts = Self::default();
        for issue in issues {
            let count = match issue.status {
                IssueStatus::Open => &mut counts.open,
                IssueStatus::Fixed => &mut counts.fixed,
                IssueStatus::Disputed => &mut counts.disputed,
                IssueStatus::Resolved => &mut counts.resolved,
                IssueStatus::Withdrawn => &mut counts.withdrawn,
                IssueStatus::Dismissed => &mut counts.dismissed,
                IssueStatus::Deferred => &mut counts.deferred,
            };
            *count += 1;
            counts.blocking += u32::from(issue.is_blocking());
        }
        counts
    }

    /// Whether issues keep the proposer from requesting completion.
    pub fn block_completion(&self) -> bool {
        self.blocking > 0
    }

    /// How many issues there are.
    pub fn all(&self) -> u32 {
        self.unsettled() + self.resolved + self.withdrawn + self.dismissed + self.deferred
    }

    /// How many issues are not settled.
    pub fn unsettled(&self) -> u32 {
        self.open + self.fixed + self.disputed
    }
}

#[cfg(test)]
mod tests;
