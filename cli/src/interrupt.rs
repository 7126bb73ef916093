//! Being asked to stop.

/// Ends when somebody asks the process to stop, and says how. Never ends where such requests cannot be heard.
#[cfg(unix)]
pub async fn asked_to_stop() -> &'static str {
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
pub async fn asked_to_stop() -> &'static str {
    match tokio::signal::ctrl_c().await {
        Ok(()) => "Ctrl-C",
        Err(_) => std::future::pending().await,
    }
}
