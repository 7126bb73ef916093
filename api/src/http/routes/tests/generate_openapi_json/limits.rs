//! The limits of texts, numbers and lists. Limits in bytes cannot be expressed, and some of them can be configured: the
//! descriptions of the fields and `GET /info` have these.

use serde_json::{Map, Value, json};

use super::schemas::for_each_typed_property;
use crate::domain::{
    AGENT_NAME, CHANGE_NOTE, Hash, ISSUE_LOCATION, ISSUE_TITLE, MAX_AGENTS, MAX_CHANGES, MAX_ISSUES, MAX_USED,
    RequestId, Role, Rounds, Summary, TextRule, Title, Usage,
};
use crate::{
    app::{MAX_FAULTS, MAX_RULINGS_DUE},
    http::params::MAX_LIMIT,
};

/// The characters of a `client_request_id`.
const REQUEST_ID: &str = "^[A-Za-z0-9._:-]+$";

/// The id of an issue.
const ISSUE_ID: &str = "^I[1-9][0-9]*$";

/// A text of one line.
const ONE_LINE: &str = r"^[^\r\n]*$";

/// Adds the limits of all properties that have some.
pub(super) fn add(contract: &mut Value) {
    for_each_typed_property(contract, |schema, property, description| {
        description.extend(limits(schema, property));
        let is_unsigned =
            description.get("format").and_then(Value::as_str).is_some_and(|name| name.starts_with("uint"));
        if is_unsigned && !description.contains_key("minimum") {
            description.insert("minimum".to_owned(), json!(0));
        }
    });
}

fn limits(schema: &str, property: &str) -> Map<String, Value> {
    let limits = match (schema, property) {
        ("Debate" | "DebateCreate" | "RecordDebate", "title") => length(Title::RULE),
        ("Document", "title") | (_, "summary") => length(Summary::RULE),
        ("Issue" | "BlockingIssue" | "IssueChange" | "IssueChangeSubmit", "title") => line(ISSUE_TITLE),
        ("IssueChangeSubmit", "location") => line(ISSUE_LOCATION),
        ("IssueChangeSubmit", "note") => length(CHANGE_NOTE),
        // What is stored is not empty.
        (_, "location") => line(TextRule { may_be_empty: false, ..ISSUE_LOCATION }),
        (_, "note") => length(TextRule { may_be_empty: false, ..CHANGE_NOTE }),
        // The others may be empty if there is a plan.
        ("RulingSubmit", "content")
        | ("AppealOption" | "AppealOptionSubmit" | "ChosenOption", "label")
        | ("Error", "message") => json!({ "minLength": 1 }),
        (_, "client_request_id") => json!({ "minLength": 1, "maxLength": RequestId::MAX_LEN, "pattern": REQUEST_ID }),
        ("Issue" | "BlockingIssue", "id") | ("IssueChange" | "IssueChangeSubmit" | "Error", "issue") => {
            json!({ "pattern": ISSUE_ID })
        }
        (_, "hash" | "head" | "previous_hash" | "last_seen_hash" | "sha256" | "metadata_sha256") => {
            json!({ "pattern": format!("^[0-9a-f]{{{}}}$", 2 * Hash::BYTES) })
        }
        // The MOTION changes no issue.
        ("IssueHistoryEntry", "seq") | (_, "raised_seq" | "changed_seq") => json!({ "minimum": 2 }),
        (_, "seq" | "last_seq" | "on_seq" | "latest_version")
        | ("DocumentVersion" | "DocumentVersionEntry" | "Citation" | "Error", "version")
        | ("Plan" | "RecordPlan", "version" | "first_version" | "seen_version") => json!({ "minimum": 1 }),
        ("Debate" | "DebateCreate" | "RecordDebate", "max_rounds") => json!({ "minimum": 1, "maximum": Rounds::MAX }),
        ("Move", "issue_changes") => json!({ "additionalProperties": {
            "type": "array", "minItems": 1, "maxItems": MAX_CHANGES, "items": { "type": "string", "pattern": ISSUE_ID },
        } }),
        ("Argument" | "AppealOption", "issue_changes") => json!({ "minItems": 1, "maxItems": MAX_CHANGES }),
        ("Argument", "agents") => json!({ "minItems": 1, "maxItems": MAX_AGENTS }),
        ("Record", "agents") => return Map::new(),
        (_, "agents") => json!({ "maxItems": MAX_AGENTS }),
        ("Agent", "program" | "model") => length(AGENT_NAME),
        ("Agent" | "RecordAgents", name) if name == "starts" || Usage::NAMES.contains(&name) => {
            json!({ "maximum": MAX_USED })
        }
        (
            "RecordRoleStatistics",
            "input_tokens" | "cached_tokens" | "output_tokens" | "cost_microusd" | "agent_seconds",
        ) => json!({ "maximum": MAX_USED }),
        ("Info", "issue_changes") => return Map::new(),
        (_, "issue_changes") => json!({ "maxItems": MAX_CHANGES }),
        (_, "issues" | "changed_issues") => json!({ "maxItems": MAX_ISSUES }),
        ("IssueCounts", _) => json!({ "maximum": MAX_ISSUES }),
        ("Argument" | "RecordRuling", "options") | ("Argument", "citations") | ("Issue", "history") => {
            json!({ "minItems": 1 })
        }
        (_, "faults") => json!({ "minItems": 1, "maxItems": MAX_FAULTS }),
        ("DebateList", "debates")
        | ("DocumentList", "documents")
        | ("DocumentHistory", "versions")
        | ("SearchResult", "hits") => json!({ "maxItems": MAX_LIMIT }),
        ("RulingsDue", "debates") => json!({ "maxItems": MAX_RULINGS_DUE }),
        (_, "turns") => json!({ "minItems": Role::ALL.len(), "maxItems": Role::ALL.len() }),
        _ => return Map::new(),
    };
    limits.as_object().cloned().unwrap_or_default()
}

/// The length of a text whose limit is in characters.
fn length(rule: TextRule) -> Value {
    json!({ "minLength": u8::from(!rule.may_be_empty), "maxLength": rule.limit })
}

fn line(rule: TextRule) -> Value {
    let mut limits = length(rule);
    limits["pattern"] = json!(ONE_LINE);
    limits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::IssueNumber;

    fn matches(pattern: &str, text: &str) -> bool {
        jsonschema::is_valid(&json!({ "pattern": pattern }), &json!(text))
    }

    #[test]
    fn the_patterns_accept_what_the_server_accepts() {
        for character in ('\0'..='\u{17f}').chain(['I', '😀']) {
            let text = character.to_string();
            assert_eq!(matches(REQUEST_ID, &text), text.parse::<RequestId>().is_ok(), "client_request_id {text:?}");
            for text in [text.clone(), format!("I{text}"), format!("I1{text}")] {
                assert_eq!(matches(ISSUE_ID, &text), text.parse::<IssueNumber>().is_ok(), "issue {text:?}");
            }
        }
    }
}
