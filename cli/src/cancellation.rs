//! Ends a long-running command when it is asked to stop or when nobody reads its output any more.

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
#[cfg(unix)]
async fn stop_signal() -> &'static str {
    use std::future::pending;

    use tokio::signal::unix::{SignalKind, signal};

    async fn received(kind: SignalKind) {
        match signal(kind) {
            Ok(mut signals) => {
                signals.recv().await;
            }
            Err(_) => pending().await,
        }
    }

    tokio::select! {
        () = received(SignalKind::interrupt()) => "SIGINT",
        () = received(SignalKind::terminate()) => "SIGTERM",
    }
}

/// Completes with the name of the first stop signal. Never completes where signal handlers cannot be installed.
#[cfg(not(unix))]
async fn stop_signal() -> &'static str {
    match tokio::signal::ctrl_c().await {
        Ok(()) => "Ctrl-C",
        Err(_) => std::future::pending().await,
    }
}
