//! Turns the arguments of a call into the words of a command line.

use clap::{Arg, Command};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::{
    AllowedPaths, Call,
    arguments::{self, Kind, MAX_WAIT_SECONDS},
    tools::{APPEAL, RULING},
};
use crate::{
    input::{
        content::{Content, STDIN},
        ids,
    },
    output::{Code, Failure, invocation::TEXT_PLACEHOLDER},
};

/// The words of the command line for a call. Adds to its arguments what has a default, so that the same call can be made again.
pub fn words(call: &mut Call<'_>, paths: &AllowedPaths) -> Result<Vec<String>, Failure> {
    let command = call.tool.definition();
    // As for the server, what is null and an empty list of changes are as if absent.
    // A ruling with an empty list makes none of the changes of the option that it chooses.
    let may_be_empty = call.tool.command == RULING;
    let is_absent =
        |name: &str, value: &Value| value.is_null() || name == "issue_changes" && *value == json!([]) && !may_be_empty;
    call.arguments.retain(|name, value| !is_absent(name, value));
    // The API calls the list so.
    if call.tool.command == APPEAL
        && let Some(options) = call.arguments.remove("options")
    {
        call.arguments.entry("option").or_insert(options);
    }
    refuse_unknown(call, &command)?;
    fill_in(call, &command)?;
    let mut words = ["aw"].into_iter().chain(call.tool.command).map(str::to_owned).collect::<Vec<_>>();
    words.extend(text_of(&command, &call.arguments, paths)?.map(|text| format!("--content={text}")));
    let mut positional = Vec::new();
    for argument in arguments::of(&command).filter(|argument| argument.get_id() != "content") {
        let Some(value) = call.arguments.get(&arguments::name(argument)) else { continue };
        match argument.get_long() {
            // A file, of which the command gets the text, since it may not read files outside of the allowed folders.
            Some("plan") => words.push(format!("--plan-text={}", paths.read(&text("plan", value)?)?)),
            Some(option) => words.extend(option_words(argument, option, value)?),
            None => positional.push(text(argument.get_id().as_str(), value)?),
        }
    }
    words.push("--".to_owned());
    words.extend(positional);
    Ok(words)
}

fn invalid(message: String) -> Failure {
    Failure::new(Code::InvalidInput, message).with_suggestion("See the tool's description and its input schema")
}

fn refuse_unknown(call: &Call<'_>, command: &Command) -> Result<(), Failure> {
    let mut names: Vec<String> = arguments::of(command).map(arguments::name).collect();
    names.extend(arguments::has_text(command).then(|| "path".to_owned()));
    let Some(unknown) = call.arguments.keys().find(|name| !names.contains(name)) else { return Ok(()) };
    let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    Err(Failure::new(Code::InvalidInput, format!("{} has no argument {unknown:?}", call.tool.name()))
        .with_suggestion(format!("Its arguments are: {known}")))
}

/// Adds the role and the debate that were given when `aw mcp` was started, and the id of a new debate. Refuses another role.
fn fill_in(call: &mut Call<'_>, command: &Command) -> Result<(), Failure> {
    let Call { tool, arguments, defaults } = call;
    let has = |name: &str| arguments::of(command).any(|argument| arguments::name(argument) == name);
    if let Some(role) = defaults.role {
        let given = arguments.get("role").map(|given| given.as_str().map_or_else(|| given.to_string(), str::to_owned));
        let given = given.or(tool.role.map(|role| role.to_string()));
        if let Some(other) = given.filter(|given| *given != role.to_string()) {
            let message =
                format!("{} as {other:?} is refused: this aw mcp was started with --role {role}", tool.name());
            return Err(Failure::new(Code::InvalidInput, message).with_suggestion(format!("Act as the {role} only")));
        }
        if has("role") {
            arguments.entry("role").or_insert_with(|| role.to_string().into());
        }
    }
    // For documents it is a filter, which nobody asked for.
    if has("debate_id") && tool.command[0] == "debate" {
        let is_new = tool.command == ["debate", "create"];
        let id = defaults.debate_id.clone().or_else(|| is_new.then(|| ids::new_id().to_string()));
        if let Some(id) = id {
            arguments.entry("debate_id").or_insert_with(|| id.into());
        }
    }
    Ok(())
}

