//! Texts that speak of commands, for those who have the tools.

use std::{collections::HashMap, sync::LazyLock};

use serde_json::Value;

use super::{
    tool_schemas::{self, Kind},
    tools::{self, Tool},
};
use crate::{
    client::{HOW_TO_START, types::Role},
    shell_or_mcp::TOOL_WAIT,
};

/// Every option that is an argument of some tool, and what it takes.
static OPTIONS: LazyLock<HashMap<String, Kind>> = LazyLock::new(|| {
    let mut options = HashMap::new();
    for tool in tools::for_role(Some(Role::Arbitrator)) {
        for argument in tool_schemas::arguments(&tool.definition()) {
            options.extend(argument.get_long().map(|option| (option.to_owned(), tool_schemas::kind(argument))));
        }
    }
    options
});

/// A text with the names of tools and arguments in place of those of commands and options.
pub fn in_prose(text: &str) -> String {
    with_arguments(&with_tools(&text.replace(HOW_TO_START, "; your user starts it")))
}

/// What an argument of a tool is. The command's words would not always fit.
pub fn of_argument(tool: &Tool, name: &str, help: &str) -> String {
    let own = match (name, tool.command[1]) {
        ("content", _) => "The text",
        ("client_request_id", _) => "Same id: stored once",
        ("debate_id", "create") => "New UUID [default: one is made]",
        ("debate_id", "list") => "Only documents that it cites",
        ("debate_id", _) => "Id or unique prefix",
        ("target_id", _) => "The argument to answer: id, prefix, or #5",
        ("argument_id", "wait") => "The last argument that you have seen: next_argument_id_to_wait",
        ("timeout", _) => return format!("Seconds [default: {}]; 0 asks once", TOOL_WAIT.as_secs()),
        ("role", _) => "Yours",
        ("raise", _) => "Each 'high: Title @ src/worker.rs:41'",
        ("resolve" | "withdraw" | "fix" | "uphold" | "dismiss", _) => "Each 'I1' or 'I1: note'",
        ("defer" | "reopen" | "dispute", _) => "Each 'I1: why'",
        ("regrade", _) => "Each 'I1 low' or 'I1 low: note'",
        ("refer", _) => "Issues to decide: I1",
        ("issue_changes", _) => {
            "In place of the separate lists: change (fix, raise, …), issue, severity, title, location, note"
        }
        ("option", _) => "Each 'Label: meaning'; 'Something else' is added",
        ("max_rounds", _) => "Bounds the debate",
        ("max_chars", "wait") => "Of contents [default: all]",
        ("max_chars", _) => "Of contents [default: 24000]",
        ("limit", "get-context") => "Newest arguments [default: 10]",
        ("limit", _) => "[default: 50]",
        ("until_opened", _) => "Wait for the debate to be opened",
        ("plan", _) => "A file: becomes the plan's next version, which the text then cites; content may be left out",
        ("plan_summary", _) => "What it changes",
        ("since", _) => "Only what changed since version N, first, or seen (by the opponent)",
        ("lines", _) => "Only these, such as 40-80",
        ("text", "search") => "Letters match in either case",
        ("kind", _) => "[default: all but argument]",
        ("query", _) => "Start of an id, or part of the title or summary",
        ("language" | "metadata" | "document_id" | "title" | "debate_type" | "state" | "status" | "offset", _) => "",
        _ => return in_prose(help),
    };
    own.to_owned()
}

fn with_tools(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("aw d") {
        let (before, command) = rest.split_at(start);
        out += before;
        let mut words = command.splitn(3, ' ').skip(1);
        let (group, tail) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let verb: String = tail.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
        let is_word = before.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        match tools::of_command(group, &verb).filter(|_| is_word) {
            Some(tool) => {
                out += &tool.name();
                rest = &tail[verb.len()..];
            }
            None => {
                out += &command[..3];
                rest = &command[3..];
            }
        }
    }
    out + rest
}

