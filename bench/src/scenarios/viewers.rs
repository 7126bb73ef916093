//! What a viewer of a debate costs, and how long until all have seen a new argument.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use futures_util::StreamExt;
use serde_json::Value;
use tokio::{net::TcpStream, sync::mpsc, task::JoinSet, time::timeout};
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::{
    debate::Debate,
    http::Connection,
    peers::{
        Peer,
        ours::{Launch, OnSqlite},
    },
    process::{resident_kib, settle},
    record::{Recorder, Unit},
    setup::Setup,
    statistics::median,
};

/// The name among the figures.
pub const NAME: &str = "viewers";

/// How many.
const VIEWERS: usize = 1_000;

/// How many arguments they see.
const ARGUMENTS: usize = 20;

/// How long the last may take to see one.
const PATIENCE: Duration = Duration::from_secs(10);

/// Measures this server on SQLite.
pub async fn measure(setup: &Setup, figures: &mut Recorder<'_>) -> Result<()> {
    let server = Launch::new(setup).start().await?;
    let pid = server.process.pid();
    let mut connection = Connection::open(server.address).await?;
    let mut debate = Debate::create(&mut connection, "A debate with many viewers").await?;
    settle(pid).await?;
    let before = resident_kib(pid)?;
    let (mut viewing, (tell, mut told)) = (JoinSet::new(), mpsc::unbounded_channel());
    let url = format!("ws://{}/ws?debate_id={}", server.address, debate.id);
    for _ in 0..VIEWERS {
        let (mut socket, _) = client_async(&url, TcpStream::connect(server.address).await?).await?;
        let first = next_event(&mut socket).await?;
        ensure!(first["event"] == "initial_state", "the first event is {}", first["event"]);
        let tell = tell.clone();
        viewing.spawn(async move {
            loop {
                let event = next_event(&mut socket).await?;
                let news = (event["event"] == "new_argument").then(|| event["data"]["seq"].as_u64()).flatten();
                if news.is_some_and(|seq| tell.send((seq, Instant::now())).is_err()) {
                    return anyhow::Ok(());
                }
            }
        });
    }
    settle(pid).await?;
    let each = (resident_kib(pid)? - before) / VIEWERS as f64;
    figures.add(OnSqlite.name(), "a viewer", VIEWERS as u64, Unit::Kibibytes, each);
    let mut slowest = Vec::new();
    for _ in 0..ARGUMENTS {
        let sent = Instant::now();
        debate.claim(&mut connection).await?;
        let mut last = sent;
        for missing in (1..=VIEWERS).rev() {
            let Ok(Some((seq, at))) = timeout(PATIENCE, told.recv()).await else {
                bail!("{missing} of {VIEWERS} viewers did not see argument {}", debate.newest.seq);
            };
            ensure!(seq == debate.newest.seq, "a viewer saw argument {seq}, not {}", debate.newest.seq);
            last = last.max(at);
        }
        slowest.push((last - sent).as_secs_f64() * 1e3);
    }
    let middle = median(&slowest).context("arguments were seen")?;
    figures.add(OnSqlite.name(), "until all have seen it, p50", VIEWERS as u64, Unit::Milliseconds, middle);
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
