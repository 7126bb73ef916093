//! Well-formed bodies of writes, each with ids of its own, to be sent or bent.

use serde_json::{Value, json};

use crate::ids;

/// Opens a debate.
pub fn creation() -> Value {
    json!({
        "debate_id": ids::fresh(),
        "title": "Retry budget for the notification relay",
        "debate_type": "coding_plan_debate",
        "motion_content": "We add a retry budget.",
        "client_request_id": ids::fresh(),
    })
}

/// An argument of one of the agents.
pub fn claim(role: &str, target_id: &str) -> Value {
    let mut body = answer_to(target_id);
    body["role"] = role.into();
    body
}

/// An appeal or a request for completion.
pub fn answer_to(target_id: &str) -> Value {
    json!({ "target_id": target_id, "content": "The budget is per shard.", "client_request_id": ids::fresh() })
}

/// A ruling that lets the debate go on, or an intervention.
pub fn decision() -> Value {
    json!({ "content": "Keep the budget.", "client_request_id": ids::fresh() })
}

/// A version of a document.
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
