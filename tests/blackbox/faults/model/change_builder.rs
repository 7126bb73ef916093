//! Turns the changes of a scenario's step into `issue_changes`, given the issues of the debate.

use std::{collections::BTreeSet, iter::repeat_n};

use serde_json::{Value, json};

use super::{
    issue_rules::{CHANGES, MAX_CHANGES, SEVERITIES, TEXTS},
    model_debate::Debate,
    model_issues::{Ledger, may_carry},
    scenario_steps::{ChangeChoice, IssueStep},
};

/// The texts of issues. None has a line break, so that each may be a title.
const WORDS: [&str; 6] = [
    "The pool is never drained",
    " white space,\tkept ",
    "Ngân sách \"thử lại\" \\ 🦀",
    "e\u{301} é \u{202e}abc\u{feff}",
    "I1, I2 @ src/worker.rs:41",
    "<script>alert(1)</script> %_",
];

/// The changes of these steps. An argument changes no issue twice.
pub fn changes(debate: Option<&Debate>, kind: &str, role: &str, steps: &[IssueStep]) -> Vec<Value> {
    let none = Ledger::default();
    let ledger = debate.map_or(&none, |debate| &debate.ledger);
    let mut taken: Vec<usize> = Vec::new();
    let mut changes = Vec::new();
    for step in steps {
        let possible = |legal| possible_changes(ledger, (kind, role), &taken, legal);
        let (change, number) = match step.choice {
            ChangeChoice::Raise => ("raise", None),
            ChangeChoice::Any(change, issue) => {
                (CHANGES[change % CHANGES.len()], Some(1 + issue % (ledger.issues.len() + 1)))
            }
            ChangeChoice::Legal(change, issue) => match chosen(&possible(true), change, issue) {
                Some(found) => found,
                None => continue,
            },
            ChangeChoice::Illegal(change, issue) => match chosen(&possible(false), change, issue) {
                Some(found) => found,
                None => continue,
            },
        };
        let number = number.filter(|_| change != "raise");
        if number.is_some_and(|number| taken.contains(&number)) {
            continue;
        }
        taken.extend(number);
        changes.push(body(change, number, *step));
    }
    changes
}

/// The changes that this argument may carry, each with the issues that have not been taken and whose status allows it, or does
/// not. An issue to be raised has no number. Of those that it does not allow one of each standing is enough, so that rare ones are as
/// likely as the others.
fn possible_changes(
    ledger: &Ledger,
    (kind, role): (&str, &str),
    taken: &[usize],
    legal: bool,
) -> Vec<(&'static str, Vec<Option<usize>>)> {
    let issues = |change: &str| -> Vec<Option<usize>> {
        if change == "raise" {
            return if legal { vec![None] } else { Vec::new() };
        }
        let all = ledger.issues.iter().zip(1..).filter(|(_, number)| !taken.contains(number));
        let mut standings = BTreeSet::new();
        let fitting = all.filter(|(issue, _)| {
            issue.allows(change, kind, role) == legal && (legal || standings.insert(issue.standing().name()))
        });
        fitting.map(|(_, number)| Some(number)).collect()
    };
    let carried = CHANGES.into_iter().filter(|change| may_carry(kind, role, change));
    // Several times, since few issues are such that the opponent may do this.
    let carried = carried.flat_map(|change| repeat_n(change, if legal && change == "defer" { 4 } else { 1 }));
    carried.map(|change| (change, issues(change))).filter(|(_, issues)| !issues.is_empty()).collect()
}

/// The n-th change and its n-th issue.
fn chosen(
    possible: &[(&'static str, Vec<Option<usize>>)],
    change: usize,
    issue: usize,
) -> Option<(&'static str, Option<usize>)> {
    let (name, issues) = possible.get(change % possible.len().max(1))?;
    Some((name, issues[issue % issues.len()]))
}

fn body(change: &str, number: Option<usize>, IssueStep { severity, words, .. }: IssueStep) -> Value {
    let mut body = json!({"change": change});
    if let Some(number) = number {
        body["issue"] = format!("I{number}").into();
    }
    if ["raise", "regrade"].contains(&change) {
        // Most are not blocking.
        body["severity"] = ["low", "medium", "medium", "high", "critical"][severity % 5].into();
    }
    let [(_, title, _), (_, location, _), (_, note, _)] = TEXTS;
    if change == "raise" {
        body["title"] = text(words, title).into();
        match words % 4 {
            0 => {}
            1 => body["location"] = "".into(),
            2 => body["location"] = text(words / 4, location).into(),
            _ => body["location"] = Value::Null,
        }
    }
    match words % 5 {
        _ if ["dispute", "reopen", "defer"].contains(&change) => body["note"] = text(words, note).into(),
        0 | 1 => {}
        2 => body["note"] = "".into(),
        3 => body["note"] = "First line\r\n\tand second".into(),
        _ => body["note"] = text(words, note).into(),
    }
    body
}

/// A text. Some have the maximum length.
fn text(words: usize, longest: usize) -> String {
    match words % (WORDS.len() + 1) {
        which if which < WORDS.len() => WORDS[which].to_owned(),
        _ => "🦀".repeat(longest),
    }
}

/// As many changes as an argument may carry, each of which raises an issue.
pub fn many_raises() -> Vec<Value> {
    let raise =
        |n: usize| json!({"change": "raise", "severity": SEVERITIES[2 + n % 2], "title": format!("Number {n}")});
    (0..MAX_CHANGES).map(raise).collect()
}
