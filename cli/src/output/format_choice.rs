//! In which format a command prints, as its options and its environment say, and whether a person reads it at a terminal.
//!
//! Programs that read stdout through a pipe or a file, and agents, get what they always got.

use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal},
    os::fd::AsFd,
};

use chrono::{DateTime, Utc};
use rustix::termios::tcgetwinsize;

use super::{Code, Failure, Format};
use crate::hosts::Host;

/// The variable that names the format of the commands whose default is JSON.
pub const VARIABLE: &str = "AW_FORMAT";

/// Columns of a terminal that does not tell how many it has.
pub const USUAL_COLUMNS: u16 = 80;

/// Longer lines are hard to read, and shorter ones have no room for a word.
const COLUMNS: (u16, u16) = (20, 100);

/// How text is laid out at a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Columns of a line
    pub columns: u16,
    /// Whether text may be coloured, bold and so on
    pub has_colours: bool,
    /// The time to which other times are compared
    pub now: DateTime<Utc>,
}

/// What decides on the format, besides the command line.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// How a person reads stdout; none if nobody does, at a terminal that shows more than lines
    pub person: Option<Layout>,
    /// The value of `AW_FORMAT`
    format_variable: Option<String>,
}

/// What stdout is, or stderr.
pub struct Stream {
    /// Whether it is a terminal
    pub is_terminal: bool,
    /// Its columns, where it tells them
    pub columns: Option<u16>,
}

/// The format of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The format of what it prints
    pub format: Format,
    /// How a person reads what has no format of its own, such as errors; none where `--format` or `AW_FORMAT` says otherwise
    pub person: Option<Layout>,
}

impl Surroundings {
    /// Those of this process.
    pub fn of_process() -> Self {
        Self::of_stream(&io::stdout())
    }

    fn of_stream(stream: &(impl AsFd + IsTerminal)) -> Self {
        let columns = tcgetwinsize(stream).ok().map(|size| size.ws_col);
        let stream = Stream { is_terminal: stream.is_terminal(), columns };
        let variable = |name: &str| env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        Self::new(&stream, Host::current().is_some(), variable, Utc::now())
    }

    /// Those of a process with this stdout and these variables, which an agent runs, or not.
    pub fn new(
        stdout: &Stream,
        has_agent: bool,
        variable: impl Fn(&str) -> Option<String>,
        now: DateTime<Utc>,
    ) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let shows_text = set("TERM").is_some_and(|terminal| terminal != "dumb");
        let is_in_ci = set("CI").is_some_and(|value| value != "false");
        let is_read = stdout.is_terminal && shows_text && !is_in_ci && !has_agent;
        let columns = stdout.columns.filter(|columns| *columns > 0).unwrap_or(USUAL_COLUMNS);
        let layout =
            Layout { columns: columns.clamp(COLUMNS.0, COLUMNS.1), has_colours: set("NO_COLOR").is_none(), now };
        Self { person: is_read.then_some(layout), format_variable: set(VARIABLE) }
    }

    /// The format of a command: `format` is what `--format` says, if it `is_given`, else the command's own default, which is
    /// JSON where there is none.
    pub fn choose(&self, format: Option<Format>, is_given: bool) -> Result<Choice, Failure> {
        let wanted = match (&self.format_variable, format) {
            (Some(value), None) => Some(parse(value)?),
            _ => None,
        };
        let person = self.person.filter(|_| !is_given && wanted.is_none());
        let json_or_laid_out = person.map_or(Format::Json, Format::Terminal);
        Ok(Choice { format: format.or(wanted).unwrap_or(json_or_laid_out), person })
    }
    /// The format of what is said without a command: that there is none, or what is wrong with it.
    pub fn without_command(&self, is_given: bool) -> Choice {
        let says_otherwise = is_given || self.format_variable.as_deref().is_some_and(|value| parse(value).is_ok());
        let person = self.person.filter(|_| !says_otherwise);
        Choice { format: person.map_or(Format::Json, Format::Terminal), person }
    }
}

/// Whether a person reads what this process writes to this stream, at a terminal and without having asked for a format.
pub fn is_for_a_person(stream: &(impl AsFd + IsTerminal)) -> bool {
    Surroundings::of_stream(stream).without_command(names_format(env::args_os())).person.is_some()
}

/// Whether these arguments of a process have `--format`, be they valid or not.
pub fn names_format(mut args: impl Iterator<Item = OsString>) -> bool {
    let is_format = |arg: &OsString| arg == "--format" || arg.as_encoded_bytes().starts_with(b"--format=");
    args.find(|arg| arg == "--" || is_format(arg)).is_some_and(|arg| arg != "--")
}

