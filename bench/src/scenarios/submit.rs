//! How many appends a second 64 clients reach, each sending the next when the last is acknowledged.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use tokio::task::JoinSet;

use crate::{
    environment::Environment,
    process::Process,
    results::{Recorder, Unit},
    statistics::{microseconds, quantile},
    subjects::{
        Appender, Running, Subject,
        aweave::{Aweave, Build, Launch, Store},
    },
};

/// How many debates.
pub const DEBATES: usize = 64;

/// The name of the program that runs only the SQL statements.
pub const BARE_STATEMENTS: &str = "bare statements";

/// How long that program may take beyond the measured time.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Measures a server of debates.
pub async fn measure(environment: &Environment, subject: &dyn Subject, recorder: &mut Recorder) -> Result<()> {
    let running = subject.start(environment).await?;
    let (form, size) = (environment.form, DEBATES as u64);
    let appenders = create_logs(running.as_ref(), DEBATES).await?;
    let times = append_concurrently(appenders, form.warm_up, form.append).await?.measured;
    let rate = times.len() as f64 / form.append.as_secs_f64();
    recorder.add(subject.name(), "submits", size, Unit::PerSecond, rate);
    let times = microseconds(&times);
    for (metric, part) in [("p50", 0.5), ("p99", 0.99)] {
        let value = quantile(&times, part).context("nothing was acknowledged")?;
        recorder.add(subject.name(), metric, size, Unit::Microseconds, value);
    }
    Ok(())
}

/// Measures the bare SQL statements on PostgreSQL.
pub async fn measure_bare_statements(environment: &Environment, recorder: &mut Recorder) -> Result<()> {
    let folder = environment.temporary_folder()?;
    let url = environment.postgres_database(None)?;
    // The server creates the schema.
    let server = Launch::new(environment, Aweave { build: Build::Current, store: Store::Postgres });
    server.database_url(&url).start().await?.process.stop().await?;
    let duration = environment.form.append;
    let mut command = Command::new(Environment::own_binary("bare_statements")?);
    command.args([url, DEBATES.to_string(), duration.as_secs_f64().to_string()]);
    let output = Process::start(&mut command, folder.path())?.output(duration + TIMEOUT).await?;
    recorder.add(BARE_STATEMENTS, "submits", DEBATES as u64, Unit::PerSecond, output.trim().parse()?);
    Ok(())
}

/// What concurrent clients reached.
#[derive(Default)]
pub struct Appended {
    /// The latency of each append that was acknowledged in the measured time
    pub measured: Vec<Duration>,
    /// How many appends were acknowledged, including those before and after the measured time
    pub acknowledged: u64,
}

/// Creates logs to append to.
pub async fn create_logs(running: &dyn Running, count: usize) -> Result<Vec<Box<dyn Appender>>> {
    let mut appenders = Vec::new();
    for _ in 0..count {
        appenders.push(running.create_log().await?.0);
    }
    Ok(appenders)
}

/// Appends to all logs at once; afterwards checks that what was acknowledged is stored.
pub async fn append_concurrently(
    appenders: Vec<Box<dyn Appender>>,
    warm_up: Duration,
    duration: Duration,
) -> Result<Appended> {
    let mut tasks = JoinSet::new();
    let start = Instant::now() + warm_up;
    for mut appender in appenders {
        tasks.spawn(async move {
            let mut appended = Appended::default();
            loop {
                let sent = Instant::now();
                appender.append().await?;
                appended.acknowledged += 1;
                let now = Instant::now();
                if now > start + duration {
                    appender.check().await?;
                    return anyhow::Ok(appended);
                }
                if now > start {
                    appended.measured.push(now - sent);
                }
            }
        });
    }
    let mut all = Appended::default();
    while let Some(appended) = tasks.join_next().await {
        let Appended { measured, acknowledged } = appended??;
        all.measured.extend(measured);
        all.acknowledged += acknowledged;
    }
    Ok(all)
}
