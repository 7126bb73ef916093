//! Issues, and the changes that arguments carry.

use std::collections::BTreeMap;

use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use crate::{
    app,
    domain::{self, ChangeField, ChangeName, IssueStatus, Role, Severity},
};

/// A point of a debate.
#[derive(Debug, Clone, Object, Serialize)]
pub struct Issue {
    #[oai(flatten)]
    #[serde(flatten)]
    pub issue: domain::Issue,
    /// Whether it was reopened so often that the arbitrator should decide it
    pub stalled: bool,
    /// Whether it is settled, by whatever status
    pub settled: bool,
    /// Whether it keeps the proposer from requesting completion: it is not settled, and `critical` or `high`
    pub blocking: bool,
    /// What each role may make of it now. Absent in answers to writes, events after the first, and records
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may: Option<IssueMay>,
    /// Only if it was asked for: all its changes, oldest first
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<domain::HistoryEntry>>,
}

/// What an issue has in all its forms.
#[derive(Object)]
pub struct IssueFields {
    /// Its id within the debate: `I1`, `I2` and so on, in the order in which the issues were raised
    id: String,
    /// How much harm it would do: `critical`, `high`, `medium` or `low`
    severity: Severity,
    /// What is wrong, in one line of 1 to 200 characters
    title: String,
    /// Where it is, or null
    location: Option<String>,
    /// Where it stands: `open`, `fixed`, `disputed`, `resolved`, `withdrawn`, `dismissed` or `deferred`
    status: IssueStatus,
    /// The note of its newest change, or null
    note: Option<String>,
    /// The role that raised it: `opponent` or `arbitrator`
    raised_by: Role,
    /// The `seq` of the argument that raised it
    raised_seq: u64,
    /// The `seq` of the argument with its newest change
    changed_seq: u64,
    /// Whether the arbitrator decided that it has to be fixed
    upheld: bool,
    /// Whether an APPEAL refers it to the arbitrator, until the next RULING
    referred: bool,
    /// Only if it is deferred: the role that deferred it. What the `arbitrator` deferred only a RULING opens again
    deferred_by: Option<Role>,
    /// How often it was reopened since it was raised or last ruled on
    reopened: u32,
}

/// The changes that each role may make of an issue now, in an argument of any type that the role may submit. A late delivery
/// does not count.
#[derive(Debug, Clone, Object, Serialize)]
pub struct IssueMay {
    /// Those of the proposer
    pub proposer: Vec<ChangeName>,
    /// Those of the opponent
    pub opponent: Vec<ChangeName>,
    /// Those of the arbitrator
    pub arbitrator: Vec<ChangeName>,
}

/// What a change of issues needs, and what it does.
#[derive(Debug, Clone, Object, Serialize)]
pub struct IssueChangeRule {
    /// What it needs besides the issue, which all but `raise` need: `severity`, `title`, `note`
    pub needs: Vec<ChangeField>,
    /// Whether it settles the issue
    pub settles: bool,
}

/// What each change of issues needs, and what it does.
pub fn issue_change_rules() -> BTreeMap<String, IssueChangeRule> {
    let rule = |change: &ChangeName| {
        let needs = change.needs().to_vec();
        (change.as_str().to_owned(), IssueChangeRule { needs, settles: change.settles() })
    };
    ChangeName::ALL.iter().map(rule).collect()
}

/// A change in the history of an issue.
#[derive(Object)]
pub struct IssueHistoryEntry {
    /// The `seq` of the argument that made it
    seq: u64,
    /// The id of the argument that made it
    argument_id: Uuid,
    /// The role that made it
    role: Role,
    /// What it did: `raise`, `fix`, `dispute`, `refer`, `resolve`, `withdraw`, `reopen`, `regrade`, `uphold`, `dismiss` or
    /// `defer`
    change: ChangeName,
    /// The severity that it set
    severity: Option<Severity>,
    /// An explanation
    note: Option<String>,
    /// `true` on a `fix` whose argument cites the version of the plan that the proposer cited before; else absent
    unchanged: Option<bool>,
}

