//! `aw`, the command line of aweave debate: what agents and scripts take part with.
//!
//! Every run prints exactly one document on stdout and ends with an exit status of the contract. A verb reads its
//! options, asks the server through the client generated from `openapi.json`, and gives back an [`envelope::Answer`] or
//! an [`error::Failure`]; only here they are printed.

mod api;
mod args;
mod content;
mod contract;
mod debate;
mod deferred;
mod docs;
mod doctor;
mod envelope;
mod error;
mod file;
mod find;
mod guide;
mod ids;
mod inert;
mod interrupt;
mod live;
mod markdown;
mod output;
mod server;
mod settings;
mod setup;
mod shell;
mod shells;
mod thrift;
mod usage;
mod verb;
mod verbatim;
mod witness;

use std::process::ExitCode;

use clap::Parser;

use args::CommandLine;
use envelope::Format;
use error::{Exit, Failure};
use usage::Unparsed;

fn main() -> ExitCode {
    let (document, exit) = match CommandLine::try_parse().and_then(CommandLine::fitting).map_err(Unparsed::from) {
        Ok(command) => {
            let format = command.format;
            match command.run() {
                Ok(answer) => (answer.print(format), Exit::Success),
                Err(failure) => refuse(failure, format),
            }
        }
        Err(Unparsed::Wrong(failure)) => refuse(failure, Format::Json),
        Err(Unparsed::Version) => (args::version().print(Format::Json), Exit::Success),
        Err(Unparsed::Text(text)) => {
            // Whoever asked for help and does not read it has no use for an error either.
            let _ = text.print();
            return Exit::Success.into();
        }
    };
    match output::document(&document) {
        Ok(_) => exit.into(),
        Err(output::Undelivered) => Exit::Server.into(),
    }
}

fn refuse(failure: Failure, format: Format) -> (String, Exit) {
    let exit = failure.exit();
    let failure = usage::helped(failure);
    if format == Format::Plain {
        output::note(&failure);
    }
    (failure.print(format), exit)
}
