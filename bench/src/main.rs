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

use anyhow::{Result, bail};
use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};

/// Measures aweave-server and aw beside their peers, and against what is promised of them
#[derive(Parser)]
#[command(version)]
enum Cli {
    Run(run::Options),
    Report(report::Options),
}

fn main() -> ExitCode {
    match go(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            progress::tell(format_args!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// On one thread: the machine's other cores are for what is measured.
fn go(cli: Cli) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        match cli {
            Cli::Report(options) => options.run(),
            Cli::Run(options) => {
                let mut terminate = signal(SignalKind::terminate())?;
                // What is dropped here ends its processes, and removes its folders.
                tokio::select! {
                    done = options.run() => done,
                    _ = tokio::signal::ctrl_c() => bail!("interrupted; nothing was kept"),
                    _ = terminate.recv() => bail!("told to end; nothing was kept"),
                }
            }
        }
    })
}
