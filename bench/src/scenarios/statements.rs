//! How many SQL statements the server runs while waits are held and nothing happens, counted in its log.

use std::time::Instant;

use anyhow::{Result, ensure};
use tokio::time::sleep;

use super::waiters::{create_debates, hold_waits};
use crate::{
    environment::Environment,
    http_client::Connection,
    process::settle,
    results::{Recorder, Unit},
    subjects::{
        Subject,
        aweave::{Aweave, Launch},
    },
};

/// How many waits are held.
pub const WAITERS: usize = 1_000;

/// Over how many debates.
const DEBATES: usize = 20;

/// Makes the server log each statement.
const LOG_FILTER: &str = "info,sqlx::query=debug";

/// Measures a server.
pub async fn measure(environment: &Environment, aweave: Aweave, recorder: &mut Recorder) -> Result<()> {
    let server = Launch::new(environment, aweave).log_filter(LOG_FILTER).start().await?;
    let statements = || server.process.log().matches("sqlx::query").count();
    let mut connection = Connection::open(server.address).await?;
    let debates = create_debates(&mut connection, DEBATES).await?;
    let _held = hold_waits(&server, &debates, WAITERS).await?;
    settle(server.process.pid()).await?;
    let (before, start) = (statements(), Instant::now());
    ensure!(before > 0, "creating debates logged no statement");
    sleep(environment.form.rest * 2).await;
    let rate = (statements() - before) as f64 / start.elapsed().as_secs_f64();
    recorder.add(aweave.name(), "statements a second", WAITERS as u64, Unit::Count, rate);
    Ok(())
}
