//! Being asked to stop, and being left.

use crate::output;

/// Why nobody is waiting for the command any more.
pub enum Leave {
    /// Somebody asked it to stop, by that signal
    Asked(&'static str),
    /// What it would say would be read by nobody
    Unread,
}

/// Ends when there is nobody any more for whom to go on.
pub async fn leave() -> Leave {
    tokio::select! {
        biased;
        signal = asked_to_stop() => Leave::Asked(signal),
        () = output::reader_gone() => Leave::Unread,
    }
}

/// Ends when somebody asks the process to stop, and says how. Never ends where such requests cannot be heard.
#[cfg(unix)]
async fn asked_to_stop() -> &'static str {
    use std::future::pending;

    use tokio::signal::unix::{SignalKind, signal};

    async fn heard(kind: SignalKind) {
        match signal(kind) {
            Ok(mut signals) => {
                signals.recv().await;
            }
            Err(_) => pending().await,
        }
    }

    tokio::select! {
        () = heard(SignalKind::interrupt()) => "SIGINT",
        () = heard(SignalKind::terminate()) => "SIGTERM",
    }
}

/// Ends when somebody asks the process to stop, and says how. Never ends where such requests cannot be heard.
#[cfg(not(unix))]
async fn asked_to_stop() -> &'static str {
    match tokio::signal::ctrl_c().await {
        Ok(()) => "Ctrl-C",
        Err(_) => std::future::pending().await,
    }
}
