//! `debate_issues`: the issues of a debate.

use std::collections::HashMap;

use crate::{
    app::{App, Error},
    domain::{Debate, DebateId, HistoryEntry, Issue, IssueNumber, IssueStatus, histories},
};

/// Which issues to return.
#[derive(Debug, Clone, Copy, Default)]
pub struct IssueFilter {
    /// Only issues in this status
    pub status: Option<IssueStatus>,
    /// Whether to return the history of each
    pub history: bool,
}

/// The issues of a debate.
#[derive(Debug, Clone)]
pub struct DebateIssues {
    /// The debate
    pub debate: Debate,
    /// Those that match the filter, in the order of their numbers
    pub issues: Vec<Issue>,
    /// The history of each, if it was asked for
    pub histories: Option<HashMap<IssueNumber, Vec<HistoryEntry>>>,
}

impl App {
    /// Reads the issues of a debate.
    pub async fn debate_issues(&self, id: DebateId, filter: IssueFilter) -> Result<DebateIssues, Error> {
        let (debate, ledger) = self.store.debate_and_issues(id).await?.ok_or(Error::DebateNotFound(id))?;
        let matches = |issue: &&Issue| filter.status.is_none_or(|status| issue.status == status);
        let issues: Vec<_> = ledger.issues().filter(matches).cloned().collect();
        let histories = match filter.history {
            false => None,
            true if issues.is_empty() => Some(HashMap::new()),
            true => {
                let arguments = self.store.arguments_for_histories(&debate).await?;
                Some(histories(arguments.iter().map(|argument| &**argument)))
            }
        };
        Ok(DebateIssues { debate, issues, histories })
    }
}
