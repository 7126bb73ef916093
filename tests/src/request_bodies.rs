//! Well-formed request bodies with fresh ids.

use serde_json::{Value, json};

use crate::ids;

/// Body of `POST /debates`.
pub fn creation() -> Value {
    json!({
        "debate_id": ids::fresh(),
        "title": "Retry budget for the notification relay",
        "debate_type": "coding_plan_debate",
        "motion_content": "We add a retry budget.",
        "client_request_id": ids::fresh(),
    })
}

/// Body of `POST /debates/{id}/arguments`.
pub fn claim(role: &str, target_id: &str) -> Value {
    let mut body = answer_to(target_id);
    body["role"] = role.into();
    body
}

/// Body of `POST /debates/{id}/appeal` and `/resolution`.
pub fn answer_to(target_id: &str) -> Value {
    json!({ "target_id": target_id, "content": "The budget is per shard.", "client_request_id": ids::fresh() })
}

/// Body of `POST /debates/{id}/ruling`, not closing, and `/intervention`.
pub fn decision() -> Value {
    json!({ "content": "Keep the budget.", "client_request_id": ids::fresh() })
}

/// Body of `POST /documents` and `POST /documents/{id}/versions`.
pub fn document(content: &str) -> Value {
    json!({ "summary": "Plan: retry budget", "content": content, "client_request_id": ids::fresh() })
}

/// The body with one field set.
#[must_use]
pub fn with(mut body: Value, field: &str, value: impl Into<Value>) -> Value {
    body[field] = value.into();
    body
}

/// The body without one field.
#[must_use]
pub fn without(mut body: Value, field: &str) -> Value {
    body.as_object_mut().expect("bodies are objects").shift_remove(field).expect("the field was there");
    body
}
