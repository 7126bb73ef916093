//! What `tools/list` says of a tool: its arguments are the options of the command, its answer is the command's data.

use rmcp::model::{JsonObject, Tool as ToolDescription, ToolAnnotations, object};
use serde_json::{Value, json};

use super::{Defaults, tools::Tool};
use crate::client::types::Role;

/// What `tools/list` says of a tool.
pub fn describe(tool: &Tool, defaults: &Defaults) -> ToolDescription {
    let annotations = if tool.only_reads {
        ToolAnnotations::new().read_only(true)
    } else {
        // It reaches the server of debates and nothing else.
        ToolAnnotations::new().destructive(false).open_world(false)
    };
    let description = format!("{}. Use it {}", tool.about(), tool.use_it);
    let described = ToolDescription::new(tool.name(), description, input(tool, defaults));
    let described = described.with_annotations(annotations);
    if tool.prints_text() { described } else { described.with_raw_output_schema(output().into()) }
}

/// The schema of the arguments.
fn input(tool: &Tool, defaults: &Defaults) -> JsonObject {
    let properties = tool.properties();
    let shown: JsonObject =
        properties.iter().map(|(name, property)| (name.clone(), shown(name, property, defaults))).collect();
    // An arbitrator may wait for several debates, or for all.
    let is_one = |property: &Value| property["x-one-or-several"] == true && defaults.role != Some(Role::Arbitrator);
    let may_be_needed = |name: &&str| tool.required().any(|one| one == *name) || is_one(&properties[*name]);
    let is_filled_in = |name: &str| defaults.of(name).is_some() || properties[name]["x-new-id"] == true;
    let required: Vec<&str> = properties.keys().map(String::as_str).filter(may_be_needed).collect();
    let required: Vec<&str> = required.into_iter().filter(|name| !is_filled_in(name)).collect();
    let mut schema = object(json!({"type": "object", "properties": shown, "additionalProperties": false}));
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema
}

/// What is shown of the schema of an argument: as little as says it, since hosts put all of it into the context of every conversation.
fn shown(name: &str, property: &Value, defaults: &Defaults) -> Value {
    let one = property["x-one-or-several"] == true && defaults.role != Some(Role::Arbitrator);
    let mut schema = if one { json!({"type": "string"}) } else { json!({}) };
    let keywords = if one { &["description"][..] } else { &["type", "items", "enum", "description", "maximum"] };
    for keyword in keywords {
        let value = match (*keyword, defaults.of(name)) {
            ("enum", Some(only)) if !property["enum"].is_null() => json!([only]),
            _ => property[keyword].clone(),
        };
        if !value.is_null() && value != "" {
            schema[keyword] = value;
        }
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
                    check(&tool.name(), &input(tool, &defaults).into(), &mut named);
                }
                assert!(named > 10, "{role:?}: {named}");
            }
        }
        let search = tools::of_command("debate", "search").unwrap();
        let kinds = &input(search, &Defaults::default())["properties"]["kind"];
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
