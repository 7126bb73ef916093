//! Checks of the JSON objects that the API returns.

use serde_json::Value;

/// Panics unless the value is a complete debate.
#[track_caller]
pub fn is_debate(debate: &Value) {
    is_id(&debate["id"]);
    assert!(debate["title"].is_string(), "title: {debate}");
    assert!(matches!(debate["debate_type"].as_str(), Some("coding_plan_debate" | "general_debate")), "type: {debate}");
    assert!(debate["state"].is_string(), "state: {debate}");
    assert!(debate["last_seq"].is_u64(), "last_seq: {debate}");
    is_time(&debate["created_at"]);
    is_time(&debate["updated_at"]);
    assert!(debate["rounds"].is_u64(), "rounds: {debate}");
    let limit = debate.get("max_rounds");
    assert!(limit.is_some_and(|limit| limit.is_null() || limit.is_u64()), "max_rounds: {debate}");
    is_issue_counts(&debate["issue_counts"]);
    let plan = debate.get("plan").unwrap_or_else(|| panic!("plan: {debate}"));
    if !plan.is_null() {
        is_id(&plan["document_id"]);
        assert!(plan["version"].is_u64() && plan["first_version"].is_u64(), "plan: {debate}");
        assert!(plan["sha256"].as_str().is_some_and(|hash| hash.len() == 64), "plan: {debate}");
        assert!(plan["seen_version"].is_null() || plan["seen_version"].is_u64(), "plan: {debate}");
        assert!(plan["seen"].is_boolean(), "plan: {debate}");
    }
    let request = debate.get("ruling_request").unwrap_or_else(|| panic!("ruling_request: {debate}"));
    if !request.is_null() {
        assert!(request["on"].is_string() && request["seq"].is_u64(), "ruling_request: {debate}");
        assert!(request["agreed"].is_boolean(), "ruling_request: {debate}");
        is_time(&request["since"]);
    }
    for role in ["proposer", "opponent"] {
        assert!(debate["seats"][role].is_boolean(), "seats: {debate}");
    }
}

/// Panics unless the value has the number of issues in each status.
#[track_caller]
pub fn is_issue_counts(counts: &Value) {
    for name in ["open", "fixed", "disputed", "unsettled", "resolved", "withdrawn", "dismissed", "deferred", "blocking"]
    {
        assert!(counts[name].is_u64(), "{name}: {counts}");
    }
}

/// Panics unless the value is a complete argument.
#[track_caller]
pub fn is_argument(argument: &Value) {
    is_id(&argument["id"]);
    is_id(&argument["debate_id"]);
    assert!(argument["seq"].is_u64(), "seq: {argument}");
    assert!(argument["content"].is_string(), "content: {argument}");
    is_time(&argument["created_at"]);
    let kind = argument["type"].as_str();
    let roles: &[&str] = match kind {
        Some("MOTION" | "APPEAL" | "RESOLUTION") => &["proposer"],
        Some("CLAIM") => &["proposer", "opponent"],
        Some("RULING" | "INTERVENTION") => &["arbitrator"],
        _ => panic!("type: {argument}"),
    };
    assert!(argument["role"].as_str().is_some_and(|role| roles.contains(&role)), "role: {argument}");
    match kind {
        Some("MOTION" | "RULING" | "INTERVENTION") => {
            assert_eq!(argument.get("parent_id"), Some(&Value::Null), "parent_id: {argument}");
        }
        _ => is_id(&argument["parent_id"]),
    }
    if let Some(changes) = argument.get("issue_changes") {
        let changes = changes.as_array().unwrap_or_else(|| panic!("issue_changes: {argument}"));
        assert!(!changes.is_empty(), "issue_changes: {argument}");
        for change in changes {
            assert!(change["change"].is_string() && change["issue"].is_string(), "issue_changes: {argument}");
        }
    }
    if let Some(citations) = argument.get("citations") {
        let citations = citations.as_array().unwrap_or_else(|| panic!("citations: {argument}"));
        assert!(!citations.is_empty(), "citations: {argument}");
        for citation in citations {
            is_id(&citation["document_id"]);
            assert!(citation["version"].as_u64().is_some_and(|version| version > 0), "citations: {argument}");
            is_sha256(&citation["sha256"]);
        }
    }
    if kind == Some("RULING") {
        assert!(argument["close"].is_boolean(), "close: {argument}");
        let chosen = argument.get("chosen_option");
        assert!(chosen.is_some_and(|option| option.is_null() || option.is_u64()), "chosen_option: {argument}");
        let told = argument.get("chosen").unwrap_or_else(|| panic!("chosen: {argument}"));
        assert_eq!(told.is_null(), chosen.is_some_and(Value::is_null), "chosen: {argument}");
        assert!(told.is_null() || (told["seq"].is_u64() && told["label"].is_string()), "chosen: {argument}");
        assert_eq!(Some(&told["number"]), chosen, "chosen: {argument}");
    }
}