/// Replaces `--some-option <VALUE>` by `some_option`.
fn with_arguments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("--") {
        let (before, option) = rest.split_at(start);
        let name: String = option[2..].chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
        let name = name.trim_end_matches('-');
        let after = &option[2 + name.len()..];
        let clause = text[..text.len() - option.len()].rsplit([';', ',', '(', ')', '`']).next().unwrap_or_default();
        // What is still a command is one that somebody runs in a shell.
        let is_of_command = clause.split_whitespace().any(|word| word == "aw");
        out += before;
        match name {
            name if is_of_command => {
                out += "--";
                out += name;
            }
            "file" => out += "path",
            name if OPTIONS.contains_key(name) => out += &name.replace('-', "_"),
            name => {
                out += "--";
                out += name;
            }
        }
        // The name of the value, as clap prints it.
        rest = match after.strip_prefix(" <").and_then(|value| value.split_once('>')) {
            Some((value, rest)) if value.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c == ' ') => rest,
            _ => after,
        };
    }
    out + rest
}

/// A command line as a call of its tool: `debate_show {"debate_id": "…"}`. `None` if it is not the line of one.
pub fn call(line: &str) -> Option<String> {
    let words = shell_words(line)?;
    let [program, group, verb, rest @ ..] = &words[..] else { return None };
    let tool = tools::of_command(group, verb).filter(|_| program == "aw")?;
    let arguments = arguments(tool, rest)?;
    Some(if arguments.is_empty() { tool.name() } else { format!("{} {{{arguments}}}", tool.name()) })
}

/// Options and values as the fields of a JSON object, without its braces.
fn arguments(tool: &Tool, words: &[String]) -> Option<String> {
    let mut fields: Vec<(String, Vec<String>, bool)> = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix("--") else {
            let definition = tool.definition();
            let positional = tool_schemas::arguments(&definition).find(|argument| argument.get_long().is_none())?;
            fields.push((tool_schemas::name(positional), vec![Value::from(&**word).to_string()], false));
            continue;
        };
        let (name, kind) = match option {
            "format" | "host" => {
                words.next()?;
                continue;
            }
            "file" => ("path".to_owned(), Kind::Text),
            option => (option.replace('-', "_"), *OPTIONS.get(option)?),
        };
        let value = match kind {
            Kind::Flag => "true".to_owned(),
            Kind::Number | Kind::Object => words.next()?.clone(),
            Kind::Text | Kind::List | Kind::Changes => Value::from(&**words.next()?).to_string(),
        };
        let is_list = kind == Kind::List && name != "debate_id";
        match fields.iter_mut().find(|(other, ..)| *other == name) {
            Some((_, values, is_list)) => {
                values.push(value);
                *is_list = true;
            }
            None => fields.push((name, vec![value], is_list)),
        }
    }
    let fields = fields.into_iter().map(|(name, values, is_list)| {
        let values = values.join(", ");
        if is_list { format!("\"{name}\": [{values}]") } else { format!("\"{name}\": {values}") }
    });
    Some(fields.collect::<Vec<_>>().join(", "))
}

/// The words of a command line in which single quotes are the only ones.
fn shell_words(line: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut is_quoted = false;
    let mut is_new = true;
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        let c = match c {
            '\'' => {
                is_quoted = !is_quoted;
                None
            }
            ' ' if !is_quoted => {
                is_new = true;
                continue;
            }
            '\\' if !is_quoted => Some(characters.next()?),
            c => Some(c),
        };
        if is_new {
            words.push(String::new());
            is_new = false;
        }
        words.last_mut()?.extend(c);
    }
    (!is_quoted).then_some(words)
}

/// A guide with calls in place of command lines. `writer` is the tool whose options stand alone in it.
pub fn in_guide(text: &str, writer: &Tool) -> String {
    let code = |code: &str| {
        let options = || arguments(writer, &shell_words(code)?);
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
            ("draw docs get", "draw docs get"),
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
                Some(r##"debate_show {"debate_id": "X", "argument_id": "#5"}"##),
            ),
            (
                "aw debate wait --debate-id X --debate-id Y --timeout 5 --until-opened",
                Some(r#"debate_wait {"debate_id": ["X", "Y"], "timeout": 5, "until_opened": true}"#),
            ),
            (
                r"aw docs submit ID --summary 'it'\''s' --file a.md",
                Some(r#"docs_submit {"document_id": "ID", "summary": "it's", "path": "a.md"}"#),
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
