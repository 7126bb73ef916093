//! The limits of arguments, as the server's contract has them.

use serde_json::{Map, Value, json};

use super::tools::Tool;

include!(concat!(env!("OUT_DIR"), "/limits.rs"));

/// The longest wait in a call, in seconds. The server holds each of its requests for less.
pub const MAX_WAIT_SECONDS: u64 = 3_600;

/// What JSON Schema says of the length, form or size of an argument.
pub fn of_argument(tool: &Tool, name: &str) -> Map<String, Value> {
    let limits = match name {
        "timeout" => json!({"minimum": 0, "maximum": MAX_WAIT_SECONDS}),
        _ => {
            let operation = tool.name().replace("docs_", "document_");
            let parameter = if name == "choose" { "chosen_option" } else { name };
            let found = LIMITS.iter().find(|(of, named, _)| *of == operation && *named == parameter);
            found.and_then(|(.., limits)| serde_json::from_str(limits).ok()).unwrap_or_default()
        }
    };
    if let Value::Object(limits) = limits { limits } else { Map::new() }
}