/// Panics unless the value is a complete document.
#[track_caller]
pub fn is_document(document: &Value) {
    is_id(&document["id"]);
    assert!(document["latest_version"].as_u64().is_some_and(|version| version > 0), "latest_version: {document}");
    assert!(document["title"].is_string(), "title: {document}");
    assert!(document["summary"].is_string(), "summary: {document}");
    is_time(&document["created_at"]);
    is_time(&document["updated_at"]);
    match document.get("deleted_at") {
        Some(Value::Null) => {}
        deleted => is_time(deleted.unwrap_or_else(|| panic!("deleted_at: {document}"))),
    }
}

/// Panics unless the value is a complete version of a document.
#[track_caller]
pub fn is_version(version: &Value) {
    is_version_entry(version);
    assert!(version["content"].is_string(), "content: {version}");
    assert!(version["metadata"].is_object(), "metadata: {version}");
}

/// Panics unless the value is a complete entry of a list of versions.
#[track_caller]
pub fn is_version_entry(version: &Value) {
    is_id(&version["document_id"]);
    assert!(version["version"].as_u64().is_some_and(|version| version > 0), "version: {version}");
    assert!(version["summary"].is_string(), "summary: {version}");
    is_sha256(&version["sha256"]);
    is_sha256(&version["metadata_sha256"]);
    is_time(&version["created_at"]);
}

/// Panics unless the value is a SHA-256 hash in lower-case hexadecimal.
#[track_caller]
fn is_sha256(hash: &Value) {
    let digits = hash.as_str().unwrap_or_else(|| panic!("a hash that is no text: {hash}"));
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    assert!(digits.len() == 64 && digits.chars().all(is_digit), "not a hash: {digits}");
}

/// Panics unless the value is a UUID in lower case with hyphens.
#[track_caller]
pub fn is_id(id: &Value) {
    let text = id.as_str().unwrap_or_else(|| panic!("an id that is no text: {id}"));
    let plain = |at: usize, c: char| match at {
        8 | 13 | 18 | 23 => c == '-',
        _ => c.is_ascii_digit() || ('a'..='f').contains(&c),
    };
    assert!(text.len() == 36 && text.chars().enumerate().all(|(at, c)| plain(at, c)), "not a plain UUID: {text}");
}

/// Panics unless the value is an RFC 3339 time in UTC with `Z`.
#[track_caller]
pub fn is_time(time: &Value) {
    let text = time.as_str().unwrap_or_else(|| panic!("a time that is no text: {time}"));
    let (date, fraction) = text.split_at(text.len().min(19));
    let shaped = date.chars().zip("dddd-dd-ddTdd:dd:dd".chars());
    let mut shaped = shaped.map(|(c, pattern)| if pattern == 'd' { c.is_ascii_digit() } else { c == pattern });
    assert!(date.len() == 19 && shaped.all(|fits| fits), "not RFC 3339: {text}");
    let digits = fraction.strip_suffix('Z').unwrap_or_else(|| panic!("not in UTC with Z: {text}"));
    let digits = digits.strip_prefix('.').unwrap_or(digits);
    assert!(digits.chars().all(|c| c.is_ascii_digit()), "not RFC 3339: {text}");
}

/// Panics unless the object has these keys. Others are allowed, since fields may be added.
#[track_caller]
pub fn has_keys(object: &Value, keys: &[&str]) {
    let missing: Vec<&&str> = keys.iter().filter(|key| object.get(**key).is_none()).collect();
    assert!(missing.is_empty(), "missing {missing:?}: {object}");
}
