//! What `tools/list` says of a tool: its arguments are the options of the command, its answer is the command's data.

use clap::{Arg, Command};
use rmcp::model::{JsonObject, Tool as ToolDescription, ToolAnnotations, object};
use serde_json::{Map, Value, json};

use super::{
    Defaults,
    arguments::{self, Kind, MAX_WAIT_SECONDS},
    tools::Tool,
    wording,
};
use crate::client::types::Role;

/// What `tools/list` says of a tool.
pub fn describe(tool: &Tool, defaults: &Defaults) -> ToolDescription {
    let definition = tool.definition();
    let annotations = if tool.only_reads {
        ToolAnnotations::new().read_only(true)
    } else {
        // It reaches the server of debates and nothing else.
        ToolAnnotations::new().destructive(false).open_world(false)
    };
    let about = definition.get_about().map(ToString::to_string).unwrap_or_default();
    // What only a command does is left out.
    let parts = [";", ": only", ", or write"].iter().find_map(|end| about.split_once(end));
    let about = wording::in_prose(parts.map_or(&*about, |parts| parts.0));
    let description = format!("{about}. Use it {}", tool.use_it);
    let described = ToolDescription::new(tool.name(), description, input(tool, &definition, defaults));
    let described = described.with_annotations(annotations);
    if tool.prints_text() { described } else { described.with_raw_output_schema(output().into()) }
}

/// Whether a call has to have the argument.
fn is_required(tool: &Tool, argument: &Arg, defaults: &Defaults) -> bool {
    match (arguments::name(argument).as_str(), tool.command) {
        ("role", _) => argument.is_required_set() && defaults.role.is_none(),
        // A new debate may get a new id.
        ("debate_id", [_, "create"]) => false,
        // An arbitrator waits for several debates, or for all.
        ("debate_id", [_, "wait"]) => defaults.debate_id.is_none() && defaults.role != Some(Role::Arbitrator),
        ("debate_id", _) => argument.is_required_set() && defaults.debate_id.is_none(),
        _ => argument.is_required_set(),
    }
}

/// The schema of the arguments.
fn input(tool: &Tool, command: &Command, defaults: &Defaults) -> JsonObject {
    let mut properties = Map::new();
    for argument in arguments::of(command) {
        properties.insert(arguments::name(argument), property(tool, argument, defaults));
        if argument.get_id() == "content" {
            properties
                .insert("path".to_owned(), json!({"type": "string", "description": "A file in place of content"}));
        }
    }
    let required = arguments::of(command).filter(|argument| is_required(tool, argument, defaults));
    let required: Vec<String> = required.map(arguments::name).collect();
    let mut schema = object(json!({"type": "object", "properties": properties, "additionalProperties": false}));
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema
}

fn property(tool: &Tool, argument: &Arg, defaults: &Defaults) -> Value {
    let name = arguments::name(argument);
    let mut schema = match arguments::kind(argument) {
        Kind::List if name == "debate_id" && defaults.role != Some(Role::Arbitrator) => json!({"type": "string"}),
        Kind::Text => json!({"type": "string"}),
        Kind::Number => json!({"type": "integer"}),
        Kind::Flag => json!({"type": "boolean"}),
        Kind::Object => json!({"type": "object"}),
        Kind::List => json!({"type": "array", "items": {"type": "string"}}),
        Kind::Options => json!({"type": "array", "items": {"type": "object", "required": ["label"]}}),
        Kind::Changes => json!({"type": "array", "items": {"type": "object", "required": ["change"]}}),
    };
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let description = wording::of_argument(tool, &name, &help);
    if !description.is_empty() {
        schema["description"] = description.into();
    }
    let names: Vec<String> = match (arguments::kind(argument), name.as_str(), defaults.role) {
        (Kind::Flag, ..) => Vec::new(),
        (_, "role", Some(role)) => vec![role.to_string()],
        _ => argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect(),
    };
    if !names.is_empty() {
        // Of a list each entry is one of them.
        let one = if schema["type"] == "array" { &mut schema["items"] } else { &mut schema };
        one["enum"] = names.into();
    }
    if name == "timeout" {
        schema["maximum"] = MAX_WAIT_SECONDS.into();
    }
    schema
}

/// The schema of every answer: the command's data with the call to make next, or an error.
fn output() -> JsonObject {
    object(json!({
        "type": "object",
        "properties": {"next": {"type": "object", "required": ["tool", "arguments"]}, "error": {"type": "object"}},
        "anyOf": [{"required": ["next"]}, {"required": ["error"]}],
    }))
}

#[cfg(test)]
mod tests {
    use super::{super::tools, *};

    /// A host puts the list into the context of every conversation.
    #[test]
    fn the_list_of_tools_is_short() {
        for role in [None, Some(Role::Proposer), Some(Role::Opponent)] {
            let defaults = Defaults { role, debate_id: None };
            let tools: Vec<_> = tools::for_role(role).map(|tool| describe(tool, &defaults)).collect();
            let bytes = serde_json::json!({ "tools": tools }).to_string().len();
            assert!(bytes <= 17_500, "{role:?}: {bytes} bytes");
        }
    }

    #[test]
    fn each_value_that_is_named_has_the_type_that_is_asked_for() {
        fn check(place: &str, schema: &Value, named: &mut usize) {
            for one in schema["enum"].as_array().into_iter().flatten() {
                assert!(schema["type"] == "string" && one.is_string(), "{place}: {schema}");
                *named += 1;
            }
            assert!(schema["maximum"].is_null() || schema["type"] == "integer", "{place}: {schema}");
            match schema {
                Value::Object(fields) => fields.values().for_each(|field| check(place, field, named)),
                Value::Array(list) => list.iter().for_each(|one| check(place, one, named)),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        for role in [None, Some(Role::Proposer), Some(Role::Opponent), Some(Role::Arbitrator)] {
            for debate_id in [None, Some("1".to_owned())] {
                let defaults = Defaults { role, debate_id };
                let mut named = 0;
                for tool in tools::for_role(role) {
                    check(&tool.name(), &input(tool, &tool.definition(), &defaults).into(), &mut named);
                }
                assert!(named > 10, "{role:?}: {named}");
            }
        }
        let search = tools::of_command("debate", "search").unwrap();
        let kinds = &input(search, &search.definition(), &Defaults::default())["properties"]["kind"];
        assert_eq!(kinds["items"]["enum"].as_array().map(Vec::len), Some(4), "{kinds}");
    }

    #[test]
    fn the_tools_match_their_snapshot() {
        // A line for each property: what a tool takes can be read at a glance.
        let mut lines = Vec::new();
        for tool in tools::for_role(Some(Role::Arbitrator)) {
            let tool = serde_json::to_value(describe(tool, &Defaults::default())).unwrap();
            for (key, value) in tool.as_object().unwrap() {
                let Some(properties) = value["properties"].as_object() else {
                    lines.push(format!("{key}: {value}"));
                    continue;
                };
                let rest = value.as_object().unwrap().iter().filter(|(name, _)| *name != "properties");
                lines.extend(rest.map(|(name, value)| format!("{key}.{name}: {value}")));
                lines.extend(properties.iter().map(|(name, value)| format!("  {name}: {value}")));
            }
            lines.push(String::new());
        }
        insta::assert_snapshot!(lines.join("\n"));
    }
}
