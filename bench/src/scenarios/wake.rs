//! From an append to who waits for it: one append at a time, so that nothing but its own path is measured.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio::{sync::mpsc, task::JoinSet};

use crate::{
    peers::{Peer, Service},
    record::{Recorder, Unit},
    setup::Setup,
    statistics::{microseconds, quantile},
};

/// The name among the figures.
pub const NAME: &str = "wake";

/// Written to in turn, so that each waiter is back and held long before its turn comes again.
const LOGS: usize = 16;

/// Measures a peer.
pub async fn measure(setup: &Setup, peer: &dyn Peer, figures: &mut Recorder<'_>) -> Result<()> {
    let service = peer.start(setup).await?;
    let form = setup.form;
    let Times { acknowledged, woken } = exchange(service.as_ref(), form.warm_up, form.append).await?;
    for (figure, times) in [("append", acknowledged), ("append to wake", woken)] {
        let times = microseconds(&times);
        for (name, part) in [("p50", 0.5), ("p99", 0.99)] {
            let value = quantile(&times, part).context("nothing was measured")?;
            figures.add(peer.name(), &format!("{figure}, {name}"), 1, Unit::Microseconds, value);
        }
    }
    Ok(())
}

struct Times {
    acknowledged: Vec<Duration>,
    woken: Vec<Duration>,
}

async fn exchange(service: &dyn Service, warm_up: Duration, measured: Duration) -> Result<Times> {
    let (mut waiting, mut logs) = (JoinSet::new(), Vec::new());
    for _ in 0..LOGS {
        let (appender, mut waiter) = service.open().await?;
        let (tell, told) = mpsc::unbounded_channel();
        waiting.spawn(async move {
            loop {
                waiter.wait().await?;
                if tell.send(Instant::now()).is_err() {
                    return anyhow::Ok(());
                }
            }
        });
        logs.push((appender, told));
    }
    let mut times = Times { acknowledged: Vec::new(), woken: Vec::new() };
    let from = Instant::now() + warm_up;
    loop {
        for (appender, told) in &mut logs {
            let sent = Instant::now();
            if sent > from + measured {
                return Ok(times);
            }
            appender.append().await?;
            let acknowledged = Instant::now();
            let Some(woken) = told.recv().await else {
                let ended = waiting.join_next().await.context("a waiter was there")?;
                return Err(ended?.err().context("a waiter ended")?);
            };
            if sent > from {
                times.acknowledged.push(acknowledged - sent);
                times.woken.push(woken - sent);
            }
        }
    }
}
