//! Ends a long-running command when it is asked to stop or when nobody reads its output any more.

use std::future::pending;

use tokio::signal::unix::{SignalKind, signal};

use crate::output::terminal;

/// Why a command was cancelled.
pub enum Cancelled {
    /// The process received the signal of this name.
    Signal(&'static str),
    /// The reader of stdout is gone.
    StdoutClosed,
}

/// Completes when the command should stop.
pub async fn cancelled() -> Cancelled {
    tokio::select! {
        biased;
        signal = stop_signal() => Cancelled::Signal(signal),
        () = terminal::stdout_closed() => Cancelled::StdoutClosed,
    }
}

/// Completes with the name of the first stop signal. Never completes where signal handlers cannot be installed.
async fn stop_signal() -> &'static str {
    let received = async |kind| match signal(kind) {
        Ok(mut signals) => drop(signals.recv().await),
        Err(_) => pending().await,
    };
    tokio::select! {
        () = received(SignalKind::interrupt()) => "SIGINT",
        () = received(SignalKind::terminate()) => "SIGTERM",
    }
}