fn parse(value: &str) -> Result<Format, Failure> {
    match value {
        "json" => Ok(Format::Json),
        "markdown" => Ok(Format::Markdown),
        other => Err(Failure::new(Code::InvalidInput, format!("{VARIABLE} is {other:?}, which is no format"))
            .with_suggestion(format!("Set {VARIABLE} to json or markdown, or unset it; --format has precedence"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT_80: Stream = Stream { is_terminal: true, columns: Some(80) };
    const PIPE: Stream = Stream { is_terminal: false, columns: None };

    #[test]
    fn only_long_options_of_this_name_give_a_format() {
        let names = |line: &str| names_format(line.split(' ').map(Into::into));
        for line in ["aw --format json", "aw debate list --format=markdown", "aw --format"] {
            assert!(names(line), "{line}");
        }
        for line in ["aw", "aw debate list --formats", "aw debate search -- --format json", "aw --query=--format"] {
            assert!(!names(line), "{line}");
        }
    }

    fn surroundings(stdout: &Stream, has_agent: bool, variables: &[(&str, &str)]) -> Surroundings {
        let value = |name: &str| {
            let mut all = variables.iter().filter(|(other, _)| *other == name);
            all.next().map(|(_, value)| (*value).to_owned())
        };
        Surroundings::new(stdout, has_agent, value, DateTime::UNIX_EPOCH)
    }

    #[test]
    fn a_person_reads_at_a_terminal_that_no_agent_or_pipeline_has() {
        for (stdout, has_agent, variables, is_person) in [
            (&AT_80, false, &[("TERM", "xterm")][..], true),
            (&AT_80, false, &[("TERM", "xterm"), ("CI", "")], true),
            (&AT_80, false, &[("TERM", "xterm"), ("CI", "false")], true),
            (&AT_80, false, &[("TERM", "xterm"), ("NO_COLOR", "1")], true),
            (&AT_80, false, &[("TERM", "xterm"), ("CI", "true")], false),
            (&AT_80, false, &[("TERM", "xterm"), ("CI", "1")], false),
            (&AT_80, false, &[("TERM", "dumb")], false),
            (&AT_80, false, &[("TERM", "")], false),
            (&AT_80, false, &[], false),
            (&AT_80, true, &[("TERM", "xterm")], false),
            (&PIPE, false, &[("TERM", "xterm")], false),
        ] {
            let surroundings = surroundings(stdout, has_agent, variables);
            assert_eq!(surroundings.person.is_some(), is_person, "{variables:?}");
            let choice = surroundings.choose(None, false).unwrap();
            assert_eq!(matches!(choice.format, Format::Terminal(_)), is_person, "{variables:?}");
            assert_eq!(choice.person.is_some(), is_person, "{variables:?}");
            assert!(is_person || choice.format == Format::Json, "{variables:?}");
        }
    }

    #[test]
    fn the_option_has_precedence_over_the_variable_and_both_over_the_terminal() {
        let cases = [
            // AW_FORMAT, --format or the command's own default, whether it is given, expected; none is laid out.
            (None, None, false, Some(None)),
            (Some(""), None, false, Some(None)),
            (Some("json"), None, false, Some(Some(Format::Json))),
            (Some("markdown"), None, false, Some(Some(Format::Markdown))),
            (Some("plain"), None, false, None),
            (Some("JSON"), None, false, None),
            (Some("json"), Some(Format::Markdown), true, Some(Some(Format::Markdown))),
            (Some("markdown"), Some(Format::Json), true, Some(Some(Format::Json))),
            (Some("nonsense"), Some(Format::Json), true, Some(Some(Format::Json))),
            // The variable does not count for a command that has a default of its own.
            (Some("json"), Some(Format::Plain), false, Some(Some(Format::Plain))),
            (Some("nonsense"), Some(Format::Plain), false, Some(Some(Format::Plain))),
            (None, Some(Format::Plain), false, Some(Some(Format::Plain))),
        ];
        for (variable, format, is_given, expected) in cases {
            for stdout in [&AT_80, &PIPE] {
                let mut variables = vec![("TERM", "xterm")];
                variables.extend(variable.map(|value| (VARIABLE, value)));
                let surroundings = surroundings(stdout, false, &variables);
                let choice = surroundings.choose(format, is_given);
                let Some(expected) = expected else {
                    assert_eq!(choice.unwrap_err().code, "INVALID_INPUT", "{variable:?}");
                    continue;
                };
                let laid_out = surroundings.person.map_or(Format::Json, Format::Terminal);
                let choice = choice.unwrap();
                assert_eq!(choice.format, expected.unwrap_or(laid_out), "{variable:?} {format:?}");
                let says_otherwise = is_given || format.is_none() && variable.is_some_and(|value| !value.is_empty());
                assert_eq!(choice.person.is_some(), stdout.is_terminal && !says_otherwise, "{variable:?} {format:?}");
            }
        }
    }

    #[test]
    fn lines_fit_the_terminal_and_are_never_long() {
        for (columns, expected) in [(None, 80), (Some(0), 80), (Some(40), 40), (Some(200), 100), (Some(3), 20)] {
            let stdout = Stream { is_terminal: true, columns };
            let layout = surroundings(&stdout, false, &[("TERM", "xterm")]).person.unwrap();
            assert_eq!((layout.columns, layout.has_colours), (expected, true));
        }
        for (value, has_colours) in [("", true), ("1", false), ("false", false)] {
            let surroundings = surroundings(&AT_80, false, &[("TERM", "xterm"), ("NO_COLOR", value)]);
            assert_eq!(surroundings.person.unwrap().has_colours, has_colours);
        }
    }
}