/// The text of a call: `content`, or what is in the file `path`.
fn text_of(command: &Command, arguments: &JsonObject, paths: &AllowedPaths) -> Result<Option<String>, Failure> {
    if !arguments::has_text(command) {
        return Ok(None);
    }
    let is_optional = command.get_groups().any(|group| group.get_id() == Content::GROUP && !group.is_required_set());
    let has_plan = command.get_arguments().any(|argument| argument.get_id() == "plan");
    let may_be_left_out = is_optional && (!has_plan || arguments.contains_key("plan"));
    match (arguments.get("content"), arguments.get("path")) {
        (Some(content), None) => match text("content", content)? {
            placeholder if [TEXT_PLACEHOLDER, STDIN].contains(&&*placeholder) => {
                Err(invalid(format!("content is {placeholder}: put your text in its place")))
            }
            content => Ok(Some(content)),
        },
        (None, Some(path)) => paths.read(&text("path", path)?).map(Some),
        (None, None) if may_be_left_out => Ok(None),
        (None, None) => Err(invalid("content or path is missing".to_owned())),
        (Some(_), Some(_)) => Err(invalid("content and path are both given".to_owned())),
    }
}

/// `--option=value`, as often as needed.
fn option_words(argument: &Arg, option: &str, value: &Value) -> Result<Vec<String>, Failure> {
    let name = arguments::name(argument);
    let word = |value: String| format!("--{option}={value}");
    Ok(match (arguments::kind(argument), value) {
        (Kind::Flag, Value::Bool(wanted)) => wanted.then(|| format!("--{option}")).into_iter().collect(),
        (Kind::Flag, _) => return Err(invalid(format!("{name} has to be true or false"))),
        (Kind::Number, Value::Number(number)) => {
            if name == "timeout" && number.as_f64() > Some(MAX_WAIT_SECONDS as f64) {
                return Err(invalid(format!("timeout is at most {MAX_WAIT_SECONDS} seconds")));
            }
            // For JSON Schema 5.0 is a whole number, too.
            let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
            vec![word(whole.map_or_else(|| number.to_string(), |whole| format!("{whole:.0}")))]
        }
        (Kind::Number, _) => return Err(invalid(format!("{name} has to be a whole number"))),
        // An option may be an object that says what it decides.
        (Kind::Options, _) => vec![format!("--options-json={}", Value::from(list(&name, value)?))],
        (Kind::Changes, _) => vec![format!("--issue-changes-json={}", Value::from(list(&name, value)?))],
        // One debate is named by a text.
        (Kind::List, _) if !(name == "debate_id" && value.is_string()) => {
            list(&name, value)?.iter().map(|value| text(&name, value).map(word)).collect::<Result<_, _>>()?
        }
        (Kind::Object, Value::Object(_)) => vec![word(value.to_string())],
        (Kind::Object | Kind::Text | Kind::List, _) => vec![word(text(&name, value)?)],
    })
}

/// A list, or the one that a text is as JSON: some models write it so.
fn list(name: &str, value: &Value) -> Result<Vec<Value>, Failure> {
    let parsed = match value.as_str() {
        Some(text) => serde_json::from_str(text).ok(),
        None => value.as_array().cloned(),
    };
    parsed.ok_or_else(|| invalid(format!("{name} has to be a list")))
}

