//! Latency against load: the more append at once, the longer each waits, and the more are appended in all.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio::task::JoinSet;

use crate::{
    peers::{Appender, Peer, Service},
    record::{Recorder, Unit},
    setup::Setup,
    statistics::{microseconds, quantile},
};

/// The name among the figures.
pub const NAME: &str = "load";

/// How many append at once.
const STEPS: [usize; 5] = [1, 4, 16, 64, 128];

/// Measures a peer.
pub async fn measure(setup: &Setup, peer: &dyn Peer, figures: &mut Recorder<'_>) -> Result<()> {
    let service = peer.start(setup).await?;
    for step in STEPS {
        let measured = setup.form.step;
        let times = hammer(service.as_ref(), step, setup.form.warm_up / 2, measured).await?;
        note(figures, peer.name(), step, &times, measured)?;
    }
    Ok(())
}

/// Takes down what came of so many appenders.
pub fn note(
    figures: &mut Recorder<'_>,
    subject: &str,
    appenders: usize,
    times: &[Duration],
    measured: Duration,
) -> Result<()> {
    let at = appenders as u64;
    figures.add(subject, "appends", at, Unit::PerSecond, times.len() as f64 / measured.as_secs_f64());
    let times = microseconds(times);
    for (figure, part) in [("p50", 0.5), ("p99", 0.99)] {
        let value = quantile(&times, part).context("nothing was acknowledged")?;
        figures.add(subject, figure, at, Unit::Microseconds, value);
    }
    Ok(())
}

/// How long each append took, where so many append at once, each the next as soon as the last is acknowledged.
pub async fn hammer(
    service: &dyn Service,
    appenders: usize,
    warm_up: Duration,
    measured: Duration,
) -> Result<Vec<Duration>> {
    Ok(drive(open(service, appenders).await?, warm_up, measured).await?.measured)
}

/// Opens logs to append to.
pub async fn open(service: &dyn Service, appenders: usize) -> Result<Vec<Box<dyn Appender>>> {
    let mut opened = Vec::new();
    for _ in 0..appenders {
        opened.push(service.open().await?.0);
    }
    Ok(opened)
}

/// What came of appending.
#[derive(Default)]
pub struct Driven {
    /// How long each append took that was acknowledged in the measured time
    pub measured: Vec<Duration>,
    /// How many were acknowledged at all
    pub acknowledged: u64,
}

/// Appends for a while; what was acknowledged is looked for afterwards.
pub async fn drive(appenders: Vec<Box<dyn Appender>>, warm_up: Duration, measured: Duration) -> Result<Driven> {
    let mut appending = JoinSet::new();
    let from = Instant::now() + warm_up;
    for mut appender in appenders {
        appending.spawn(async move {
            let mut driven = Driven::default();
            loop {
                let sent = Instant::now();
                appender.append().await?;
                driven.acknowledged += 1;
                let now = Instant::now();
                if now > from + measured {
                    appender.check().await?;
                    return anyhow::Ok(driven);
                }
                if now > from {
                    driven.measured.push(now - sent);
                }
            }
        });
    }
    let mut all = Driven::default();
    while let Some(driven) = appending.join_next().await {
        let Driven { measured, acknowledged } = driven??;
        all.measured.extend(measured);
        all.acknowledged += acknowledged;
    }
    Ok(all)
}
