//! From starting the server to its first answer, on a long history.

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use tokio::time::sleep;

use crate::{
    http::Connection,
    peers::ours::Launch,
    process::free_port,
    record::{Recorder, Unit},
    setup::Setup,
    statistics::median,
};

/// The name among the figures.
pub const NAME: &str = "start";

/// How often it is started in a round.
const STARTS: usize = 5;

/// How long it may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Measures this server on a database with so many arguments.
pub async fn measure(
    setup: &Setup,
    subject: &str,
    database: &str,
    arguments: u64,
    figures: &mut Recorder<'_>,
) -> Result<()> {
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let port = free_port()?;
        let started = Instant::now();
        let (process, _folder) = Launch::new(setup).on(database).port(port).spawn()?;
        first_answer(SocketAddr::from((Ipv4Addr::LOCALHOST, port)), started).await?;
        times.push(started.elapsed().as_secs_f64() * 1e3);
        process.stop().await?;
    }
    let middle = median(&times).context("it was started")?;
    figures.add(subject, "until the first answer", arguments, Unit::Milliseconds, middle);
    Ok(())
}

/// A refused connection costs next to nothing, so it is tried again and again.
async fn first_answer(address: SocketAddr, started: Instant) -> Result<()> {
    loop {
        if let Ok(mut connection) = Connection::open(address).await {
            connection.get("/health").await?;
            return Ok(());
        }
        if started.elapsed() > PATIENCE {
            bail!("no answer within {PATIENCE:?}");
        }
        sleep(Duration::from_millis(1)).await;
    }
}
