//! Texts that speak of commands, for those who have the tools.

use std::{cmp::Reverse, sync::LazyLock};

use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::{
    arguments::{self, Kind},
    tools::{self, Tool},
};
use crate::{
    client::{HOW_TO_START, types::Role},
    commands::debate::moves::options,
    shell_or_mcp::TOOL_WAIT,
};

/// Options, alone and with the name of their value as clap prints it, and the arguments that stand in place of them.
static ARGUMENTS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let mut arguments = vec![("--file".to_owned(), "path".to_owned())];
    for tool in tools::for_role(Some(Role::Arbitrator)) {
        for argument in arguments::of(&tool.definition()) {
            let Some(option) = argument.get_long() else { continue };
            arguments.push((format!("--{option}"), arguments::name(argument)));
            let value = argument.get_value_names().and_then(|names| names.first());
            arguments.extend(value.map(|value| (format!("--{option} <{value}>"), arguments::name(argument))));
        }
    }
    // In the order in which none is taken for a part of another one.
    arguments.sort_by_key(|(option, _)| Reverse(option.len()));
    arguments
});

/// A text with the names of tools and arguments in place of those of commands and options.
pub fn in_prose(text: &str) -> String {
    let tools = tools::for_role(Some(Role::Arbitrator));
    let text = tools.fold(text.replace(HOW_TO_START, "; your user starts it"), |text, tool| {
        text.replace(&format!("aw {}", tool.command.join(" ")), &tool.name())
    });
    let clause = |clause: &str| {
        // What is still a command is one that somebody runs in a shell.
        let mut places = clause.match_indices("aw ").map(|(place, _)| place);
        let is_word = |place: &usize| !clause[..*place].ends_with(char::is_alphanumeric);
        let (ours, command) = clause.split_at(places.find(is_word).unwrap_or(clause.len()));
        ARGUMENTS.iter().fold(ours.to_owned(), |text, (option, name)| text.replace(option, name)) + command
    };
    text.split_inclusive([';', ',', '(', ')', '`']).map(clause).collect()
}

/// What an argument of a tool is: the first part of the option's help, unless that does not fit.
pub fn of_argument(tool: &Tool, name: &str, help: &str) -> String {
    match name {
        "content" => "The text".to_owned(),
        "client_request_id" => "Same id: stored once".to_owned(),
        "debate_id" if tool.command[1] == "create" => "New UUID [default: one is made]".to_owned(),
        "timeout" => format!("Seconds [default: {}]; 0 asks once", TOOL_WAIT.as_secs()),
        "issue_changes" => {
            "In place of the separate lists: change (fix, raise, …), issue, severity, title, location, note".to_owned()
        }
        "plan_base" => "The version that plan was made from [default: the present one]".to_owned(),
        "option" => "Each {label, detail, issue_changes: what a ruling that chooses it changes}".to_owned(),
        "role" | "language" | "metadata" | "document_id" | "title" | "debate_type" | "state" | "status" | "offset" => {
            String::new()
        }
        _ => in_prose(help.split("; ").flat_map(|part| part.split(". ")).next().unwrap_or_default()),
    }
}

/// A command line as a call of its tool: `debate_show {"debate_id":"…"}`. `None` if it is not the line of one.
pub fn call(line: &str) -> Option<String> {
    let words = shlex::split(line)?;
    let [program, group, verb, rest @ ..] = &words[..] else { return None };
    let tool = tools::of_command(group, verb).filter(|_| program == "aw")?;
    let arguments = call_arguments(tool, rest)?;
    Some(if arguments.is_empty() { tool.name() } else { format!("{} {}", tool.name(), Value::from(arguments)) })
}

