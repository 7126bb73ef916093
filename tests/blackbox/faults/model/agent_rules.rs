//! What is wrong with the agents of a request, and what is stored of them.

use serde_json::{Value, json};

use super::expected_response::Refusal;

/// The fields that are numbers.
pub const NUMBERS: [&str; 10] = [
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "cost_microusd",
    "seconds",
    "changed_paths",
    "starts",
    "calls",
    "failed_calls",
    "denied_calls",
];

/// Those that are hashed only where they are there, in this order.
pub const ADDED: [&str; 5] = ["changed_paths", "starts", "calls", "failed_calls", "denied_calls"];

const NAMES: [&str; 2] = ["program", "model"];

const LARGEST: u64 = 9_007_199_254_740_991;

/// The agents of some requests. Most are right.
pub fn examples(which: usize) -> Value {
    let one =
        json!({"program": "codex", "model": "gpt-5", "purpose": "turn", "input_tokens": 1200, "output_tokens": 0});
    match which {
        0 => json!([one]),
        1 => {
            json!([one, {"program": "claude-code", "purpose": "failed", "seconds": LARGEST, "changed_paths": 3, "starts": 2,
            "calls": 5, "failed_calls": 4, "denied_calls": 1}, {"calls": 0}])
        }
        2 => json!([{"program": "é".repeat(100), "model": null, "unknown": [1]}]),
        3 => json!([]),
        4 => json!([one, {"program": ""}]),
        5 => json!([{"model": "é".repeat(101)}]),
        6 => json!([{"purpose": "thinking"}]),
        7 => json!([{"cost_microusd": LARGEST + 1}]),
        8 => json!([{"seconds": 1.5}]),
        9 => json!([["codex"]]),
        10 => vec![one; 17].into(),
        11 => json!([{"model": "a\u{1b}"}]),
        _ => Value::Null,
    }
}

/// The agents as they are stored: without fields that are as if absent. Null if there are none.
pub fn stored(agents: &Value) -> Value {
    let known = |name: &&str| NAMES.contains(name) || NUMBERS.contains(name) || *name == "purpose";
    let kept = |agent: &Value| -> Value {
        let fields = agent.as_object().into_iter().flatten();
        let fields = fields.filter(|(name, value)| known(&name.as_str()) && !value.is_null());
        fields.map(|(name, value)| (name.clone(), value.clone())).collect::<serde_json::Map<_, _>>().into()
    };
    match agents.as_array() {
        Some(agents) if !agents.is_empty() => agents.iter().map(kept).collect(),
        Some(_) | None => Value::Null,
    }
}

/// The refusal of the first text that is too long.
pub fn too_large(agents: &Value) -> Option<Refusal> {
    agents.as_array()?.iter().enumerate().find_map(|(place, agent)| {
        NAMES.iter().find_map(|name| {
            let actual = agent.get(name)?.as_str()?.chars().count();
            let refusal = Refusal::naming("CONTENT_TOO_LARGE", vec![vec![format!("agents[{place}].{name}")]]);
            (actual > 100).then(|| refusal.with("limit", 100).with("actual", actual))
        })
    })
}

/// Whether the server takes these agents.
pub fn fit(agents: &Value) -> bool {
    let is_one = |agent: &Value| {
        agent.is_object()
            && NAMES.iter().all(|name| match &agent[name] {
                Value::Null => true,
                Value::String(text) => !text.is_empty() && !text.contains('\u{1b}'),
                Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => false,
            })
            && NUMBERS.iter().all(|name| agent[name].is_null() || agent[name].as_u64().is_some_and(|n| n <= LARGEST))
            && (agent["purpose"].is_null()
                || ["turn", "review", "reading", "failed"].iter().any(|purpose| agent["purpose"] == *purpose))
    };
    agents.as_array().is_some_and(|agents| agents.len() <= 16 && agents.iter().all(is_one))
}
