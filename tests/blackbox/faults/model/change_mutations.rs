//! Faults in the shape of `issue_changes`.

use serde_json::{Value, json};

use super::{
    issue_rules::{MAX_CHANGES, TEXTS},
    model_request::ModelRequest,
};

/// A fault in the shape of a change or of the whole list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeFault {
    /// A change of no known name
    Unknown,
    /// A field that the change needs is missing
    Missing,
    /// A field that the change has no use for
    Unneeded,
    /// An unknown severity
    Severity,
    /// A text that is no id of an issue
    NoId,
    /// The id of an issue that the debate does not have; it is told after state and target only
    NoIssue,
    /// A second change of the same issue
    Twice,
    /// More changes than an argument may carry
    TooMany,
    /// A text that is too long
    Long,
    /// An empty title
    Empty,
    /// A forbidden character
    Control,
    /// A line break in a title or a location
    LineBreak,
    /// Values of other types
    Mistyped,
}

/// All faults.
pub const CHANGE_FAULTS: [ChangeFault; 13] = [
    ChangeFault::Unknown,
    ChangeFault::Missing,
    ChangeFault::Unneeded,
    ChangeFault::Severity,
    ChangeFault::NoId,
    ChangeFault::NoIssue,
    ChangeFault::Twice,
    ChangeFault::TooMany,
    ChangeFault::Long,
    ChangeFault::Empty,
    ChangeFault::Control,
    ChangeFault::LineBreak,
    ChangeFault::Mistyped,
];

/// Adds a fault to one of the changes of a write, or to a new one.
pub fn add_fault(request: &mut ModelRequest, fault: ChangeFault, which: usize) {
    if !request.verb.has_body() || !request.verb.is_of_a_debate() {
        return;
    }
    let given = &mut request.body["issue_changes"];
    if !given.is_array() {
        *given = json!([]);
    }
    let Value::Array(changes) = given else { return };
    if changes.is_empty() {
        changes.push(json!({"change": "raise", "severity": "low", "title": "One more"}));
    }
    let count = changes.len();
    let change = &mut changes[which % count];
    if !change.is_object() {
        return;
    }
    let is_raise = change["change"] == "raise";
    let texts = || json!({"change": "raise", "severity": "low", "title": "t", "location": "l", "note": "n"});
    let (name, limit, _) = TEXTS[which % TEXTS.len()];
    match fault {
        ChangeFault::Unknown => change["change"] = ["close", "", "Raise", "raise "][which % 4].into(),
        ChangeFault::Missing => {
            let names: &[&str] = if is_raise { &["title", "severity", "change"] } else { &["issue", "change"] };
            change[names[which % names.len()]] = Value::Null;
        }
        ChangeFault::Unneeded if is_raise => change["issue"] = "I1".into(),
        ChangeFault::Unneeded => change[["title", "location"][which % 2]] = "Of no use".into(),
        ChangeFault::Severity => {
            *change = texts();
            change["severity"] = ["", "blocker", "High", "low "][which % 4].into();
        }
        ChangeFault::NoId => {
            let id = ["", "1", "i1", "I0", "I01", "I", "I1 ", "I-1"][which % 8];
            *change = json!({"change": "withdraw", "issue": id});
        }
        ChangeFault::NoIssue => {
            let name = ["withdraw", "fix", "refer", "dismiss"][which % 4];
            *change = json!({"change": name, "issue": "I999"});
        }
        ChangeFault::Twice => {
            *change = json!({"change": "withdraw", "issue": "I1"});
            let again = ["withdraw", "resolve"][which % 2];
            changes.push(json!({"change": again, "issue": "I1"}));
        }
        // They are short, since other writes have to be small.
        ChangeFault::TooMany => {
            *changes = vec![json!({"change": "raise", "severity": "low", "title": "t"}); MAX_CHANGES + 1]
        }
        ChangeFault::Long => {
            *change = texts();
            change[name] = "é".repeat(limit + 1).into();
        }
        ChangeFault::Empty => {
            *change = texts();
            change["title"] = "".into();
        }
        ChangeFault::Control => {
            *change = texts();
            change[name] = format!("text{}", ['\0', '\u{1b}', '\u{7f}', '\u{85}', '\u{e0041}'][which % 5]).into();
        }
        ChangeFault::LineBreak => {
            *change = texts();
            change[["title", "location"][which % 2]] = format!("two{}lines", ["\n", "\r"][which / 2 % 2]).into();
        }
        ChangeFault::Mistyped => match which % 5 {
            0 => *given = json!({"change": "raise"}),
            1 => *change = json!("raise"),
            2 => *given = json!("[]"),
            3 => change["note"] = json!(7),
            _ => *change = Value::Null,
        },
    }
}
