//! The memory of a WebSocket that watches a debate, and how long it takes until all of them received a new argument.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use futures_util::StreamExt;
use serde_json::Value;
use tokio::{net::TcpStream, sync::mpsc, task::JoinSet, time::timeout};
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::{
    debate::Debate,
    environment::Environment,
    http_client::Connection,
    process::{resident_kib, settle},
    results::{Recorder, Unit},
    statistics::median,
    subjects::{
        Subject,
        aweave::{Aweave, Launch},
    },
};

/// How many viewers.
pub const VIEWERS: usize = 1_000;

/// How many arguments they receive.
const ARGUMENTS: usize = 20;

/// How long the last viewer may take to receive an argument.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Measures a server.
pub async fn measure(environment: &Environment, aweave: Aweave, recorder: &mut Recorder) -> Result<()> {
    let server = Launch::new(environment, aweave).start().await?;
    let pid = server.process.pid();
    let mut connection = Connection::open(server.address).await?;
    let mut debate = Debate::create(&mut connection, "A debate with many viewers").await?;
    settle(pid).await?;
    let before = resident_kib(pid)?;
    let (mut viewers, (received_tx, mut received_rx)) = (JoinSet::new(), mpsc::unbounded_channel());
    let url = format!("ws://{}/ws?debate_id={}", server.address, debate.id);
    for _ in 0..VIEWERS {
        let (mut socket, _) = client_async(&url, TcpStream::connect(server.address).await?).await?;
        let first = next_event(&mut socket).await?;
        ensure!(first["event"] == "initial_state", "the first event is {}", first["event"]);
        let received_tx = received_tx.clone();
        viewers.spawn(async move {
            loop {
                let event = next_event(&mut socket).await?;
                let seq = (event["event"] == "new_argument").then(|| event["data"]["seq"].as_u64()).flatten();
                if seq.is_some_and(|seq| received_tx.send((seq, Instant::now())).is_err()) {
                    return anyhow::Ok(());
                }
            }
        });
    }
    settle(pid).await?;
    let kib = (resident_kib(pid)? - before) / VIEWERS as f64;
    recorder.add(aweave.name(), "memory of a viewer", VIEWERS as u64, Unit::Kibibytes, kib);
    let mut milliseconds = Vec::new();
    for _ in 0..ARGUMENTS {
        let sent = Instant::now();
        debate.submit(&mut connection).await?;
        let mut last = sent;
        for missing in (1..=VIEWERS).rev() {
            let Ok(Some((seq, at))) = timeout(TIMEOUT, received_rx.recv()).await else {
                bail!("{missing} of {VIEWERS} viewers did not receive argument {}", debate.newest.seq);
            };
            ensure!(seq == debate.newest.seq, "a viewer received argument {seq}, not {}", debate.newest.seq);
            last = last.max(at);
        }
        milliseconds.push((last - sent).as_secs_f64() * 1e3);
    }
    let value = median(&milliseconds).context("no argument was received")?;
    recorder.add(aweave.name(), "until all received it, p50", VIEWERS as u64, Unit::Milliseconds, value);
    Ok(())
}

async fn next_event(socket: &mut WebSocketStream<TcpStream>) -> Result<Value> {
    loop {
        let message = socket.next().await.context("the server closed a WebSocket")??;
        if message.is_text() {
            return Ok(serde_json::from_str(message.to_text()?)?);
        }
    }
}
