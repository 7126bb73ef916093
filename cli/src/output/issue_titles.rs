//! The titles of issues, which a person at a terminal reads beside their ids. Agents have them from the issues themselves.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use crate::client::types::{BlockingIssue, IssueChange};

/// Titles by the ids of issues.
#[derive(Debug, Clone, Default)]
pub struct IssueTitles(BTreeMap<String, String>);

/// Where the data of a command have titles of issues.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Titled {
    issues: Vec<TitledIssue>,
    changed_issues: Vec<TitledIssue>,
    argument: Option<Raising>,
    arguments: Vec<Raising>,
    earlier: Vec<Raising>,
}

#[derive(Deserialize)]
struct TitledIssue {
    id: String,
    title: String,
}

/// An argument, which may raise issues.
#[derive(Deserialize)]
struct Raising {
    #[serde(default)]
    issue_changes: Vec<IssueChange>,
}

impl IssueTitles {
    /// Those that the data of a command have.
    pub fn of_data(data: &Value) -> Self {
        let Titled { issues, changed_issues, argument, arguments, earlier } =
            Titled::deserialize(data).unwrap_or_default();
        let arguments = arguments.into_iter().chain(earlier).chain(argument);
        let changes = arguments.flat_map(|argument| argument.issue_changes);
        let raised = changes.filter_map(|change| Some((change.issue, change.title?)));
        let issues = issues.into_iter().chain(changed_issues).map(|issue| (issue.id, issue.title));
        Self(raised.chain(issues).collect())
    }

    /// Those of the issues that a refusal names.
    pub fn of_blocking(issues: Vec<BlockingIssue>) -> Self {
        Self(issues.into_iter().map(|issue| (issue.id, issue.title)).collect())
    }

    /// Whether there are none, as for agents.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text with the title of each issue where it is named first.
    pub fn beside_ids(&self, text: &str) -> String {
        let is_of_a_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let mut told = BTreeSet::new();
        let mut shown = String::new();
        for word in text.split_inclusive(|c| !is_of_a_word(c)) {
            let id = word.trim_end_matches(|c| !is_of_a_word(c));
            shown += id;
            if let Some(title) = self.0.get(id).filter(|_| told.insert(id)) {
                shown += &format!(" ({title})");
            }
            shown += &word[id.len()..];
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_title_stands_where_an_issue_is_named_first() {
        let titles = IssueTitles::of_data(&json!({
            "changed_issues": [{"id": "I1", "title": "Lost on restart", "status": "open"}],
            "argument": {"issue_changes": [{"change": "raise", "issue": "I12", "title": "No limit"}]},
        }));
        for (text, expected) in [
            ("raised I1, I12; fixed I3", "raised I1 (Lost on restart), I12 (No limit); fixed I3"),
            ("I1", "I1 (Lost on restart)"),
            ("I1: I1", "I1 (Lost on restart): I1"),
            ("I1-b, I11, xI1, I1_ and I123", "I1-b, I11, xI1, I1_ and I123"),
            ("", ""),
        ] {
            assert_eq!(titles.beside_ids(text), expected);
        }
        for data in [json!(null), json!({"issues": "none"}), json!({"issues": [{"id": "I1"}]})] {
            assert!(IssueTitles::of_data(&data).is_empty(), "{data}");
        }
    }
}
