//! The record: what a debate decided, as one document that stands by itself. It follows from the debate's history alone, so
//! the same history always gives the same record.

mod agents;
mod entry;
mod rulings;
mod statistics;

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::{
    argument::ArgumentType,
    debate::Debate,
    issue::{HistoryEntry, Issue, IssueNumber, Ledger, histories},
    plan::Plan,
    string_enum::string_enum,
    text::{Content, Summary},
    time_text::serialize_time,
};

pub use agents::AgentsOfRole;
pub use entry::Entry;
pub use rulings::RecordedRuling;
pub use statistics::{RoleStatistics, Statistics};

string_enum! {
    /// How a debate ended.
    Outcome {
        /// It was closed on a RESOLUTION: the sides agreed
        Agreed = "agreed",
        /// It was closed otherwise: the arbitrator decided
        Ruled = "ruled",
        /// It is not closed
        Open = "open",
    }
}

/// The text of the RULING that closed a debate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClosingRuling {
    /// The `seq` of the RULING
    pub seq: u64,
    /// Its text
    pub content: Content,
    /// When it was stored
    #[serde(serialize_with = "serialize_time")]
    pub created_at: DateTime<Utc>,
}

/// The plan, as a record tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedPlan {
    /// The plan
    #[serde(flatten)]
    pub plan: Plan,
    /// The summary of its version
    pub summary: Summary,
}

/// What a debate decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The debate
    pub debate: Debate,
    /// How it ended
    pub outcome: Outcome,
    /// The text of the RULING that closed it
    pub decision: Option<ClosingRuling>,
    /// The plan; none if the proposer has cited no document
    pub plan: Option<RecordedPlan>,
    /// All RULINGs, in `seq` order
    pub rulings: Vec<RecordedRuling>,
    /// All issues, in the order of their numbers
    pub issues: Vec<Issue>,
    /// The changes of each issue, oldest first
    pub histories: HashMap<IssueNumber, Vec<HistoryEntry>>,
    /// How long it took, and who wrote how much
    pub statistics: Statistics,
    /// Which programs were started, and what they used
    pub agents: Vec<AgentsOfRole>,
    /// All arguments, in `seq` order
    pub entries: Vec<Entry>,
}

impl Record {
    /// The name and version of the format.
    pub const FORMAT: &str = "aweave-debate-record/2";

    /// The record of a debate with these issues and arguments, which were replayed. `summary` is that of the plan's version.
    pub fn of(debate: Debate, ledger: &Ledger, entries: Vec<Entry>, summary: Option<Summary>) -> Self {
        let rulings = rulings::rulings(&entries);
        let closing = rulings.iter().find(|ruling| ruling.close);
        let outcome = match closing.map(|ruling| ruling.on) {
            None => Outcome::Open,
            Some(ArgumentType::Resolution) => Outcome::Agreed,
            Some(
                ArgumentType::Motion
                | ArgumentType::Claim
                | ArgumentType::Appeal
                | ArgumentType::Intervention
                | ArgumentType::Ruling,
            ) => Outcome::Ruled,
        };
        let decision = closing.map(|ruling| ClosingRuling {
            seq: ruling.seq,
            content: ruling.content.clone(),
            created_at: ruling.created_at,
        });
        let plan = debate.plan().zip(summary).map(|(plan, summary)| RecordedPlan { plan, summary });
        Self {
            outcome,
            decision,
            plan,
            histories: histories(&entries),
            statistics: statistics::statistics(&entries, ledger.counts()),
            agents: agents::agents(&entries),
            rulings,
            debate,
            issues: ledger.issues().cloned().collect(),
            entries,
        }
    }

    /// The issues that are not settled.
    pub fn unsettled(&self) -> impl Iterator<Item = &Issue> {
        self.issues.iter().filter(|issue| !issue.status.is_settled())
    }

    /// The changes on which the sides did not agree, with their issues: what the proposer disputed and the arbitrator decided.
    pub fn dissent<'r>(&'r self) -> impl Iterator<Item = (&'r Issue, &'r HistoryEntry)> {
        let of_issue = |issue: &'r Issue| {
            let changes = self.histories.get(&issue.number).into_iter().flatten();
            changes.filter(|entry| entry.change.is_dissent()).map(move |entry| (issue, entry))
        };
        self.issues.iter().flat_map(of_issue)
    }
}

#[cfg(test)]
mod tests;