/// Options and values as the arguments of a tool.
fn call_arguments(tool: &Tool, words: &[String]) -> Option<JsonObject> {
    let definition = tool.definition();
    let mut fields = JsonObject::new();
    let mut effects = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let option = word.strip_prefix("--");
        if option == Some("effect") {
            effects.push(words.next()?.clone());
            continue;
        }
        if let Some("format" | "host") = option {
            words.next()?;
            continue;
        }
        let argument = arguments::of(&definition).find(|argument| argument.get_long() == option);
        let (name, kind) = match (argument, option) {
            (Some(argument), _) => (arguments::name(argument), arguments::kind(argument)),
            (None, Some("file")) => ("path".to_owned(), Kind::Text),
            (None, _) => return None,
        };
        let value = match (kind, option) {
            (Kind::Flag, _) => true.into(),
            (_, None) => json!(word),
            (Kind::Number | Kind::Object, _) => {
                words.next().map(|word| serde_json::from_str(word).unwrap_or(json!(word)))?
            }
            (Kind::Text | Kind::List | Kind::Changes | Kind::Options, _) => json!(words.next()?),
        };
        match fields.get_mut(&name) {
            Some(Value::Array(values)) => values.push(value),
            Some(first) => *first = json!([first.take(), value]),
            // One debate is named by a text.
            None if matches!(kind, Kind::List | Kind::Options) && name != "debate_id" => {
                drop(fields.insert(name, json!([value])))
            }
            None => drop(fields.insert(name, value)),
        }
    }
    // What an option decides stands in the option.
    if let Some(texts) = fields.get("option").cloned() {
        let texts = serde_json::from_value::<Vec<String>>(texts).ok()?;
        fields.insert("option".to_owned(), json!(options(&texts, &effects).ok()?));
    }
    Some(fields)
}

/// A guide with calls in place of command lines. `writer` is the tool whose options stand alone in it.
pub fn in_guide(text: &str, writer: &Tool) -> String {
    let code = |code: &str| {
        let options = || {
            let fields = Value::from(call_arguments(writer, &shlex::split(code)?)?).to_string();
            Some(fields[1..fields.len() - 1].to_owned())
        };
        call(code).or_else(|| code.starts_with("--").then(options).flatten())
    };
    let line = |line: &str| match line.strip_prefix("    ") {
        Some(command) => code(command).map_or_else(|| line.to_owned(), |call| format!("    {call}")),
        None => {
            let parts = line.split('`').enumerate().map(|(number, part)| match number % 2 {
                1 => code(part).unwrap_or_else(|| in_prose(part)),
                _ => in_prose(part),
            });
            parts.collect::<Vec<_>>().join("`")
        }
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_options_become_tools_and_arguments() {
        for (command, tool) in [
            ("Check the id; aw debate list lists them.", "Check the id; debate_list lists them."),
            ("`aw docs get ID --version 2`, --all", "`docs_get ID version 2`, all"),
            ("'--debate-id <ID>' is missing", "'debate_id' is missing"),
            ("aw debate generate-id and aw doctor --x -- a--b", "aw debate generate-id and aw doctor --x -- a--b"),
            (
                "Check --role. Run aw debate free-seat --role x; --all",
                "Check role. Run aw debate free-seat --role x; all",
            ),
            ("this aw mcp was started with --role opponent", "this aw mcp was started with --role opponent"),
            ("--file a", "path a"),
            ("aw debate", "aw debate"),
        ] {
            assert_eq!(in_prose(command), tool);
        }
    }

    #[test]
    fn a_command_line_becomes_a_call() {
        for (line, expected) in [
            ("aw debate list", Some("debate_list")),
            (
                "aw debate show --debate-id X --argument-id '#5' --format markdown",
                Some(r##"debate_show {"debate_id":"X","argument_id":"#5"}"##),
            ),
            (
                "aw debate wait --debate-id X --debate-id Y --timeout 5 --until-opened",
                Some(r#"debate_wait {"debate_id":["X","Y"],"timeout":5,"until_opened":true}"#),
            ),
            (
                r"aw docs submit ID --summary 'it'\''s' --file a.md",
                Some(r#"docs_submit {"document_id":"ID","summary":"it's","path":"a.md"}"#),
            ),
            (
                "aw debate appeal --debate-id X --option 'A: b' --option C --effect '1: dismiss I2: why' --file a.md",
                Some(
                    r##"debate_appeal {"debate_id":"X","option":[{"detail":"b","label":"A"},{"issue_changes":[{"change":"dismiss","issue":"I2","note":"why"}],"label":"C"}],"path":"a.md"}"##,
                ),
            ),
            ("aw debate export --debate-id X", None),
            ("aw debate list --unknown x", None),
            ("aw doctor", None),
            ("aw debate list 'open", None),
        ] {
            assert_eq!(call(line).as_deref(), expected, "{line}");
        }
    }
}
