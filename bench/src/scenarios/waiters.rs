//! What a held wait costs, and whether all are woken.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Result, bail, ensure};
use tokio::{task::JoinSet, time::timeout};

use crate::{
    debate::{self, Debate, Told},
    http::Connection,
    peers::{
        Peer,
        contract::Server,
        ours::{Launch, OnSqlite},
    },
    process::{resident_kib, settle},
    record::{Recorder, Unit},
    setup::Setup,
};

/// The name among the figures.
pub const NAME: &str = "waiters";

/// How many waits are held.
const WAITERS: [usize; 2] = [5_000, 10_000];

/// Over how many debates.
const DEBATES: usize = 100;

/// How long the last may take to be woken.
const PATIENCE: Duration = Duration::from_secs(30);

/// Measures this server on SQLite.
pub async fn measure(setup: &Setup, figures: &mut Recorder<'_>) -> Result<()> {
    for waiters in WAITERS {
        let server = Launch::new(setup).start().await?;
        let pid = server.process.pid();
        let mut connection = Connection::open(server.address).await?;
        let mut debates = Vec::new();
        for _ in 0..DEBATES {
            debates.push(Debate::create(&mut connection, "A debate with many waiters").await?);
        }
        settle(pid).await?;
        let before = resident_kib(pid)?;
        let mut waiting = hold(&server, &debates, waiters).await?;
        settle(pid).await?;
        let each = (resident_kib(pid)? - before) / waiters as f64;
        figures.add(OnSqlite.name(), "a held wait", waiters as u64, Unit::Kibibytes, each);
        let start = Instant::now();
        for debate in &mut debates {
            debate.claim(&mut connection).await?;
        }
        for missing in (1..=waiters).rev() {
            let woken = timeout(PATIENCE, waiting.join_next()).await;
            let Ok(Some(woken)) = woken else { bail!("{missing} of {waiters} waiters were not woken") };
            let (debate, seq) = woken??;
            ensure!(seq == 2, "a waiter of {debate} was told of argument {seq}");
        }
        let took = start.elapsed().as_secs_f64() * 1e3;
        figures.add(OnSqlite.name(), "until all are woken", waiters as u64, Unit::Milliseconds, took);
    }
    Ok(())
}

/// Holds so many waits, spread over the debates; each gives which argument of which debate it was told of.
pub async fn hold(server: &Server, debates: &[Debate], count: usize) -> Result<JoinSet<Result<(Arc<str>, u64)>>> {
    let mut waiting = JoinSet::new();
    for debate in debates.iter().cycle().take(count) {
        let mut connection = Connection::open(server.address).await?;
        let (id, path) = (Arc::from(debate.id.as_str()), debate.newest.wait_path(&debate.id));
        waiting.spawn(async move {
            let told: Told = debate::data(&connection.get(&path).await?)?;
            Ok((id, told.argument.seq))
        });
        // Lets it send its request.
        tokio::task::yield_now().await;
    }
    Ok(waiting)
}
