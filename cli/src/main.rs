//! `aw`, the command line of aweave debate, with which agents and scripts take part in debates.
//!
//! Every run prints exactly one document on stdout and exits with a documented status; only `aw debate watch` prints one
//! document per event. A command parses its options, asks the server through the client generated from `openapi.json`,
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
mod mcp;
mod output;
mod programs;
mod record;
mod shell_or_mcp;
mod usage_error;

use std::{env, process::ExitCode};

use clap::{Parser, error::ErrorKind};

use command_line::CommandLine;
use commands::debate::run::supervise::Supervise;
use output::{ExitStatus, Failure, Format, terminal};

fn main() -> ExitCode {
    if let Some(supervise) = Supervise::from_args(env::args_os()) {
        return supervise.run();
    }
    let (document, status) = match CommandLine::try_parse().and_then(CommandLine::check_format) {
        Ok(command_line) => {
            let format = command_line.format;
            match command_line.run() {
                Ok(output) => (output.print(format), ExitStatus::Success),
                Err(failure) => print_failure(failure, format),
            }
        }
        Err(version)
            if version.kind() == ErrorKind::DisplayVersion && env::args_os().any(|argument| argument == "--json") =>
        {
            (command_line::version().print(Format::Json), ExitStatus::Success)
        }
        Err(text) if !text.use_stderr() => {
            // A closed stdout is no error: whoever asked for help has read enough.
            let _ = text.print();
            return ExitStatus::Success.into();
        }
        Err(error) => print_failure(usage_error::failure(&error, &usage_error::args()), Format::Json),
    };
    match terminal::print(&document) {
        Ok(_) => status.into(),
        // A terminal that was closed takes no more output, and its signal is why this ends.
        Err(_) if status.is_of_a_signal() => status.into(),
        Err(_) => ExitStatus::Server.into(),
    }
}

fn print_failure(failure: Failure, format: Format) -> (String, ExitStatus) {
    let status = failure.exit_status();
    let failure = usage_error::with_help_command(failure);
    if format == Format::Plain {
        terminal::note(&failure);
    }
    (failure.print(format), status)
}
