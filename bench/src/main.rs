//! `bench`: measures `aweave-server` and `aw` beside their peers, and against what is promised of them.

mod debate;
mod history;
mod http;
mod machine;
mod peers;
mod process;
mod progress;
mod record;
mod report;
mod run;
mod scenarios;
mod setup;
mod statistics;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};

/// Measures aweave-server and aw beside their peers, and against what is promised of them
#[derive(Parser)]
#[command(version)]
enum Cli {
    Run(run::Options),
    Report(report::Options),
}

/// Something could not be measured, the rest was.
const INCOMPLETE: u8 = 2;

/// Ended by a signal, as shells tell it.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    go(Cli::parse()).unwrap_or_else(|error| {
        progress::tell(format_args!("{error:#}"));
        ExitCode::FAILURE
    })
}

/// On one thread: the machine's other cores are for what is measured.
fn go(cli: Cli) -> Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match cli {
        Cli::Report(options) => options.run().map(|()| ExitCode::SUCCESS),
        Cli::Run(options) => runtime.block_on(async {
            let mut terminate = signal(SignalKind::terminate())?;
            // What is dropped here ends its processes, and removes its folders.
            tokio::select! {
                complete = options.run() => Ok(if complete? { ExitCode::SUCCESS } else { INCOMPLETE.into() }),
                _ = tokio::signal::ctrl_c() => Ok(interrupted()),
                _ = terminate.recv() => Ok(interrupted()),
            }
        }),
    }
}

fn interrupted() -> ExitCode {
    progress::tell("interrupted; nothing was kept");
    INTERRUPTED.into()
}
