//! What reads, records and `verify` say of changed rows.

use std::{collections::BTreeMap, fmt};

use serde_json::Value;

use super::{
    columns::{Applied, Column},
    unit::{Answer, Told, Unit},
};

/// What `verify` cannot find, or not always: see the table of who can change what in docs/running.md.
const NOT_COVERED: [(&str, &str); 18] = [
    ("debate_totals", "slot"),
    // What is missing from a lower one on is stored again by the next start.
    ("debates", "indexed_seq"),
    ("debates", "opponent_seat"),
    ("debates", "proposer_seat"),
    ("document_versions", "client_request_id"),
    ("document_versions", "created_at"),
    ("document_versions", "metadata_sha256"),
    ("document_versions", "summary"),
    ("documents", "client_request_id"),
    ("documents", "deleted_at"),
    ("search_texts", "id"),
    ("webhook_deliveries", "argument_id"),
    ("webhook_deliveries", "attempts"),
    ("webhook_deliveries", "created_at"),
    ("webhook_deliveries", "endpoint"),
    ("webhook_deliveries", "event"),
    ("webhook_deliveries", "next_attempt_at"),
    ("webhook_deliveries", "payload"),
];

/// What one answer, or all of a kind, said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    /// The same as before
    Same,
    /// Something else, but no error
    Other,
    /// An error
    Refused,
    /// That there is no such thing
    NotThere,
}

impl Said {
    fn of(before: &Answer, now: &Answer) -> Self {
        match now.code.as_str() {
            "ok" if now == before => Self::Same,
            "ok" => Self::Other,
            "DEBATE_NOT_FOUND" | "DOCUMENT_NOT_FOUND" => Self::NotThere,
            _ => Self::Refused,
        }
    }
}

/// What was said of one change.
pub struct Outcome {
    column: Column,
    read: Said,
    record: Said,
    document: Said,
    named: bool,
    fault: Option<String>,
}

impl Outcome {
    /// What the server told before and after a change, and what `verify` said of all changes.
    pub fn of(applied: &Applied, unit: &Unit, before: &Told, now: &Told, verify: &str) -> Self {
        let Applied { column, statement } = applied;
        let named = match column.table.as_str() {
            "debate_totals" => verify.contains("debate_totals"),
            _ => unit.ids().iter().any(|id| verify.contains(id.as_str())),
        };
        let read = Said::of(&before.debate, &now.debate);
        let record = Said::of(&before.record, &now.record);
        let documents = before.document.iter().zip(&now.document).map(|(before, now)| Said::of(before, now));
        let document = documents.max().unwrap_or(Said::Same);
        let is_covered = !NOT_COVERED.contains(&(column.table.as_str(), column.name.as_str()));
        let is_of_debate = ["debates", "arguments", "issues"].contains(&column.table.as_str());
        let is_held =
            |answer: &Answer| answer.code == "ok" && checked(&answer.envelope) != checked(&before.debate.envelope);
        let errors = [&now.debate, &now.record].map(|answer| answer.code.as_str());
        let fault = if is_held(&now.debate) {
            Some(format!("served {}", now.debate.envelope))
        } else if is_covered && !named {
            Some("verify does not name it".to_owned())
        } else if is_covered
            && is_of_debate
            && !["title_folded", "indexed_seq"].contains(&column.name.as_str())
            && [Said::Same, Said::Other].contains(&record)
        {
            Some("a record was made".to_owned())
        } else if errors.iter().any(|code| !["ok", "HISTORY_INVALID", "DEBATE_NOT_FOUND"].contains(code)) {
            Some(format!("{errors:?}"))
        } else {
            None
        };
        let fault = fault.map(|fault| format!("{statement}: {fault}"));
        Self { column: column.clone(), read, record, document, named, fault }
    }
}

/// What a read checks: the arguments, and the fixed fields of the debate.
fn checked(envelope: &Value) -> Value {
    let data = &envelope["data"];
    let fixed = ["id", "title", "debate_type", "created_at", "max_rounds", "head", "last_seq"]
        .map(|field| data["debate"][field].clone());
    serde_json::json!([data["motion"], data["arguments"], fixed])
}

/// How many changes of a column had which outcome.
#[derive(Default)]
struct Counts {
    changed: usize,
    refused_by_database: usize,
    read: BTreeMap<Said, usize>,
    record: BTreeMap<Said, usize>,
    document: BTreeMap<Said, usize>,
    named: usize,
}

/// What was said of all changes.
#[derive(Default)]
pub struct Outcomes {
    counts: BTreeMap<(String, String), Counts>,
    faults: Vec<String>,
}

impl Outcomes {
    fn counts(&mut self, column: &Column) -> &mut Counts {
        self.counts.entry((column.table.clone(), column.name.clone())).or_default()
    }

    /// Notes a column that the database did not let change.
    pub fn refused(&mut self, column: &Column) {
        self.counts(column).refused_by_database += 1;
    }

    /// Notes what was said of a change.
    pub fn add(&mut self, outcome: Outcome) {
        self.faults.extend(outcome.fault);
        let counts = self.counts(&outcome.column);
        counts.changed += 1;
        counts.named += usize::from(outcome.named);
        *counts.read.entry(outcome.read).or_default() += 1;
        *counts.record.entry(outcome.record).or_default() += 1;
        *counts.document.entry(outcome.document).or_default() += 1;
    }

    /// How many rows were changed, or could not be.
    pub fn changes(&self) -> usize {
        self.counts.values().map(|counts| counts.changed + counts.refused_by_database).sum()
    }

    /// What should not have happened.
    pub fn faults(&self) -> Vec<&str> {
        self.faults.iter().map(String::as_str).collect()
    }
}

impl fmt::Display for Outcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| column | changed | refused by the database | reads | records | documents | verify |")?;
        write!(f, "|---|---|---|---|---|---|---|")?;
        for ((table, name), counts) in &self.counts {
            let Counts { changed, refused_by_database, read, record, document, named } = counts;
            let [read, record, document] = [read, record, document].map(told);
            write!(
                f,
                "\n| {table}.{name} | {changed} | {refused_by_database} | {read} | {record} | {document} | {named} named |"
            )?;
        }
        Ok(())
    }
}

fn told(counts: &BTreeMap<Said, usize>) -> String {
    let text = |(said, count): (&Said, &usize)| {
        let said = match said {
            Said::Same => "as before",
            Said::Other => "other",
            Said::Refused => "refused",
            Said::NotThere => "not there",
        };
        format!("{count} {said}")
    };
    counts.iter().map(text).collect::<Vec<_>>().join(", ")
}
