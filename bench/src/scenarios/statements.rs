//! What held waits ask of the store while nothing happens, counted in the server's own log of statements.

use std::time::Instant;

use anyhow::{Result, ensure};
use tokio::time::sleep;

use super::waiters::hold;
use crate::{
    debate::Debate,
    http::Connection,
    peers::{Peer, ours::Launch},
    process::settle,
    record::{Recorder, Unit},
    setup::Setup,
};

/// The name among the figures.
pub const NAME: &str = "waiting";

const WAITERS: usize = 1_000;
const DEBATES: usize = 20;

/// Has the server log each statement.
const LOG: &str = "info,sqlx::query=debug";

/// Measures this server on a database, or on an empty SQLite file.
pub async fn measure(setup: &Setup, peer: &dyn Peer, database: Option<&str>, figures: &mut Recorder<'_>) -> Result<()> {
    let launch = Launch::new(setup).logging(LOG);
    let launch = if let Some(url) = database { launch.on(url) } else { launch };
    let server = launch.start().await?;
    let statements = || server.process.log().matches("sqlx::query").count();
    let mut connection = Connection::open(server.address).await?;
    let mut debates = Vec::new();
    for _ in 0..DEBATES {
        debates.push(Debate::create(&mut connection, "A debate that is waited for").await?);
    }
    let _held = hold(&server, &debates, WAITERS).await?;
    settle(server.process.pid()).await?;
    let (before, from) = (statements(), Instant::now());
    ensure!(before > 0, "opening debates left no statement in the log");
    sleep(setup.form.silence * 2).await;
    let each = (statements() - before) as f64 / from.elapsed().as_secs_f64();
    figures.add(peer.name(), "statements a second", WAITERS as u64, Unit::Count, each);
    Ok(())
}
