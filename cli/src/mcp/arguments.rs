//! Checks the arguments of a call by the schema of the tool, and makes of them what the command reads.

use rmcp::model::JsonObject;
use serde_json::Value;

use super::{AllowedPaths, Call};
use crate::{
    input::ids,
    output::{Code, Failure},
};

/// What the command of a call reads. Adds to its arguments what has a default, so that the same call can be made again.
pub fn prepare(call: &mut Call<'_>, paths: &AllowedPaths) -> Result<JsonObject, Failure> {
    let properties = call.tool.properties();
    // As for the server, what is null is as if absent.
    call.arguments.retain(|_, value| !value.is_null());
    for (name, property) in properties {
        if let Some(given) = property["x-also"].as_str().and_then(|other| call.arguments.remove(other)) {
            call.arguments.entry(name).or_insert(given);
        }
    }
    refuse_unknown(call, properties)?;
    fill_in(call, properties)?;
    let mut prepared = JsonObject::new();
    for (name, value) in &call.arguments {
        let property = &properties[name];
        if property["x-not-with"].as_str().is_some_and(|other| call.arguments.contains_key(other)) {
            return Err(invalid(format!("{name} and {} cannot be given together", property["x-not-with"])));
        }
        let value = checked(name, property, value)?;
        match (property["x-text-of"].as_str(), value.as_str()) {
            (Some(text_of), Some(path)) if text_of == name || !call.arguments.contains_key(text_of) => {
                prepared.insert(text_of.to_owned(), paths.read(path)?.into());
            }
            (Some(text_of), _) => return Err(invalid(format!("{text_of} and {name} are both given"))),
            (None, _) => drop(prepared.insert(name.clone(), value)),
        }
    }
    let missing: Vec<&str> = call.tool.required().filter(|name| !call.arguments.contains_key(*name)).collect();
    if missing.is_empty() { Ok(prepared) } else { Err(invalid(format!("missing: {}", missing.join(", ")))) }
}

/// The failure for arguments that are not as they should be.
pub fn invalid(message: String) -> Failure {
    Failure::new(Code::InvalidInput, message).with_suggestion("See the tool's description and its input schema")
}

fn refuse_unknown(call: &Call<'_>, properties: &JsonObject) -> Result<(), Failure> {
    let Some(unknown) = call.arguments.keys().find(|name| !properties.contains_key(*name)) else { return Ok(()) };
    let names: Vec<&str> = properties.keys().map(String::as_str).collect();
    let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    Err(Failure::new(Code::InvalidInput, format!("{} has no argument {unknown:?}", call.tool.name()))
        .with_suggestion(format!("Its arguments are: {known}")))
}

/// Adds the role and the debate that were given when `aw mcp` was started, and new ids. Refuses another role.
fn fill_in(call: &mut Call<'_>, properties: &JsonObject) -> Result<(), Failure> {
    let Call { tool, arguments, defaults } = call;
    if let Some(role) = defaults.role {
        let given = arguments.get("role").map(|given| given.as_str().map_or_else(|| given.to_string(), str::to_owned));
        let given = given.or(tool.role.map(|role| role.to_string()));
        if let Some(other) = given.filter(|given| *given != role.to_string()) {
            let message =
                format!("{} as {other:?} is refused: this aw mcp was started with --role {role}", tool.name());
            return Err(Failure::new(Code::InvalidInput, message).with_suggestion(format!("Act as the {role} only")));
        }
    }
    for (name, property) in properties {
        let made = || (property["x-new-id"] == true).then(|| ids::new_id().to_string());
        if !arguments.contains_key(name)
            && let Some(default) = defaults.of(name).or_else(made)
        {
            arguments.insert(name.clone(), default.into());
        }
    }
    Ok(())
}

