//! What a debate's plan has to be, worked out from its arguments.

use serde_json::{Value, json};

/// The plan after these arguments, as a debate has to have it.
pub fn plan_of(arguments: &[&Value]) -> Value {
    let citations = |argument: &&Value| argument["citations"].as_array().cloned().unwrap_or_default();
    let proposed: Vec<Vec<Value>> = arguments
        .iter()
        .filter(|argument| argument["role"] == "proposer")
        .map(citations)
        .filter(|citations| !citations.is_empty())
        .collect();
    let Some(first) = proposed.first() else { return Value::Null };
    let document = &first[0]["document_id"];
    let highest = |citations: &[Value]| {
        let of_plan = citations.iter().filter(|citation| citation["document_id"] == *document);
        of_plan.max_by_key(|citation| citation["version"].as_u64()).cloned()
    };
    let newest = proposed.iter().rev().find_map(|citations| highest(citations)).unwrap_or_default();
    let read = arguments.iter().rposition(|argument| argument["type"] == "CLAIM" && argument["role"] == "opponent");
    let seen: Vec<Value> = arguments[..read.map_or(0, |newest| newest + 1)].iter().flat_map(citations).collect();
    json!({
        "document_id": document,
        "version": newest["version"],
        "sha256": newest["sha256"],
        "first_version": highest(first).map(|first| first["version"].clone()),
        "seen_version": highest(&seen).map(|seen| seen["version"].clone()),
        "seen": seen.iter().any(|seen| seen["document_id"] == *document && seen["version"] == newest["version"]),
    })
}
