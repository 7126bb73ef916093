//! The shape of `issue_changes` in requests.

use serde_json::{Map, Value};

use super::{expected_response::Refusal, field_rules::forbidden};

/// All changes, in the order of the contract's table.
pub const CHANGES: [&str; 11] =
    ["raise", "fix", "dispute", "refer", "resolve", "withdraw", "reopen", "regrade", "uphold", "dismiss", "defer"];

/// The severities of issues.
pub const SEVERITIES: [&str; 4] = ["critical", "high", "medium", "low"];

/// The maximum number of changes of an argument.
pub const MAX_CHANGES: usize = 50;

/// The texts of a change, their maximum lengths in characters, and whether they have to be one line.
pub const TEXTS: [(&str, usize, bool); 3] = [("title", 200, true), ("location", 300, true), ("note", 1000, false)];

/// All fields of a change.
const FIELDS: [&str; 6] = ["change", "issue", "severity", "title", "location", "note"];

/// The fields in which an empty text is as if absent.
const MAY_BE_EMPTY: [&str; 2] = ["location", "note"];

/// The changes of a body; empty if there are none.
pub fn list(changes: &Value) -> &[Value] {
    changes.as_array().map_or(&[], Vec::as_slice)
}

/// The number of the issue with this id.
pub fn number_in(id: &Value) -> Option<usize> {
    let digits = id.as_str()?.strip_prefix('I')?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| plain)
}

/// The changes as payloads are compared: without fields that are as if absent. Null if there are no changes.
pub fn normalized(changes: &Value) -> Value {
    let normal = |change: &Value| -> Value {
        let given = FIELDS.iter().filter_map(|name| Some(((*name).to_owned(), given(change, name)?.clone())));
        given.collect::<Map<String, Value>>().into()
    };
    let changes = list(changes);
    if changes.is_empty() { Value::Null } else { changes.iter().map(normal).collect() }
}

/// The value of a field; `None` if it is absent or as if absent.
fn given<'a>(change: &'a Value, name: &str) -> Option<&'a Value> {
    let is_empty = |value: &Value| value == "" && MAY_BE_EMPTY.contains(&name);
    change.get(name).filter(|value| !value.is_null() && !is_empty(value))
}

/// The refusal of the first text that is too long, in a field.
pub fn too_large(field: &str, changes: &Value) -> Option<Refusal> {
    list(changes).iter().enumerate().find_map(|(place, change)| {
        TEXTS.iter().find_map(|(name, limit, _)| {
            let actual = given(change, name)?.as_str()?.chars().count();
            let refusal = Refusal::naming("CONTENT_TOO_LARGE", vec![vec![format!("{field}[{place}].{name}")]]);
            (actual > *limit).then(|| refusal.with("limit", *limit).with("actual", actual))
        })
    })
}

/// What the refusal of each fault of shape in a field names.
pub fn faults(field: &str, changes: &Value) -> Vec<Vec<String>> {
    let whole = || vec![vec![field.to_owned()]];
    let items = match changes {
        Value::Null => return Vec::new(),
        Value::Array(items) => items,
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => return whole(),
    };
    if items.iter().any(|change| !change.is_object()) {
        return whole();
    }
    let mut faults = if items.len() > MAX_CHANGES { whole() } else { Vec::new() };
    for (place, change) in items.iter().enumerate() {
        let again =
            given(change, "issue").is_some_and(|issue| items[..place].iter().any(|other| other["issue"] == *issue));
        let of_this = faults_of(change).into_iter().chain(again.then(Vec::new));
        faults.extend(of_this.map(|details| [vec![format!("{field}[{place}]")], details].concat()));
    }
    // A value of another type may be reported for the whole list.
    let mistyped =
        |change: &Value| FIELDS.iter().any(|name| given(change, name).is_some_and(|value| !value.is_string()));
    if items.iter().any(mistyped) { whole() } else { faults }
}

/// The field with the changes that an option decides.
pub fn field_of_option(number: usize) -> String {
    format!("options[{number}].issue_changes")
}

/// What the refusal of each fault in what options decide names. An option changes issues that are there.
pub fn faults_of_options(options: &Value) -> Vec<Vec<String>> {
    let of_option = |(number, option): (usize, &Value)| {
        let (field, changes) = (field_of_option(number), &option["issue_changes"]);
        let raises = list(changes).iter().enumerate().filter(|(_, change)| change["change"] == "raise");
        let raises: Vec<_> = raises.map(|(place, _)| vec![format!("{field}[{place}]")]).collect();
        [faults(&field, changes), raises].concat()
    };
    list(options).iter().enumerate().flat_map(of_option).collect()
}

/// What the refusal names besides the change's place, for each fault of its shape.
fn faults_of(change: &Value) -> Vec<Vec<String>> {
    let name = given(change, "change").and_then(Value::as_str).filter(|name| CHANGES.contains(name));
    let Some(name) = name else { return vec![Vec::new()] };
    let (needed, possible): (&[&str], &[&str]) = match name {
        "raise" => (&["severity", "title"], &["location", "note"]),
        "regrade" => (&["issue", "severity"], &["note"]),
        "dispute" | "reopen" | "defer" => (&["issue", "note"], &[]),
        _ => (&["issue"], &["note"]),
    };
    let has_use = |field: &&&str| match given(change, field) {
        Some(_) => needed.contains(*field) || possible.contains(*field),
        None => !needed.contains(*field),
    };
    let mut faults: Vec<Vec<String>> =
        FIELDS.iter().skip(1).filter(|field| !has_use(field)).map(|field| vec![(*field).to_owned()]).collect();
    if given(change, "severity").is_some_and(|severity| !SEVERITIES.iter().any(|known| severity == known)) {
        faults.push(vec!["severity".to_owned()]);
    }
    if given(change, "issue").is_some_and(|issue| number_in(issue).is_none()) {
        faults.push(vec!["issue".to_owned()]);
    }
    faults.extend(TEXTS.iter().filter_map(|(field, _, is_line)| {
        let text = given(change, field)?.as_str()?;
        let breaks = *is_line && text.contains(['\n', '\r']);
        let details = if text.is_empty() || breaks { Some(Vec::new()) } else { forbidden(text) };
        details.map(|details| [vec![(*field).to_owned()], details].concat())
    }));
    faults
}
