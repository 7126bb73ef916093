//! The time from an append to the response of the client that waits for it. One append at a time, so that nothing queues.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio::{sync::mpsc, task::JoinSet};

use crate::{
    environment::Environment,
    results::{Recorder, Unit},
    statistics::{microseconds, quantile},
    subjects::{Running, Subject},
};

/// Appended to in turn, so that each waiter is waiting again long before the next append to its log.
const LOGS: usize = 16;

/// Measures a subject.
pub async fn measure(environment: &Environment, subject: &dyn Subject, recorder: &mut Recorder) -> Result<()> {
    let running = subject.start(environment).await?;
    let form = environment.form;
    let times = append_and_wait(running.as_ref(), form.warm_up, form.append).await?;
    for (metric, times) in [("append", times.acknowledged), ("append to wake", times.woken)] {
        let times = microseconds(&times);
        for (name, part) in [("p50", 0.5), ("p99", 0.99)] {
            let value = quantile(&times, part).context("nothing was measured")?;
            recorder.add(subject.name(), &format!("{metric}, {name}"), 0, Unit::Microseconds, value);
        }
    }
    Ok(())
}

#[derive(Default)]
struct Times {
    acknowledged: Vec<Duration>,
    woken: Vec<Duration>,
}

async fn append_and_wait(running: &dyn Running, warm_up: Duration, duration: Duration) -> Result<Times> {
    let (mut waiting, mut logs) = (JoinSet::new(), Vec::new());
    for _ in 0..LOGS {
        let (appender, mut waiter) = running.create_log().await?;
        let (woken_tx, woken_rx) = mpsc::unbounded_channel();
        waiting.spawn(async move {
            loop {
                waiter.wait().await?;
                if woken_tx.send(Instant::now()).is_err() {
                    return anyhow::Ok(());
                }
            }
        });
        logs.push((appender, woken_rx));
    }
    let mut times = Times::default();
    let start = Instant::now() + warm_up;
    loop {
        for (appender, woken_rx) in &mut logs {
            let sent = Instant::now();
            if sent > start + duration {
                return Ok(times);
            }
            appender.append().await?;
            let acknowledged = Instant::now();
            let Some(woken) = woken_rx.recv().await else {
                let ended = waiting.join_next().await.context("no waiter is left")?;
                return Err(ended?.err().context("a waiter ended without an error")?);
            };
            if sent > start {
                times.acknowledged.push(acknowledged - sent);
                times.woken.push(woken - sent);
            }
        }
    }
}
