//! Who may make which change of which issue. Nothing else in the program decides this.

use super::{ChangeName, Issue, IssueNumber, IssueStatus, RequestedChange, Severity};
use crate::domain::{argument::ArgumentType, role::Role};

/// Why an issue may not be changed as an argument asks. Nothing of the argument is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeError {
    /// The debate has no such issue
    IssueNotFound {
        /// The place of the change in the list, from 0
        index: usize,
        /// The issue
        issue: IssueNumber,
    },
    /// The debate has as many issues as it may have
    TooManyIssues {
        /// The place of the change in the list, from 0
        index: usize,
    },
    /// The role, the type of the argument or the status of the issue forbids it
    NotAllowed(ChangeNotAllowed),
}

/// A change that the role, the type of the argument or the status of the issue forbids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeNotAllowed {
    /// The place of the change in the list, from 0
    pub index: usize,
    /// The change
    pub change: ChangeName,
    /// The role that asked for it
    pub role: Role,
    /// The type of the argument that carries it
    pub argument_type: ArgumentType,
    /// The issue and its status; none for a new issue
    pub issue: Option<(IssueNumber, IssueStatus)>,
    /// The severity of the issue, if that forbids the change whatever the status is
    pub too_severe: Option<Severity>,
    /// What this role may make of this issue in an argument of this type
    pub allowed_changes: Vec<ChangeName>,
}

/// Whether `role` may make such a change in an argument of this type at all.
pub fn may_carry(argument_type: ArgumentType, role: Role, change: ChangeName) -> bool {
    match (argument_type, role) {
        (ArgumentType::Claim, Role::Opponent) => matches!(
            change,
            ChangeName::Raise
                | ChangeName::Resolve
                | ChangeName::Withdraw
                | ChangeName::Reopen
                | ChangeName::Regrade
                | ChangeName::Defer
        ),
        (ArgumentType::Claim, Role::Proposer) => matches!(change, ChangeName::Fix | ChangeName::Dispute),
        (ArgumentType::Appeal, Role::Proposer) => change == ChangeName::Refer,
        (ArgumentType::Ruling, Role::Arbitrator) => matches!(
            change,
            ChangeName::Raise
                | ChangeName::Reopen
                | ChangeName::Regrade
                | ChangeName::Uphold
                | ChangeName::Dismiss
                | ChangeName::Defer
        ),
        (
            ArgumentType::Motion
            | ArgumentType::Claim
            | ArgumentType::Appeal
            | ArgumentType::Resolution
            | ArgumentType::Intervention
            | ArgumentType::Ruling,
            Role::Proposer | Role::Opponent | Role::Arbitrator,
        ) => false,
    }
}

/// Whether `role` may change an issue that stands like this so.
fn applies_to(issue: &Issue, change: ChangeName, role: Role) -> bool {
    use IssueStatus::{Deferred, Disputed, Fixed, Open, Resolved, Withdrawn};
    let is_ruled = role == Role::Arbitrator;
    match change {
        ChangeName::Raise => false,
        ChangeName::Fix => matches!(issue.status, Open | Disputed),
        ChangeName::Dispute => issue.status == Open && !issue.upheld,
        ChangeName::Refer
        | ChangeName::Resolve
        | ChangeName::Withdraw
        | ChangeName::Regrade
        | ChangeName::Uphold
        | ChangeName::Dismiss => matches!(issue.status, Open | Fixed | Disputed),
        ChangeName::Defer => {
            let is_minor = !issue.severity.is_blocking() && !issue.upheld;
            matches!(issue.status, Open | Fixed | Disputed) && (is_ruled || is_minor)
        }
        ChangeName::Reopen if is_ruled => issue.status == Deferred,
        ChangeName::Reopen => {
            matches!(issue.status, Fixed | Disputed | Resolved | Withdrawn) || issue.deferred_by == Some(role)
        }
    }
}

/// The status after a change; none if the status stays.
pub fn leads_to(change: ChangeName) -> Option<IssueStatus> {
    match change {
        ChangeName::Raise | ChangeName::Reopen | ChangeName::Uphold => Some(IssueStatus::Open),
        ChangeName::Fix => Some(IssueStatus::Fixed),
        ChangeName::Dispute => Some(IssueStatus::Disputed),
        ChangeName::Resolve => Some(IssueStatus::Resolved),
        ChangeName::Withdraw => Some(IssueStatus::Withdrawn),
        ChangeName::Dismiss => Some(IssueStatus::Dismissed),
        ChangeName::Defer => Some(IssueStatus::Deferred),
        ChangeName::Refer | ChangeName::Regrade => None,
    }
}

/// What `role` may make of `issue` in an argument of this type.
pub fn allowed_changes(argument_type: ArgumentType, role: Role, issue: &Issue) -> Vec<ChangeName> {
    ChangeName::ALL.iter().copied().filter(|change| may_change(argument_type, role, issue, *change)).collect()
}

/// Whether `role` may change `issue` so in an argument of this type.
pub fn may_change(argument_type: ArgumentType, role: Role, issue: &Issue, change: ChangeName) -> bool {
    may_carry(argument_type, role, change) && applies_to(issue, change, role)
}

/// The issue after a change that is allowed, made by the argument `seq` of `role`.
pub(super) fn changed(issue: &Issue, made: &RequestedChange, role: Role, seq: u64) -> Issue {
    let note = made.note.clone();
    let (title, location) = (issue.title.clone(), issue.location.clone());
    let mut issue = Issue { title, location, note, changed_seq: seq, deferred_by: None, ..*issue };
    issue.status = leads_to(made.change).unwrap_or(issue.status);
    match made.change {
        ChangeName::Refer => issue.referred = true,
        ChangeName::Reopen => issue.reopened += 1,
        ChangeName::Regrade => issue.severity = made.severity.unwrap_or(issue.severity),
        ChangeName::Uphold => issue.upheld = true,
        ChangeName::Defer => issue.deferred_by = Some(role),
        ChangeName::Raise
        | ChangeName::Fix
        | ChangeName::Dispute
        | ChangeName::Resolve
        | ChangeName::Withdraw
        | ChangeName::Dismiss => {}
    }
    if role == Role::Arbitrator {
        issue.reopened = 0;
    }
    issue
}
