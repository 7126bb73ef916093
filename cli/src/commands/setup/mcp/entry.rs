//! What is entered: how an agent starts the server.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::Scope;
use crate::{client::types::Role, guides::Host};

/// A call may take as long as the longest wait, and some more.
const TOOL_SECONDS: u64 = 3700;

/// Variables that a host hands on by name. Their values stay where they are.
const VARIABLES: [&str; 4] = ["DEBATE_SERVER_URL", "DEBATE_AUTH_TOKEN", "DEBATE_AUTH_TOKEN_FILE", "DEBATE_SEATS_DIR"];

/// How an agent starts the server.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub command: String,
    pub arguments: Vec<String>,
    /// Other fields, which the host wants
    before: Map<String, Value>,
    after: Map<String, Value>,
}

impl Entry {
    /// The entry for a host.
    pub fn new(host: Host, scope: Scope, role: Option<Role>) -> Self {
        let mut arguments = vec!["mcp".to_owned()];
        arguments.extend(role.into_iter().flat_map(|role| ["--role".to_owned(), role.to_string()]));
        let fields = |value: Value| if let Value::Object(fields) = value { fields } else { Map::new() };
        let (before, after) = match (host, scope) {
            (Host::ClaudeCode, _) | (Host::Copilot, Scope::Project) => (json!({"type": "stdio"}), json!({})),
            (Host::Copilot, Scope::User) => (json!({"type": "local"}), json!({"tools": ["*"]})),
            // Both end a call after a minute or ten otherwise; codex hands on no variables that are not named.
            (Host::Codex, _) => (json!({}), json!({"tool_timeout_sec": TOOL_SECONDS, "env_vars": VARIABLES})),
            (Host::Gemini, _) => (json!({}), json!({"timeout": TOOL_SECONDS * 1000})),
            (Host::Cursor | Host::AgentsMd, _) => (json!({}), json!({})),
        };
        Self { command: "aw".to_owned(), arguments, before: fields(before), after: fields(after) }
    }

    /// The same with other arguments.
    pub fn with_arguments(self, arguments: Vec<String>) -> Self {
        Self { arguments, ..self }
    }

    /// The entry that a settings file has.
    pub fn found(value: &Value) -> Self {
        let arguments = value["args"].as_array().into_iter().flatten();
        Self {
            command: value["command"].as_str().unwrap_or_default().to_owned(),
            arguments: arguments.map(|word| word.as_str().unwrap_or_default().to_owned()).collect(),
            before: Map::new(),
            after: Map::new(),
        }
    }

    /// Whether it starts this program.
    pub fn is_ours(&self) -> bool {
        let is_aw = Path::new(&self.command).file_name().is_some_and(|name| name == "aw");
        is_aw && self.arguments.first().is_some_and(|word| word == "mcp")
    }

    /// Its fields, in the order in which they are written.
    pub fn fields(&self) -> Map<String, Value> {
        let mut fields = self.before.clone();
        fields.insert("command".to_owned(), self.command.as_str().into());
        fields.insert("args".to_owned(), self.arguments.clone().into());
        fields.extend(self.after.clone());
        fields
    }
}
