//! The ledger: all issues of a debate, which follow from its arguments alone.

use std::{collections::HashMap, sync::Arc};

use serde::Serialize;
use serde_with::skip_serializing_none;

use super::{
    ChangeError, ChangeName, ChangeNotAllowed, Issue, IssueChange, IssueCounts, IssueNumber, IssueStatus, MAX_ISSUES,
    RequestedChange, Severity,
    transitions::{allowed_changes, changed, may_carry},
};
use crate::domain::{
    argument::{AppealOption, Argument, ArgumentKind, ArgumentType},
    citation::Citation,
    id::ArgumentId,
    plan::PlanCitations,
    role::Role,
};

/// All issues of a debate, in the order of their numbers. Clones share them, and an argument copies only those that it
/// changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    issues: Arc<[Arc<Issue>]>,
}

/// What an argument did to the ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// The changes that the argument carries, with the numbers of what it raised
    pub made: Vec<IssueChange>,
    /// The numbers of the issues that are no longer as before, in order. A RULING changes those that were referred, too
    pub changed: Vec<IssueNumber>,
}

impl Ledger {
    /// A ledger of stored issues, which must be in the order of their numbers and without gaps.
    pub(crate) fn from_store(issues: Vec<Issue>) -> Self {
        Self { issues: issues.into_iter().map(Arc::new).collect() }
    }

    /// All issues, in the order of their numbers.
    pub fn issues(&self) -> impl ExactSizeIterator<Item = &Issue> {
        self.issues.iter().map(Arc::as_ref)
    }

    /// The issues that are not settled, in the order of their numbers.
    pub fn unsettled(&self) -> impl Iterator<Item = &Issue> {
        self.issues().filter(|issue| !issue.status.is_settled())
    }

    /// The issues that an argument changed, in the order of their numbers.
    pub fn changed_by(&self, argument: &Argument) -> impl Iterator<Item = &Arc<Issue>> {
        argument.changed_issues.iter().filter_map(|number| self.get(*number))
    }

    /// An issue, if there is such a one.
    pub fn get(&self, number: IssueNumber) -> Option<&Arc<Issue>> {
        self.issues.get(number.index())
    }

    /// How many issues there are in each status.
    pub fn counts(&self) -> IssueCounts {
        IssueCounts::of(self.issues())
    }

    /// The issues that keep the proposer from requesting completion.
    pub fn blocking(&self) -> Vec<Arc<Issue>> {
        self.issues.iter().filter(|issue| issue.is_blocking()).cloned().collect()
    }

    /// Checks what the options of an APPEAL decide, each as the RULING `seq` that comes next would be. The error has the number of the
    /// option.
    pub(in crate::domain) fn check_options(
        &self,
        options: &[AppealOption],
        seq: u64,
    ) -> Result<(), (usize, ChangeError)> {
        let change = |issues: &mut Vec<Arc<Issue>>, number, changes| {
            let ruling = ArgumentKind::Ruling { close: false, chosen_option: Some(number) };
            change(issues, &ruling, seq, changes).map_err(|error| (number, error))
        };
        let deciding = options.iter().enumerate().filter(|(_, option)| !option.issue_changes.is_empty());
        let mut before = self.issues.to_vec();
        change(&mut before, 0, Vec::new())?;
        // There may be thousands of options, so only what an option changed is set back for the next one.
        let mut issues = before.clone();
        for (number, option) in deciding {
            let changes = change(&mut issues, number, option.issue_changes.iter().map(Into::into).collect())?;
            for index in changes.changed.into_iter().map(IssueNumber::index) {
                if let (Some(issue), Some(before)) = (issues.get_mut(index), before.get(index)) {
                    issue.clone_from(before);
                }
            }
        }
        Ok(())
    }

    /// Makes the changes of the argument `seq`. An error is about the first change that cannot be made, and changes nothing.
    pub(in crate::domain) fn apply(
        &mut self,
        kind: &ArgumentKind,
        seq: u64,
        requested: Vec<RequestedChange>,
    ) -> Result<Changes, ChangeError> {
        if requested.is_empty() && kind.argument_type() != ArgumentType::Ruling {
            return Ok(Changes::default());
        }
        let mut issues = self.issues.to_vec();
        let changes = change(&mut issues, kind, seq, requested)?;
        self.issues = issues.into();
        Ok(changes)
    }
}

