//! `aw`, the command line of aweave debate, with which agents and scripts take part in debates.
//!
//! Every run prints exactly one document on stdout and exits with a documented status; only `aw debate watch` prints one
//! document per event. At a terminal a person gets the same as text, and errors on stderr. A command parses its options, asks the server through the client generated from `openapi.json`,
//! and returns an [`output::Output`] or a [`Failure`], which are printed here.

#[cfg(test)]
mod architecture_tests;
mod cancellation;
mod client;
mod command_line;
mod commands;
mod files;
mod guides;
mod hosts;
mod input;
mod lenient_json;
mod mcp;
mod output;
mod programs;
mod record;
mod shell_or_mcp;
mod usage_error;

use std::{env, io, process::ExitCode};

use chrono::Utc;
use clap::{Parser, error::ErrorKind};

use command_line::CommandLine;
use commands::debate::run::supervise::Supervise;
use output::{Choice, ExitStatus, Failure, Format, Output, Surroundings, format_choice::names_format, terminal};

fn main() -> ExitCode {
    if let Some(supervise) = Supervise::from_args(env::args_os()) {
        return supervise.run();
    }
    let surroundings = Surroundings::of_process();
    let is_given = names_format(env::args_os());
    let printed = match CommandLine::try_parse().and_then(CommandLine::check_format) {
        Ok(command_line) => match surroundings.choose(command_line.format(), is_given) {
            Ok(choice) => match command_line.run(choice.format) {
                Ok(output) => Printed::success(output, choice),
                Err(failure) => Printed::failure(failure, choice),
            },
            Err(failure) => Printed::failure(failure, surroundings.without_command(is_given)),
        },
        Err(version)
            if version.kind() == ErrorKind::DisplayVersion && env::args_os().any(|argument| argument == "--json") =>
        {
            let choice = Choice { format: Format::Json, person: None };
            Printed::success(command_line::version(), choice)
        }
        Err(text) if !text.use_stderr() => return end_of_help(text.print()),
        Err(error) => {
            let choice = surroundings.without_command(is_given);
            if choice.person.is_some() && env::args_os().len() == 1 {
                return end_of_help(command_line::print_help());
            }
            Printed::failure(usage_error::failure(&error, &usage_error::args()), choice)
        }
    };
    printed.print()
}

/// How `aw` ends that has printed a help text.
fn end_of_help(printed: io::Result<()>) -> ExitCode {
    terminal::written(printed).map_or(ExitStatus::Server, |_| ExitStatus::Success).into()
}

/// What a command prints, and how it ends.
struct Printed {
    document: String,
    /// For a person, on stderr
    explanation: String,
    status: ExitStatus,
}

impl Printed {
    fn success(output: Output, choice: Choice) -> Self {
        // What is JSON whatever the format is, is no file here, and what is markdown is laid out.
        let has_layout = output.in_json || output.text_is_markdown;
        let format = choice.person.filter(|_| has_layout).map_or(choice.format, Format::Terminal);
        Self { document: output.print(format.at(Utc::now())), explanation: String::new(), status: ExitStatus::Success }
    }

    fn failure(failure: Failure, choice: Choice) -> Self {
        let status = failure.exit_status();
        let failure = if choice.format == Format::Json { failure } else { failure.for_a_text() };
        let failure = usage_error::with_help_command(failure);
        match choice.person {
            Some(layout) => {
                let explanation = terminal::explanation(&failure, layout);
                Self { document: failure.print(Format::Terminal(layout).at(Utc::now())), explanation, status }
            }
            None => {
                if choice.format == Format::Plain {
                    terminal::note(&failure);
                }
                Self { document: failure.print(choice.format), explanation: String::new(), status }
            }
        }
    }

    fn print(self) -> ExitCode {
        let printed = terminal::print(&self.document);
        terminal::explain(&self.explanation);
        match printed {
            Ok(_) => self.status.into(),
            // A terminal that was closed takes no more output, and its signal is why this ends.
            Err(_) if self.status.is_of_a_signal() => self.status.into(),
            Err(_) => ExitStatus::Server.into(),
        }
    }
}
