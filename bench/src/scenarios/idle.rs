//! The memory and CPU time of a server without clients.

use std::time::Instant;

use anyhow::Result;
use tokio::time::sleep;

use crate::{
    environment::Environment,
    process::{cpu_seconds, resident_kib, settle},
    results::{Recorder, Unit},
    subjects::{
        Subject,
        aweave::{Aweave, Launch},
    },
};

/// Measures a server with an empty database.
pub async fn measure(environment: &Environment, aweave: Aweave, recorder: &mut Recorder) -> Result<()> {
    let server = Launch::new(environment, aweave).start().await?;
    let pid = server.process.pid();
    settle(pid).await?;
    recorder.add(aweave.name(), "memory", 0, Unit::Mebibytes, resident_kib(pid)? / 1024.0);
    let (before, start) = (cpu_seconds(pid)?, Instant::now());
    sleep(environment.form.rest).await;
    let used = (cpu_seconds(pid)? - before) / start.elapsed().as_secs_f64();
    recorder.add(aweave.name(), "CPU time a second", 0, Unit::Milliseconds, used * 1e3);
    Ok(())
}
