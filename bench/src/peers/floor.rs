//! The limits: `floor`, a program of this package that does only what cannot be left out.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

use anyhow::{Result, ensure};
use async_trait::async_trait;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{Appender, Peer, RECORD, Service, Waiter, contract::Server, ours::Launch};
use crate::{process::Process, setup::Setup};

/// The limit of whoever puts something on disk.
pub struct Floor;

/// The limit of whoever stores turns of debates as the server does, in SQLite.
pub struct BareSqlite;

#[async_trait]
impl Peer for Floor {
    fn name(&self) -> &'static str {
        "floor"
    }

    fn version(&self, _: &Setup) -> Result<String, String> {
        Ok(concat!("floor ", env!("CARGO_PKG_VERSION")).to_owned())
    }

    async fn start(&self, setup: &Setup) -> Result<Box<dyn Service>> {
        let folder = setup.folder()?;
        let log = folder.path().join("log");
        run("file", &log, folder).await
    }
}

#[async_trait]
impl Peer for BareSqlite {
    fn name(&self) -> &'static str {
        "bare SQLite"
    }

    fn version(&self, setup: &Setup) -> Result<String, String> {
        Ok(format!("SQLite {}, {}", rusqlite::version(), Floor.version(setup)?))
    }

    async fn start(&self, setup: &Setup) -> Result<Box<dyn Service>> {
        // The server makes the database, so that its schema is no other.
        let Server { process, folder, .. } = Launch::new(setup).start().await?;
        process.stop().await?;
        let database = folder.path().join("debate.db");
        run("sqlite", &database, folder).await
    }
}

async fn run(kind: &str, path: &Path, folder: TempDir) -> Result<Box<dyn Service>> {
    let mut command = Command::new(Setup::beside("floor")?);
    let mut process = Process::start(command.arg(kind).arg(path), folder.path())?;
    let port = process.first_line().await?.parse()?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    Ok(Box::new(Running { _process: process, address, topics: AtomicU32::new(0), _folder: folder }))
}

struct Running {
    _process: Process,
    address: SocketAddr,
    topics: AtomicU32,
    _folder: TempDir,
}

#[async_trait]
impl Service for Running {
    async fn open(&self) -> Result<(Box<dyn Appender>, Box<dyn Waiter>)> {
        let topic = self.topics.fetch_add(1, Ordering::Relaxed);
        let appending = connect(self.address).await?;
        let waiting = connect(self.address).await?;
        Ok((Box::new(Writer { topic, stream: appending }), Box::new(Reader { topic, seen: 0, stream: waiting })))
    }
}

async fn connect(address: SocketAddr) -> Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

struct Writer {
    topic: u32,
    stream: TcpStream,
}

#[async_trait]
impl Appender for Writer {
    async fn append(&mut self) -> Result<()> {
        let mut request = vec![b'A'];
        request.extend(self.topic.to_le_bytes());
        request.extend(RECORD);
        self.stream.write_all(&request).await?;
        let answer = self.stream.read_u8().await?;
        ensure!(answer == b'K', "the floor answered {answer}");
        Ok(())
    }
}

struct Reader {
    topic: u32,
    seen: u64,
    stream: TcpStream,
}

#[async_trait]
impl Waiter for Reader {
    async fn wait(&mut self) -> Result<()> {
        let mut request = vec![b'W'];
        request.extend(self.topic.to_le_bytes());
        request.extend(self.seen.to_le_bytes());
        self.stream.write_all(&request).await?;
        self.seen = self.stream.read_u64_le().await?;
        let mut record = RECORD;
        self.stream.read_exact(&mut record).await?;
        ensure!(record == RECORD, "the floor passed on something else than was appended");
        Ok(())
    }
}
