//! What a server costs that nobody asks anything.

use std::time::Instant;

use anyhow::Result;
use tokio::time::sleep;

use crate::{
    peers::{Peer, ours::Launch},
    process::{cpu_seconds, resident_kib, settle},
    record::{Recorder, Unit},
    setup::Setup,
};

/// The name among the figures.
pub const NAME: &str = "idle";

/// Measures this server on a database, or on an empty SQLite file.
pub async fn measure(setup: &Setup, peer: &dyn Peer, database: Option<&str>, figures: &mut Recorder<'_>) -> Result<()> {
    let launch = Launch::new(setup);
    let launch = if let Some(url) = database { launch.on(url) } else { launch };
    let server = launch.start().await?;
    let pid = server.process.pid();
    settle(pid).await?;
    figures.add(peer.name(), "memory", 0, Unit::Mebibytes, resident_kib(pid)? / 1024.0);
    let (before, from) = (cpu_seconds(pid)?, Instant::now());
    sleep(setup.form.silence).await;
    let busy = (cpu_seconds(pid)? - before) / from.elapsed().as_secs_f64();
    figures.add(peer.name(), "CPU time a second", 0, Unit::Milliseconds, busy * 1e3);
    Ok(())
}
