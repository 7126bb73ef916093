//! The schemas of a tool: its arguments are the options of the command, its answer is the command's data.

use clap::{Arg, ArgAction, Command};
use rmcp::model::{JsonObject, object};
use serde_json::{Map, Value, json};

use super::{Defaults, tools::Tool, wording};
use crate::client::types::Role;

/// The longest wait in a call, in seconds. The server holds each of its requests for less.
pub const MAX_WAIT_SECONDS: u64 = 3_600;

/// What a tool has no use for: files that the command writes, how it prints, what wrote a text, other sources of a text, parts of a
/// guide.
const LEFT_OUT: [&str; 12] = [
    "agents",
    "file",
    "final_reading",
    "force",
    "format",
    "help",
    "host",
    "json",
    "output",
    "quiet",
    "rules_only",
    "stdin",
];

/// What an argument of a tool takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text
    Text,
    /// A whole number
    Number,
    /// Whether something is wanted
    Flag,
    /// A list of texts
    List,
    /// A JSON object, or its text
    Object,
    /// A list of changes of issues
    Changes,
}

/// The options of a command that are arguments of its tool.
pub fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set() && !LEFT_OUT.contains(&argument.get_id().as_str()))
}

/// The name of an option as an argument of a tool.
pub fn name(argument: &Arg) -> String {
    argument.get_long().unwrap_or(argument.get_id().as_str()).replace('-', "_")
}

/// What an option takes.
pub fn kind(argument: &Arg) -> Kind {
    let value_name = argument.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
    match (argument.get_action(), value_name) {
        (ArgAction::SetTrue | ArgAction::SetFalse, _) => Kind::Flag,
        (ArgAction::Append, _) => Kind::List,
        (_, "N" | "SECONDS") => Kind::Number,
        (_, "JSON") => Kind::Object,
        _ if argument.get_id() == "issue_changes" => Kind::Changes,
        _ => Kind::Text,
    }
}

/// Whether a call has to have the argument.
pub fn is_required(tool: &Tool, argument: &Arg, defaults: &Defaults) -> bool {
    match (name(argument).as_str(), tool.command) {
        ("role", _) => argument.is_required_set() && defaults.role.is_none(),
        // A new debate may get a new id.
        ("debate_id", [_, "create"]) => false,
        // An arbitrator waits for several debates, or for all.
        ("debate_id", [_, "wait"]) => defaults.debate_id.is_none() && defaults.role != Some(Role::Arbitrator),
        ("debate_id", _) => argument.is_required_set() && defaults.debate_id.is_none(),
        _ => argument.is_required_set(),
    }
}

/// Whether the command takes a text from its caller.
pub fn has_text(command: &Command) -> bool {
    command.get_arguments().any(|argument| argument.get_id() == "content")
}

/// The schema of the arguments.
pub fn input(tool: &Tool, command: &Command, defaults: &Defaults) -> JsonObject {
    let mut properties = Map::new();
    for argument in arguments(command) {
        properties.insert(name(argument), property(tool, argument, defaults));
        if argument.get_id() == "content" {
            properties
                .insert("path".to_owned(), json!({"type": "string", "description": "A file in place of content"}));
        }
    }
    let required = arguments(command).filter(|argument| is_required(tool, argument, defaults));
    let required: Vec<String> = required.map(name).collect();
    let mut schema = object(json!({"type": "object", "properties": properties, "additionalProperties": false}));
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema
}

fn property(tool: &Tool, argument: &Arg, defaults: &Defaults) -> Value {
    let name = name(argument);
    let mut schema = match kind(argument) {
        Kind::List if name == "debate_id" && defaults.role != Some(Role::Arbitrator) => json!({"type": "string"}),
        Kind::Text => json!({"type": "string"}),
        Kind::Number => json!({"type": "integer"}),
        Kind::Flag => json!({"type": "boolean"}),
        Kind::Object => json!({"type": "object"}),
        Kind::List => json!({"type": "array", "items": {"type": "string"}}),
        Kind::Changes => json!({"type": "array", "items": {"type": "object", "required": ["change"]}}),
    };
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let description = wording::of_argument(tool, &name, &help);
    if !description.is_empty() {
        schema["description"] = description.into();
    }
    let names: Vec<String> = match (kind(argument), name.as_str(), defaults.role) {
        (Kind::Flag, ..) => Vec::new(),
        (_, "role", Some(role)) => vec![role.to_string()],
        _ => argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect(),
    };
    if !names.is_empty() {
        schema["enum"] = names.into();
    }
    if name == "timeout" {
        schema["maximum"] = MAX_WAIT_SECONDS.into();
    }
    schema
}

/// The schema of every answer: the command's data with the call to make next, or an error.
pub fn output() -> JsonObject {
    object(json!({
        "type": "object",
        "properties": {"next": {"type": "object", "required": ["tool", "arguments"]}, "error": {"type": "object"}},
        "anyOf": [{"required": ["next"]}, {"required": ["error"]}],
    }))
}
