//! What to do next: printed as a command line by `aw`, and as a tool with its arguments by `aw mcp`.

use std::{borrow::Cow, fmt};

use serde_json::{Map, Value};

use super::{quoting::quote, reader, sanitize};

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// A command of `aw`
    Command(Invocation),
    /// A line that is printed as it is
    Line(String),
    /// How an argument cites the document that was stored; it is no command
    Citation(String),
}

impl From<Invocation> for Next {
    fn from(command: Invocation) -> Self {
        Self::Command(command)
    }
}

impl From<String> for Next {
    fn from(line: String) -> Self {
        Self::Line(line)
    }
}

impl From<&str> for Next {
    fn from(line: &str) -> Self {
        Self::Line(line.to_owned())
    }
}

impl Next {
    /// The command line where a text can show it as it is run. A line break within it would be shown as an escape, and so would
    /// hidden characters, which a shell takes as they stand there. JSON has the command itself.
    pub fn in_text(&self) -> Option<String> {
        let command = self.to_string();
        (sanitize::line(&command) == command).then_some(command)
    }
}

/// The command line.
impl fmt::Display for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(command) => command.fmt(f),
            Self::Line(line) | Self::Citation(line) => f.write_str(line),
        }
    }
}

/// A command of `aw` with its arguments. It can be run as it is, once the caller has filled in the text, if it needs one.
#[derive(Debug, Clone, PartialEq)]
pub struct Invocation {
    /// The words of the command, such as `debate wait`
    name: &'static str,
    arguments: Vec<Argument>,
}

#[derive(Debug, Clone, PartialEq)]
struct Argument {
    kind: Kind,
    /// As on the command line, without hyphens before it
    name: Cow<'static, str>,
    /// A flag is `true`. A list is joined with commas on the command line.
    value: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Positional,
    Option,
    /// An option that is given once for each value of a list
    Repeated,
    /// An option that only means something in a shell
    ShellOption,
    /// The text that the caller has to write
    Text,
}

/// What a tool call has in place of the text that its caller has to write.
pub const TEXT_PLACEHOLDER: &str = "<content>";

impl Invocation {
    /// A command without arguments.
    pub fn new(name: &'static str) -> Self {
        Self { name, arguments: Vec::new() }
    }

    /// Adds an argument without a name on the command line.
    pub fn positional(self, name: &'static str, value: impl ToString) -> Self {
        self.with(Kind::Positional, name, value.to_string().into())
    }

    /// Adds an option with a text.
    pub fn text_option(self, name: &'static str, value: impl ToString) -> Self {
        self.with(Kind::Option, name, value.to_string().into())
    }

    /// Adds an option with a number.
    pub fn number_option(self, name: &'static str, value: impl Into<u64>) -> Self {
        self.with(Kind::Option, name, value.into().into())
    }

    /// Adds an option with a list of texts without commas, unless the list is empty.
    pub fn list_option<T: Into<Value> + Clone>(self, name: &str, values: &[T]) -> Self {
        if values.is_empty() { self } else { self.with(Kind::Option, name.to_owned(), values.to_vec().into()) }
    }

    /// Adds an option that is given once for each value.
    pub fn repeated_option(self, name: &'static str, values: &[String]) -> Self {
        if values.is_empty() { self } else { self.with(Kind::Repeated, name, values.into()) }
    }

    /// Adds an option without a value.
    pub fn flag(self, name: &'static str) -> Self {
        self.with(Kind::Option, name, true.into())
    }

    /// Adds an option that only means something in a shell.
    pub fn shell_option(self, name: &'static str, value: impl ToString) -> Self {
        self.with(Kind::ShellOption, name, value.to_string().into())
    }

    /// Adds the text that the caller has to write.
    pub fn with_text(self) -> Self {
        self.with(Kind::Text, "content", TEXT_PLACEHOLDER.into())
    }

    fn with(mut self, kind: Kind, name: impl Into<Cow<'static, str>>, value: Value) -> Self {
        self.arguments.push(Argument { kind, name: name.into(), value });
        self
    }

    /// As its reader calls it: a command line, or a tool with its arguments in JSON.
    pub fn shown(&self) -> String {
        match self.tool_arguments() {
            _ if !reader::has_tools() => self.to_string(),
            none if none.is_empty() => self.tool(),
            arguments => format!("{} {}", self.tool(), Value::from(arguments)),
        }
    }

    /// The name of the tool that is this command.
    pub fn tool(&self) -> String {
        self.name.replace([' ', '-'], "_")
    }

    /// The arguments of the tool.
    pub fn tool_arguments(&self) -> Map<String, Value> {
        let arguments = self.arguments.iter().filter(|argument| argument.kind != Kind::ShellOption);
        arguments.map(|argument| (argument.name.replace('-', "_"), argument.value.clone())).collect()
    }
}

/// The command line. In place of a text it has the file that the caller writes it into, `<path>`.
impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "aw {}", self.name)?;
        for Argument { kind, name, value } in &self.arguments {
            let word = match value {
                Value::String(text) => text.clone(),
                Value::Array(values) => values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
            };
            match kind {
                Kind::Positional => write!(f, " {}", quote(&word))?,
                Kind::Text => f.write_str(" --file <path>")?,
                Kind::Repeated => {
                    let values = value.as_array().into_iter().flatten().filter_map(Value::as_str);
                    values.into_iter().try_for_each(|value| write!(f, " --{name} {}", quote(value)))?;
                }
                Kind::Option | Kind::ShellOption if *value == true => write!(f, " --{name}")?,
                Kind::Option | Kind::ShellOption => write!(f, " --{name} {}", quote(&word))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_command_is_printed_as_a_line_and_as_a_tool_call() {
        let command = Invocation::new("debate request-completion")
            .positional("document-id", 7)
            .text_option("argument-id", "#5")
            .number_option("timeout", 0_u32)
            .shell_option("format", "markdown")
            .list_option("fix", &["I1", "I3"])
            .list_option::<&str>("resolve", &[])
            .flag("until-opened")
            .with_text();
        assert_eq!(
            command.to_string(),
            "aw debate request-completion 7 --argument-id '#5' --timeout 0 --format markdown --fix I1,I3 --until-opened \
             --file <path>"
        );
        assert_eq!(command.tool(), "debate_request_completion");
        let arguments = json!({
            "document_id": "7", "argument_id": "#5", "timeout": 0, "fix": ["I1", "I3"], "until_opened": true,
            "content": "<content>",
        });
        assert_eq!(Value::from(command.tool_arguments()), arguments);
    }
}
