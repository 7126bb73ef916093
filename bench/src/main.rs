//! `bench`: measures `aweave-server` and `aw` beside other programs, and compares the results with what is promised.

mod debate;
mod environment;
mod history;
mod http_client;
mod machine;
mod process;
mod progress;
mod report;
mod results;
mod run;
mod scenarios;
mod statistics;
mod subjects;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};

/// Measures aweave-server and aw beside other programs and other builds, and compares the results with what is promised
#[derive(Parser)]
#[command(version)]
enum Cli {
    Run(run::Options),
    Report(report::Options),
}

/// The exit code when some measurements failed.
const INCOMPLETE: u8 = 2;

/// The exit code after a signal, as shells have it.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    execute(Cli::parse()).unwrap_or_else(|error| {
        progress::report(format_args!("{error:#}"));
        ExitCode::FAILURE
    })
}

/// Uses one thread, so that the machine's other cores are free for what is measured.
fn execute(cli: Cli) -> Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match cli {
        Cli::Report(options) => options.run().map(|()| ExitCode::SUCCESS),
        Cli::Run(options) => runtime.block_on(async {
            let mut terminate = signal(SignalKind::terminate())?;
            // Dropping the run ends its processes and removes its folders.
            tokio::select! {
                complete = options.run() => Ok(if complete? { ExitCode::SUCCESS } else { INCOMPLETE.into() }),
                _ = tokio::signal::ctrl_c() => Ok(interrupted()),
                _ = terminate.recv() => Ok(interrupted()),
            }
        }),
    }
}

fn interrupted() -> ExitCode {
    progress::report("interrupted; no results were written");
    INTERRUPTED.into()
}
