//! Ends a long-running command when it is asked to stop or when nobody reads its output any more.

use std::{future::pending, path::Path, sync::OnceLock};

use tokio::signal::unix::{SignalKind, signal};

use crate::{files, output::terminal};

/// The most that is read of what the system tells of a process.
const MAX_STATUS_BYTES: u64 = 64 * 1024;

/// Why a command was cancelled.
pub enum Cancelled {
    /// The process received the signal of this name.
    Signal(&'static str),
    /// The reader of stdout is gone.
    StdoutClosed,
}

/// Completes when a command that has started others should stop, which would go on without it.
pub async fn cancelled_or_hung_up() -> Cancelled {
    let also = async |kind| if is_ignored(kind) { pending().await } else { received(kind).await };
    tokio::select! {
        biased;
        cancelled = cancelled() => cancelled,
        () = also(SignalKind::hangup()) => Cancelled::Signal("SIGHUP"),
        () = received(SignalKind::quit()) => Cancelled::Signal("SIGQUIT"),
    }
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
    tokio::select! {
        () = received(SignalKind::interrupt()) => "SIGINT",
        () = received(SignalKind::terminate()) => "SIGTERM",
    }
}

async fn received(kind: SignalKind) {
    match signal(kind) {
        Ok(mut signals) => drop(signals.recv().await),
        Err(_) => pending().await,
    }
}

/// Whether this process was started with a signal ignored, as by nohup. Where the system does not tell, a signal that is not
/// listened to keeps its meaning: it is still ignored, or ends this process.
fn is_ignored(kind: SignalKind) -> bool {
    static IGNORED: OnceLock<Option<u64>> = OnceLock::new();
    let ignored = || {
        let status = files::read_text(Path::new("/proc/self/status"), MAX_STATUS_BYTES).ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    IGNORED.get_or_init(ignored).is_none_or(|mask| mask & 1 << (kind.as_raw_value() - 1) != 0)
}
