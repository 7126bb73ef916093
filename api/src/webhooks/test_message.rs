//! The message of `aweave-server webhook-test`.

use chrono::{DateTime, Utc};
use serde_json::json;
use uuid::Uuid;

use crate::domain::time_text;

/// A message of the type `webhook.test` with the fields of all others, about a debate that does not exist.
pub fn test_message(now: DateTime<Utc>, web_app: &str) -> String {
    let debate = Uuid::nil();
    json!({
        "type": "webhook.test",
        "timestamp": time_text(now),
        "data": {
            "debate_id": debate,
            "title": "Test of the webhook",
            "state": "AWAITING_ARBITRATOR",
            "url": format!("{}/d/{debate}", web_app.trim_end_matches('/')),
            "argument": {
                "seq": 1,
                "type": "APPEAL",
                "role": "proposer",
                "content": "If you read this, messages about debates arrive here.",
            },
        },
    })
    .to_string()
}
