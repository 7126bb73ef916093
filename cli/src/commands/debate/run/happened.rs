//! What an argument did, in words.

use crate::client::types::{Argument, ArgumentType, ChangeName, Issue, IssueChange, Severity};

/// What changes of issues did, but for raising them.
const DONE: [(ChangeName, &str); 10] = [
    (ChangeName::Fix, "fixed"),
    (ChangeName::Dispute, "disputed"),
    (ChangeName::Refer, "referred"),
    (ChangeName::Resolve, "resolved"),
    (ChangeName::Withdraw, "withdrew"),
    (ChangeName::Defer, "deferred"),
    (ChangeName::Reopen, "reopened"),
    (ChangeName::Regrade, "regraded"),
    (ChangeName::Uphold, "upheld"),
    (ChangeName::Dismiss, "dismissed"),
];

/// The severities, most harmful first.
const SEVERITIES: [Severity; 4] = [Severity::Critical, Severity::High, Severity::Medium, Severity::Low];

/// What an argument did: a line, and one more for each issue that it named, with its title. `issues` are those of the debate, with
/// histories. A person is told the title of an issue where it is raised only: another line would look as if it were open. Who goes on
/// with a run has the titles of earlier starts in the web app.
pub fn lines(argument: &Argument, issues: &[Issue], is_for_a_person: bool) -> Vec<String> {
    let of_kind = |kind: ChangeName| {
        argument.issue_changes.iter().filter(move |change| change.change == kind.to_string()).collect::<Vec<_>>()
    };
    let raised = of_kind(ChangeName::Raise);
    let mut done = Vec::new();
    if !raised.is_empty() {
        let counts = SEVERITIES.iter().filter_map(|severity| {
            let count = raised.iter().filter(|change| change.severity == Some(severity.to_string())).count();
            (count > 0).then(|| format!("{count} {severity}"))
        });
        done.push(format!("raised {}: {}", raised.len(), counts.collect::<Vec<_>>().join(", ")));
    }
    for (kind, past) in DONE {
        let is_unchanged = |change: &&IssueChange| {
            let history = issues.iter().filter(|issue| issue.id == change.issue).flat_map(|issue| &issue.history);
            history.into_iter().any(|entry| entry.seq == argument.seq && entry.unchanged == Some(true))
        };
        let (unchanged, changed): (Vec<_>, Vec<_>) = of_kind(kind).into_iter().partition(is_unchanged);
        let join = |changes: Vec<&IssueChange>| {
            changes.into_iter().map(|change| change.issue.as_str()).collect::<Vec<_>>().join(", ")
        };
        if !changed.is_empty() {
            done.push(format!("{past} {}", join(changed)));
        }
        if !unchanged.is_empty() {
            done.push(format!("{past} {} without a change of the plan", join(unchanged)));
        }
    }
    done.extend(otherwise(argument, done.is_empty()));
    let sentence = format!("{} {}", argument.role, done.join("; "));
    let is_named = |issue: &&Issue| argument.issue_changes.iter().any(|change| change.issue == issue.id);
    let named = issues.iter().filter(is_named).filter(|issue| !is_for_a_person || issue.raised_seq == argument.seq);
    [sentence].into_iter().chain(named.map(|issue| format!("  {}", titled(issue)))).collect()
}

/// An issue for people.
pub fn titled(issue: &Issue) -> String {
    format!("{} {}: {}", issue.id, issue.severity, issue.title)
}

/// What it did besides its changes of issues.
fn otherwise(argument: &Argument, changed_nothing: bool) -> Option<String> {
    let done = match argument.type_.parse() {
        Ok(ArgumentType::Motion) => "opened the debate",
        Ok(ArgumentType::Appeal) => "asks for a ruling",
        Ok(ArgumentType::Resolution) => "asks to finish",
        Ok(ArgumentType::Intervention) => "stepped in",
        Ok(ArgumentType::Ruling) if argument.close == Some(true) => "closed the debate",
        Ok(ArgumentType::Ruling) => "ruled",
        Ok(ArgumentType::Claim) if changed_nothing => "answered, and changed no issue",
        Ok(ArgumentType::Claim) => return None,
        Err(_) => return Some(format!("wrote a {}", argument.type_)),
    };
    Some(done.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::commands::debate::run::debate_snapshot::tests::{argument, issue};

    #[test]
    fn what_happened_is_told_in_words() {
        let raise = |severity: &str, issue: &str| json!({"change": "raise", "issue": issue, "severity": severity, "title": "now other"});
        let change = |change: &str, issue: &str| json!({"change": change, "issue": issue});
        let entry =
            json!({"seq": 7, "unchanged": true, "argument_id": uuid::Uuid::nil(), "role": "proposer", "change": "fix"});
        let issues = [
            issue(json!({"id": "I1", "title": "a", "severity": "low"})),
            issue(json!({"id": "I2", "title": "b", "severity": "high", "history": [entry]})),
            issue(json!({"id": "I3", "title": "c", "severity": "low"})),
        ];
        let [a, b, c] = ["  I1 low: a", "  I2 high: b", "  I3 low: c"];
        for (fields, told) in [
            (json!({"type": "MOTION", "role": "proposer"}), vec!["proposer opened the debate"]),
            (
                json!({"type": "CLAIM", "role": "opponent", "issue_changes":
                    [raise("high", "I2"), raise("low", "I3"), change("resolve", "I1")]}),
                vec!["opponent raised 2: 1 high, 1 low; resolved I1", a, b, c],
            ),
            (
                json!({"type": "CLAIM", "role": "proposer", "seq": 7, "issue_changes":
                    [change("fix", "I1"), change("fix", "I2"), change("dispute", "I3"), change("fix", "I4")]}),
                vec!["proposer fixed I1, I4; fixed I2 without a change of the plan; disputed I3", a, b, c],
            ),
            (json!({"type": "CLAIM", "role": "opponent"}), vec!["opponent answered, and changed no issue"]),
            (
                json!({"type": "APPEAL", "role": "proposer", "issue_changes": [change("refer", "I1")]}),
                vec!["proposer referred I1; asks for a ruling", a],
            ),
            (json!({"type": "RESOLUTION", "role": "proposer"}), vec!["proposer asks to finish"]),
            (
                json!({"type": "RULING", "role": "arbitrator", "close": false, "issue_changes": [change("dismiss", "I1")]}),
                vec!["arbitrator dismissed I1; ruled", a],
            ),
            (json!({"type": "RULING", "role": "arbitrator", "close": true}), vec!["arbitrator closed the debate"]),
            (json!({"type": "INTERVENTION", "role": "arbitrator"}), vec!["arbitrator stepped in"]),
        ] {
            assert_eq!(lines(&argument(fields), &issues, false), told);
        }
        let changes = json!([raise("high", "I2"), change("resolve", "I1")]);
        let claim = argument(json!({"seq": 4, "issue_changes": changes}));
        let issues = [&issues[0], &issue(json!({"id": "I2", "title": "b", "raised_seq": 4}))].map(Clone::clone);
        assert_eq!(lines(&claim, &issues, true), ["opponent raised 1: 1 high; resolved I1", b]);
    }
}
