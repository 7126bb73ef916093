//! The commands, one file each. A command is a struct of clap options with a `run` function that returns its output.

mod background_server;
mod browser;
pub mod completions;
pub mod debate;
pub mod docs;
pub mod doctor;
pub mod down;
mod faults;
pub mod man;
pub mod mcp;
pub mod setup;
pub mod up;

use std::future::Future;

use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};

use crate::output::failure::{Code, Failure};

/// The layout of a help text: what the command does, an example to copy, then the options.
pub const HELP_TEMPLATE: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// Runs a command that talks to the server on a single-threaded tokio runtime.
pub fn block_on<T>(command: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Code::InternalError, format!("cannot start the async runtime: {error}")))?;
    let result = runtime.block_on(async {
        // Where the size of files is limited, a write fails, and does not end this process without a word.
        let _ = signal(SignalKind::from_raw(Signal::XFSZ.as_raw()));
        command.await
    });
    // Do not wait for a name lookup that still runs on the blocking pool.
    runtime.shutdown_background();
    result
}