/// A change of an issue that an argument carries.
#[derive(Object)]
pub struct IssueChange {
    /// What it does: `raise`, `fix`, `dispute`, `refer`, `resolve`, `withdraw`, `reopen`, `regrade`, `uphold`, `dismiss` or
    /// `defer`
    change: ChangeName,
    /// The id of the issue; on `raise` the id that it got
    issue: String,
    /// Only on `raise` and `regrade`: the severity
    severity: Option<Severity>,
    /// Only on `raise`: the title
    title: Option<String>,
    /// Only on `raise`: the location
    location: Option<String>,
    /// An explanation
    note: Option<String>,
}

/// How many issues of a debate there are in each status.
#[derive(Debug, Clone, Copy, Object, Serialize)]
pub struct IssueCounts {
    /// They wait for the proposer
    pub open: u32,
    /// The proposer changed the plan; the opponent checks that
    pub fixed: u32,
    /// The proposer does not accept them; the opponent answers
    pub disputed: u32,
    /// They are not settled: open, fixed and disputed ones
    pub unsettled: u32,
    /// Settled: found fixed
    pub resolved: u32,
    /// Settled: taken back by the opponent
    pub withdrawn: u32,
    /// Settled for good by the arbitrator
    pub dismissed: u32,
    /// Settled: left for later
    pub deferred: u32,
    /// Those that keep the proposer from requesting completion
    pub blocking: u32,
}

/// The issues of a debate.
#[derive(Debug, Clone, Object, Serialize)]
pub struct DebateIssues {
    /// The issues, in the order of their numbers
    pub issues: Vec<Issue>,
    /// How many issues of the whole debate there are in each status
    pub counts: IssueCounts,
}

/// An issue that keeps the proposer from requesting completion.
#[derive(Debug, Clone, Object, Serialize)]
pub struct BlockingIssue {
    /// Its id
    pub id: String,
    /// How much harm it would do: `critical` or `high`
    pub severity: Severity,
    /// Where it stands: `open`, `fixed` or `disputed`
    pub status: IssueStatus,
    /// What is wrong, in one line
    pub title: String,
}

impl From<&domain::Issue> for Issue {
    fn from(issue: &domain::Issue) -> Self {
        Self {
            issue: issue.clone(),
            stalled: issue.is_stalled(),
            settled: issue.status.is_settled(),
            blocking: issue.is_blocking(),
            may: None,
            history: None,
        }
    }
}

impl Issue {
    /// An issue of a debate, with what may become of it now.
    fn of(debate: &domain::Debate, issue: &domain::Issue) -> Self {
        let may = |role| debate.issue_changes(role, issue);
        let may = IssueMay {
            proposer: may(Role::Proposer),
            opponent: may(Role::Opponent),
            arbitrator: may(Role::Arbitrator),
        };
        Self { may: Some(may), ..issue.into() }
    }
}

/// Issues of a debate in responses, with what may become of them now.
pub fn issues_of<'i>(debate: &domain::Debate, issues: impl IntoIterator<Item = &'i domain::Issue>) -> Vec<Issue> {
    issues.into_iter().map(|issue| Issue::of(debate, issue)).collect()
}

/// Issues in responses.
pub fn issues<'i>(issues: impl IntoIterator<Item = &'i domain::Issue>) -> Vec<Issue> {
    issues.into_iter().map(Into::into).collect()
}

impl From<domain::IssueCounts> for IssueCounts {
    fn from(counts: domain::IssueCounts) -> Self {
        let unsettled = counts.unsettled();
        let domain::IssueCounts { open, fixed, disputed, resolved, withdrawn, dismissed, blocking, deferred } = counts;
        Self { open, fixed, disputed, unsettled, resolved, withdrawn, dismissed, deferred, blocking }
    }
}

impl From<app::DebateIssues> for DebateIssues {
    fn from(app::DebateIssues { debate, issues, histories }: app::DebateIssues) -> Self {
        let issue = |issue: &domain::Issue| {
            let history = histories.as_ref().map(|histories| histories.get(&issue.number).cloned().unwrap_or_default());
            Issue { history, ..Issue::of(&debate, issue) }
        };
        Self { issues: issues.iter().map(issue).collect(), counts: debate.issue_counts.into() }
    }
}

impl From<&domain::Issue> for BlockingIssue {
    fn from(issue: &domain::Issue) -> Self {
        Self {
            id: issue.number.to_string(),
            severity: issue.severity,
            status: issue.status,
            title: issue.title.clone(),
        }
    }
}
