//! Converts issues and their counts to rows and columns and back.

use entity::issue;

use crate::{
    domain::{DebateId, Issue, IssueChange, IssueCounts, IssueNumber},
    store::error::{InconsistentRow, RowName},
};

pub(in crate::store) const ISSUES: &str = "issues";

pub(super) fn issue(row: issue::Model) -> Result<Issue, InconsistentRow> {
    let name = || RowName::Issue { number: Some(row.number), debate: row.debate_id, seq: row.changed_seq };
    let bad = |column, reason: &dyn std::fmt::Display| InconsistentRow::new(ISSUES, column, name(), reason);
    let seq = |stored: i64| u64::try_from(stored).ok().filter(|seq| *seq > 0);
    Ok(Issue {
        number: number(row.number).ok_or_else(|| bad("number", &"is not a positive number"))?,
        severity: row.severity.parse().map_err(|error| bad("severity", &error))?,
        status: row.status.parse().map_err(|error| bad("status", &error))?,
        raised_by: row.raised_by.parse().map_err(|error| bad("raised_by", &error))?,
        raised_seq: seq(row.raised_seq).ok_or_else(|| bad("raised_seq", &"is not a positive number"))?,
        changed_seq: seq(row.changed_seq).ok_or_else(|| bad("changed_seq", &"is not a positive number"))?,
        reopened: u32::try_from(row.reopened).map_err(|_| bad("reopened", &"is negative"))?,
        upheld: row.upheld,
        referred: row.referred,
        deferred_by: match row.deferred_by {
            Some(role) => Some(role.parse().map_err(|error| bad("deferred_by", &error))?),
            None => None,
        },
        title: row.title,
        location: row.location,
        note: row.note,
    })
}

/// The number of an issue, if it is positive.
pub(in crate::store) fn number(stored: i32) -> Option<IssueNumber> {
    usize::try_from(stored).ok().and_then(|number| number.checked_sub(1)).and_then(IssueNumber::at)
}

pub(super) fn issue_row(debate_id: DebateId, issue: &Issue) -> issue::Model {
    issue::Model {
        debate_id: debate_id.0,
        number: issue.number.get().cast_signed(),
        severity: issue.severity.as_str().to_owned(),
        title: issue.title.clone(),
        location: issue.location.clone(),
        status: issue.status.as_str().to_owned(),
        note: issue.note.clone(),
        raised_by: issue.raised_by.as_str().to_owned(),
        raised_seq: issue.raised_seq.cast_signed(),
        changed_seq: issue.changed_seq.cast_signed(),
        upheld: issue.upheld,
        referred: issue.referred,
        deferred_by: issue.deferred_by.map(|role| role.as_str().to_owned()),
        reopened: issue.reopened.cast_signed(),
    }
}

/// The counts in the column `issue_counts`; none if there are no issues.
pub(super) fn counts_json(counts: &IssueCounts) -> Option<String> {
    let IssueCounts { open, fixed, disputed, resolved, withdrawn, dismissed, blocking, deferred } = *counts;
    (*counts != IssueCounts::default())
        .then(|| format!("[{open},{fixed},{disputed},{resolved},{withdrawn},{dismissed},{blocking},{deferred}]"))
}

/// The counts of the column `issue_counts`; none if it is not such a list.
pub(super) fn counts(stored: Option<&str>) -> Option<IssueCounts> {
    let Some(stored) = stored else { return Some(IssueCounts::default()) };
    let [open, fixed, disputed, resolved, withdrawn, dismissed, blocking, deferred] =
        serde_json::from_str(stored).ok()?;
    Some(IssueCounts { open, fixed, disputed, resolved, withdrawn, dismissed, blocking, deferred })
}

/// Checks that stored changes have what the ledger needs; an error says what is missing.
pub(super) fn check_changes<'c>(changes: impl IntoIterator<Item = &'c IssueChange>) -> Result<(), String> {
    let lacking = changes.into_iter().find_map(|change| change.lacks().map(|field| (change.change, field)));
    lacking.map_or(Ok(()), |(change, field)| Err(format!("has a {change} without {field}")))
}