fn text(name: &str, value: &Value) -> Result<String, Failure> {
    value.as_str().map(str::to_owned).ok_or_else(|| invalid(format!("{name} has to be a text")))
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::json;

    use super::{
        super::{Defaults, tools},
        *,
    };
    use crate::{client::types::Role, command_line::CommandLine};

    const ID: &str = "93d81b1a-0e66-4510-abfd-aa33b26cb82e";

    fn words_of(tool: &str, arguments: Value, defaults: &Defaults) -> Result<Vec<String>, Failure> {
        let tool = tools::for_role(Some(Role::Arbitrator)).find(|one| one.name() == tool).unwrap();
        let Value::Object(arguments) = arguments else { panic!("not an object") };
        words(&mut Call { tool, arguments, defaults }, &AllowedPaths::new(&[]).unwrap())
    }

    #[test]
    fn arguments_become_options() {
        let given = json!({
            "debate_id": ID, "role": "opponent", "target_id": "#1", "content": "-- a\n--b", "resolve": ["I1", "I2"],
            "raise": "[\"high: -x\"]", "client_request_id": null,
        });
        let words = words_of("debate_submit", given, &Defaults::default()).unwrap();
        assert_eq!(words[..4], ["aw", "debate", "submit", "--content=-- a\n--b"]);
        for word in ["--role=opponent", "--target-id=#1", "--resolve=I1", "--resolve=I2", "--raise=high: -x"] {
            assert!(words.contains(&word.to_owned()), "{words:?}");
        }
        assert!(CommandLine::try_parse_from(words).is_ok());
        let words = words_of("docs_diff", json!({"document_id": "-1", "from": 2}), &Defaults::default()).unwrap();
        assert_eq!(words, ["aw", "docs", "diff", "--from=2", "--", "-1"]);
        assert!(CommandLine::try_parse_from(words).is_ok());
    }

    #[test]
    fn an_option_may_say_what_it_decides() {
        let decided = json!({"label": "On disk", "issue_changes": [{"change": "dismiss", "issue": "I2"}]});
        let given = json!({"debate_id": ID, "target_id": "#1", "content": "a", "option": ["In memory: fast", decided]});
        let words = words_of("debate_appeal", given, &Defaults::default()).unwrap();
        let list = words.iter().find_map(|word| word.strip_prefix("--options-json=")).unwrap();
        assert_eq!(serde_json::from_str::<Value>(list).unwrap(), json!(["In memory: fast", decided]));
        assert!(CommandLine::try_parse_from(words).is_ok());
    }

    #[test]
    fn an_empty_list_of_changes_is_one_of_a_ruling_only() {
        let ruling = json!({"debate_id": ID, "content": "a", "choose": 0, "issue_changes": []});
        let words = words_of("debate_ruling", ruling, &Defaults::default()).unwrap();
        assert!(words.contains(&"--issue-changes-json=[]".to_owned()), "{words:?}");
        let claim =
            json!({"debate_id": ID, "role": "opponent", "target_id": "#1", "content": "a", "issue_changes": []});
        let words = words_of("debate_submit", claim, &Defaults::default()).unwrap();
        assert!(!words.iter().any(|word| word.starts_with("--issue-changes")), "{words:?}");
    }

    #[test]
    fn defaults_are_filled_in_and_another_role_is_refused() {
        let defaults = Defaults { role: Some(Role::Opponent), debate_id: Some(ID.to_owned()) };
        let words = words_of("debate_wait", json!({}), &defaults).unwrap();
        assert!(words.contains(&format!("--debate-id={ID}")) && words.contains(&"--role=opponent".to_owned()));
        let words = words_of("debate_wait", json!({"debate_id": "93d81b1b"}), &defaults).unwrap();
        assert!(words.contains(&"--debate-id=93d81b1b".to_owned()), "{words:?}");
        for (tool, arguments) in [
            ("debate_wait", json!({"role": "proposer"})),
            ("debate_wait", json!({"role": 7})),
            ("debate_appeal", json!({"target_id": "#1", "content": "a"})),
            ("debate_create", json!({"title": "T", "debate_type": "general_debate", "content": "a"})),
        ] {
            let failure = words_of(tool, arguments, &defaults).unwrap_err();
            assert_eq!(failure.code, "INVALID_INPUT");
            assert!(failure.message.contains("--role opponent"), "{}", failure.message);
        }
    }

    #[test]
    fn wrong_arguments_are_named() {
        let submit = |more: Value| {
            let mut all = json!({"debate_id": ID, "role": "opponent", "target_id": "#1", "content": "a"});
            all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            words_of("debate_submit", all, &Defaults::default()).unwrap_err().message
        };
        assert!(submit(json!({"output": "x"})).contains("\"output\""));
        assert!(submit(json!({"format": "json"})).contains("\"format\""));
        assert!(submit(json!({"content": null})).contains("content or path"));
        assert!(submit(json!({"content": "<content>"})).contains("<content>"));
        assert!(submit(json!({"path": "a"})).contains("both"));
        assert!(submit(json!({"content": 1})).contains("content has to be a text"));
        assert!(submit(json!({"resolve": [1]})).contains("resolve has to be a text"));
        for given in [json!({}), json!("fix"), json!("{}"), json!(7)] {
            assert!(submit(json!({"issue_changes": given})).contains("issue_changes has to be a list"));
            assert!(submit(json!({"resolve": given})).contains("resolve has to be a list"));
        }
        assert!(submit(json!({"resolve": "[1]"})).contains("resolve has to be a text"));
        assert!(submit(json!({"content": "-"})).contains("content is -"));
        let wait = |timeout: Value| {
            let arguments = json!({"debate_id": ID, "role": "opponent", "timeout": timeout});
            words_of("debate_wait", arguments, &Defaults::default())
        };
        assert!(wait(json!(3600)).is_ok());
        for timeout in [json!(3601), json!("5"), json!([])] {
            assert!(wait(timeout).unwrap_err().message.starts_with("timeout"));
        }
        let intervention = words_of("debate_intervention", json!({"debate_id": ID}), &Defaults::default());
        assert!(intervention.is_ok(), "its text may be left out");
    }
}