/// Makes the changes of the argument `seq`, all or, with an error, some.
fn change(
    issues: &mut Vec<Arc<Issue>>,
    kind: &ArgumentKind,
    seq: u64,
    requested: Vec<RequestedChange>,
) -> Result<Changes, ChangeError> {
    let (role, argument_type) = (kind.role(), kind.argument_type());
    let mut changed_numbers = Vec::new();
    if argument_type == ArgumentType::Ruling {
        for issue in issues.iter_mut().filter(|issue| issue.referred) {
            Arc::make_mut(issue).referred = false;
            changed_numbers.push(issue.number);
        }
    }
    let mut made = Vec::with_capacity(requested.len());
    for (index, requested) in requested.into_iter().enumerate() {
        let not_allowed = |issue: Option<&Issue>| {
            ChangeError::NotAllowed(ChangeNotAllowed {
                index,
                change: requested.change,
                role,
                argument_type,
                issue: issue.map(|issue| (issue.number, issue.status)),
                too_severe: issue
                    .filter(|issue| requested.change == ChangeName::Defer && issue.severity.is_blocking())
                    .map(|issue| issue.severity),
                allowed_changes: issue.map_or_else(Vec::new, |issue| allowed_changes(argument_type, role, issue)),
            })
        };
        let number = match (requested.change, requested.issue) {
            (ChangeName::Raise, _) => {
                if !may_carry(argument_type, role, ChangeName::Raise) {
                    return Err(not_allowed(None));
                }
                let number = IssueNumber::at(issues.len()).filter(|_| issues.len() < MAX_ISSUES);
                let number = number.ok_or(ChangeError::TooManyIssues { index })?;
                // A checked request has both.
                let new = raised(number, &requested, role, seq).ok_or_else(|| not_allowed(None))?;
                issues.push(Arc::new(new));
                number
            }
            (change, Some(number)) => {
                let issue = issues
                    .get_mut(number.index())
                    .filter(|issue| issue.raised_seq < seq)
                    .ok_or(ChangeError::IssueNotFound { index, issue: number })?;
                if !allowed_changes(argument_type, role, issue).contains(&change) {
                    return Err(not_allowed(Some(issue)));
                }
                *issue = Arc::new(changed(issue, &requested, role, seq));
                number
            }
            // Only what is raised has no number.
            (_, None) => return Err(not_allowed(None)),
        };
        changed_numbers.push(number);
        made.push(requested.with_issue(number));
    }
    changed_numbers.sort_unstable();
    changed_numbers.dedup();
    Ok(Changes { made, changed: changed_numbers })
}

/// The issue that a `raise` adds; none if it lacks what it needs.
fn raised(number: IssueNumber, raise: &RequestedChange, role: Role, seq: u64) -> Option<Issue> {
    Some(Issue {
        number,
        severity: raise.severity?,
        title: raise.title.clone()?,
        location: raise.location.clone(),
        status: IssueStatus::Open,
        note: raise.note.clone(),
        raised_by: role,
        raised_seq: seq,
        changed_seq: seq,
        upheld: role == Role::Arbitrator,
        referred: false,
        deferred_by: None,
        reopened: 0,
    })
}

/// A change in the history of an issue.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryEntry {
    /// The `seq` of the argument that made it
    pub seq: u64,
    /// The id of that argument
    pub argument_id: ArgumentId,
    /// Who made it
    pub role: Role,
    /// What it did
    pub change: ChangeName,
    /// The severity that it set
    pub severity: Option<Severity>,
    /// The explanation
    pub note: Option<String>,
    /// Whether it is a `fix` that comes with the version of the plan that the proposer cited before
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unchanged: bool,
}

/// What the histories of issues need of an argument.
#[derive(Debug, Clone, Copy)]
pub struct Changing<'a> {
    /// Its `seq`
    pub seq: u64,
    /// Its id
    pub argument_id: ArgumentId,
    /// Who wrote it, and what it is
    pub kind: &'a ArgumentKind,
    /// The changes that it carries
    pub changes: &'a [IssueChange],
    /// What it cites
    pub citations: &'a [Citation],
}

impl<'a> From<&'a Argument> for Changing<'a> {
    fn from(argument: &'a Argument) -> Self {
        let Argument { seq, id, kind, issue_changes, citations, .. } = argument;
        Self { seq: *seq, argument_id: *id, kind, changes: issue_changes, citations }
    }
}

/// The changes of each issue, from arguments in `seq` order. Those of the proposer that cite something have to be among them.
pub fn histories<'a>(
    arguments: impl IntoIterator<Item = impl Into<Changing<'a>>>,
) -> HashMap<IssueNumber, Vec<HistoryEntry>> {
    let mut histories: HashMap<_, Vec<_>> = HashMap::new();
    let mut cited = PlanCitations::default();
    for argument in arguments {
        let Changing { seq, argument_id, kind, changes, citations } = argument.into();
        let role = kind.role();
        let before = cited.plan();
        cited = cited.after(kind, citations);
        let same_plan = role == Role::Proposer
            && before.is_some_and(|before| {
                let of_plan = citations.iter().filter(|citation| citation.document_id == before.citation.document_id);
                of_plan.map(|citation| citation.version).max() == Some(before.citation.version)
            });
        for IssueChange { change, issue, severity, note, .. } in changes {
            histories.entry(*issue).or_default().push(HistoryEntry {
                seq,
                argument_id,
                role,
                change: *change,
                severity: *severity,
                note: note.clone(),
                unchanged: same_plan && *change == ChangeName::Fix,
            });
        }
    }
    histories
}
