//! The options of a command as arguments of its tool.

use clap::{Arg, ArgAction, Command};

/// The longest wait in a call, in seconds. The server holds each of its requests for less.
pub const MAX_WAIT_SECONDS: u64 = 3_600;

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
    /// A list of options, each a text or an object
    Options,
}

/// The options of a command that are arguments of its tool.
pub fn of(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|argument| match argument.get_id().as_str() {
        // Files that the command writes, how it prints, what wrote a text, other sources of a text, parts of a guide, and what an
        // option decides, which stands in the option.
        "agents" | "effects" | "file" | "final_reading" | "force" | "format" | "help" | "host" | "json" | "output"
        | "quiet" | "rules_only" | "stdin" => false,
        _ => !argument.is_hide_set(),
    })
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
        _ if argument.get_id() == "options" => Kind::Options,
        (ArgAction::Append, _) => Kind::List,
        (_, "N" | "SECONDS") => Kind::Number,
        (_, "JSON") => Kind::Object,
        _ if argument.get_id() == "issue_changes" => Kind::Changes,
        _ => Kind::Text,
    }
}

/// Whether the command takes a text from its caller.
pub fn has_text(command: &Command) -> bool {
    command.get_arguments().any(|argument| argument.get_id() == "content")
}
