//! The memory of a held wait, and how long it takes to answer all of them.

use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use tokio::{task::JoinSet, time::timeout};

use crate::{
    debate::{self, ArgumentData, Debate},
    environment::Environment,
    http_client::Connection,
    process::{resident_kib, settle},
    results::{Recorder, Unit},
    subjects::{
        Subject,
        aweave::{Aweave, Launch},
        debate_server::DebateServer,
    },
};

/// How many waits are held.
const WAITERS: [usize; 2] = [5_000, 10_000];

/// Over how many debates.
const DEBATES: usize = 100;

/// How long the last wait may take to be answered.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Measures a server.
pub async fn measure(environment: &Environment, aweave: Aweave, recorder: &mut Recorder) -> Result<()> {
    for waiters in WAITERS {
        let server = Launch::new(environment, aweave).start().await?;
        let pid = server.process.pid();
        let mut connection = Connection::open(server.address).await?;
        let mut debates = create_debates(&mut connection, DEBATES).await?;
        settle(pid).await?;
        let before = resident_kib(pid)?;
        let mut waits = hold_waits(&server, &debates, waiters).await?;
        settle(pid).await?;
        let kib = (resident_kib(pid)? - before) / waiters as f64;
        recorder.add(aweave.name(), "memory of a held wait", waiters as u64, Unit::Kibibytes, kib);
        let start = Instant::now();
        for debate in &mut debates {
            debate.submit(&mut connection).await?;
        }
        for missing in (1..=waiters).rev() {
            let answered = timeout(TIMEOUT, waits.join_next()).await;
            let Ok(Some(seq)) = answered else { bail!("{missing} of {waiters} waits were not answered") };
            ensure!(seq?? == 2, "a wait was not answered with the new argument");
        }
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        recorder.add(aweave.name(), "until all are answered", waiters as u64, Unit::Milliseconds, milliseconds);
    }
    Ok(())
}

/// Creates debates.
pub async fn create_debates(connection: &mut Connection, count: usize) -> Result<Vec<Debate>> {
    let mut debates = Vec::new();
    for _ in 0..count {
        debates.push(Debate::create(connection, "A debate with many waiters").await?);
    }
    Ok(debates)
}

/// Sends waits, spread over the debates. Each task returns the `seq` of the argument in the response.
pub async fn hold_waits(server: &DebateServer, debates: &[Debate], count: usize) -> Result<JoinSet<Result<u64>>> {
    let mut waits = JoinSet::new();
    for debate in debates.iter().cycle().take(count) {
        let mut connection = Connection::open(server.address).await?;
        let path = debate.newest.wait_path(&debate.id);
        waits.spawn(async move { Ok(debate::data::<ArgumentData>(&connection.get(&path).await?)?.argument.seq) });
        // Lets the task send its request.
        tokio::task::yield_now().await;
    }
    Ok(waits)
}
