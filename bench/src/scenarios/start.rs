//! The time from starting the server to its first response, on a database with a long history.

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use tokio::time::sleep;

use crate::{
    environment::Environment,
    history::{self, History},
    http_client::Connection,
    process::free_port,
    results::{Recorder, Unit},
    statistics::median,
    subjects::{
        Subject,
        aweave::{Aweave, Launch},
    },
};

/// How often the server is started in a round.
const STARTS: usize = 5;

const TIMEOUT: Duration = Duration::from_secs(60);

/// Measures a server.
pub async fn measure(
    environment: &Environment,
    aweave: Aweave,
    history: &History,
    recorder: &mut Recorder,
) -> Result<()> {
    let database = history.url(aweave).context("the database was not filled")?;
    let mut milliseconds = Vec::new();
    for _ in 0..STARTS {
        let port = free_port()?;
        let start = Instant::now();
        let (process, _folder) = Launch::new(environment, aweave).database_url(database).port(port).spawn()?;
        first_response(SocketAddr::from((Ipv4Addr::LOCALHOST, port)), start).await?;
        milliseconds.push(start.elapsed().as_secs_f64() * 1e3);
        process.stop().await?;
    }
    let value = median(&milliseconds).context("the server was not started")?;
    let arguments = history::arguments(history.length);
    recorder.add(aweave.name(), "until the first response", arguments, Unit::Milliseconds, value);
    Ok(())
}

/// Connects again every millisecond until the server listens.
async fn first_response(address: SocketAddr, start: Instant) -> Result<()> {
    loop {
        if let Ok(mut connection) = Connection::open(address).await {
            connection.get("/health").await?;
            return Ok(());
        }
        if start.elapsed() > TIMEOUT {
            bail!("no response within {TIMEOUT:?}");
        }
        sleep(Duration::from_millis(1)).await;
    }
}