/// The value if it is of the type that its schema names, or can be read as one.
fn checked(name: &str, property: &Value, value: &Value) -> Result<Value, Failure> {
    let has_to_be = |what: &str| Err(invalid(format!("{name} has to be {what}")));
    let parsed_list = || serde_json::from_str(value.as_str()?).ok().filter(Value::is_array);
    match property["type"].as_str().unwrap_or_default() {
        "boolean" if !value.is_boolean() => has_to_be("true or false"),
        "integer" => {
            // For JSON Schema 5.0 is a whole number, too.
            let whole = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
            match whole.map(|number| number as i64) {
                Some(number) if number < 0 => has_to_be("a whole number, of at least 0"),
                Some(number) => match property["maximum"].as_i64().filter(|most| number > *most) {
                    Some(most) => Err(invalid(format!("{name} is at most {most}"))),
                    None => Ok(number.into()),
                },
                None => has_to_be("a whole number"),
            }
        }
        "array" if value.is_string() && property["x-one-or-several"] == true => Ok(value.clone()),
        "array" => match value.as_array().cloned().map(Value::from).or_else(parsed_list) {
            // Some models write a list as a text.
            Some(list) => {
                let items = list.as_array().into_iter().flatten();
                // An entry that may be an object may be the text of one.
                let items = items.filter(|item| property["items"]["type"] == "string" || !item.is_string());
                items.into_iter().try_for_each(|item| checked(name, &property["items"], item).map(drop))?;
                Ok(list)
            }
            None => has_to_be("a list"),
        },
        "object" if !value.is_object() && !value.is_string() => has_to_be("an object"),
        "string" => match (value.as_str(), property["enum"].as_array()) {
            (None, _) => has_to_be("a text"),
            (Some(_), Some(names)) if !names.contains(value) => {
                let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
                has_to_be(&format!("one of {}", names.join(", ")))
            }
            (Some(_), _) => Ok(value.clone()),
        },
        _ => Ok(value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{
        super::{Defaults, tools},
        *,
    };
    use crate::client::types::Role;

    const ID: &str = "93d81b1a-0e66-4510-abfd-aa33b26cb82e";

    /// What the command of the tool reads.
    fn read(tool: &str, arguments: Value, defaults: &Defaults) -> Result<Value, Failure> {
        let tool = tools::for_role(Some(Role::Arbitrator)).find(|one| one.name() == tool).unwrap();
        let Value::Object(arguments) = arguments else { panic!("not an object") };
        let prepared = prepare(&mut Call { tool, arguments, defaults }, &AllowedPaths::new(&[]).unwrap())?;
        tool.command(prepared.clone())?;
        Ok(prepared.into())
    }

    #[test]
    fn arguments_are_what_the_command_reads() {
        let given = json!({
            "debate_id": ID, "role": "opponent", "target_id": "#1", "content": "-- a\n--b", "resolve": ["I1", "I2"],
            "raise": "[\"high: -x\"]", "client_request_id": null,
        });
        let expected = json!({
            "debate_id": ID, "role": "opponent", "target_id": "#1", "content": "-- a\n--b", "resolve": ["I1", "I2"],
            "raise": ["high: -x"],
        });
        assert_eq!(read("debate_submit", given, &Defaults::default()).unwrap(), expected);
        let diff = read("docs_diff", json!({"document_id": "-1", "from": 2.0}), &Defaults::default()).unwrap();
        assert_eq!(diff, json!({"document_id": "-1", "from": 2}));
    }

    #[test]
    fn an_option_may_say_what_it_decides() {
        let decided = json!({"label": "On disk", "issue_changes": [{"change": "dismiss", "issue": "I2"}]});
        for name in ["option", "options"] {
            let mut given = json!({"debate_id": ID, "target_id": "#1", "content": "a"});
            given[name] = json!(["In memory: fast", decided]);
            let appeal = read("debate_appeal", given, &Defaults::default()).unwrap();
            assert_eq!(appeal["option"], json!(["In memory: fast", decided]));
        }
    }

    #[test]
    fn defaults_are_filled_in_and_another_role_is_refused() {
        let defaults = Defaults { role: Some(Role::Opponent), debate_id: Some(ID.to_owned()) };
        let wait = read("debate_wait", json!({}), &defaults).unwrap();
        assert_eq!(wait, json!({"debate_id": ID, "role": "opponent"}));
        let wait = read("debate_wait", json!({"debate_id": "93d81b1b"}), &defaults).unwrap();
        assert_eq!(wait["debate_id"], "93d81b1b");
        for (tool, arguments) in [
            ("debate_wait", json!({"role": "proposer"})),
            ("debate_wait", json!({"role": 7})),
            ("debate_appeal", json!({"target_id": "#1", "content": "a"})),
            ("debate_create", json!({"title": "T", "debate_type": "general_debate", "content": "a"})),
        ] {
            let failure = read(tool, arguments, &defaults).unwrap_err();
            assert_eq!(failure.code, "INVALID_INPUT");
            assert!(failure.message.contains("--role opponent"), "{}", failure.message);
        }
        let create = json!({"title": "T", "debate_type": "general_debate", "content": "a"});
        let created = read("debate_create", create, &Defaults::default()).unwrap();
        assert!(ids::parse_uuid("debate_id", created["debate_id"].as_str().unwrap()).is_ok());
    }

    #[test]
    fn wrong_arguments_are_named() {
        let submit = |more: Value| {
            let mut all = json!({"debate_id": ID, "role": "opponent", "target_id": "#1", "content": "a"});
            all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            read("debate_submit", all, &Defaults::default()).unwrap_err().message
        };
        assert!(submit(json!({"output": "x"})).contains("\"output\""));
        assert!(submit(json!({"format": "json"})).contains("\"format\""));
        assert!(submit(json!({"content": "<content>"})).contains("<content>"));
        assert!(submit(json!({"path": "a"})).contains("both"));
        assert!(submit(json!({"content": 1})).contains("content has to be a text"));
        assert!(submit(json!({"resolve": [1]})).contains("resolve has to be a text"));
        assert!(submit(json!({"target_id": null})).contains("target_id"));
        assert!(submit(json!({"role": "judge"})).contains("role has to be one of proposer, opponent"));
        for given in [json!({}), json!("fix"), json!("{}"), json!(7)] {
            assert!(submit(json!({"issue_changes": given})).contains("issue_changes has to be a list"));
            assert!(submit(json!({"resolve": given})).contains("resolve has to be a list"));
        }
        assert!(submit(json!({"resolve": "[1]"})).contains("resolve has to be a text"));
        assert!(submit(json!({"content": "-"})).contains("content is -"));
        let wait = |more: Value| {
            let mut all = json!({"debate_id": ID, "role": "opponent"});
            all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            read("debate_wait", all, &Defaults::default())
        };
        assert!(wait(json!({"timeout": 3600})).is_ok());
        for timeout in [json!(3601), json!("5"), json!([]), json!(-1), json!(1.5)] {
            assert!(wait(json!({"timeout": timeout})).unwrap_err().message.starts_with("timeout"));
        }
        assert!(wait(json!({"until_opened": true, "argument_id": "#1"})).unwrap_err().message.contains("together"));
        let plan = json!({"debate_id": ID, "lines": "0-1"});
        assert!(read("debate_plan", plan, &Defaults::default()).unwrap_err().message.contains("lines"));
    }
}
