//! `lower_bound`, a program of this package that does only what no durable log with waiting readers can leave out.

use std::{
    net::{Ipv4Addr, SocketAddr},
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

use super::{Appender, Running, Subject, Waiter};
use crate::{debate::CONTENT_BYTES, environment::Environment, process::Process};

const RECORD: [u8; CONTENT_BYTES] = [b'x'; CONTENT_BYTES];

/// The lower bound; `src/bin/lower_bound.rs` describes its protocol.
pub struct LowerBound;

#[async_trait]
impl Subject for LowerBound {
    fn name(&self) -> &'static str {
        "lower bound"
    }

    fn version(&self, _: &Environment) -> Result<String, String> {
        Ok("a bare socket and fdatasync".to_owned())
    }

    async fn start(&self, environment: &Environment) -> Result<Box<dyn Running>> {
        let folder = environment.temporary_folder()?;
        let mut command = Command::new(Environment::own_binary("lower_bound")?);
        let mut process = Process::start(command.arg(folder.path().join("log")), folder.path())?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, process.first_line().await?.parse()?));
        Ok(Box::new(RunningLowerBound { _process: process, address, topics: AtomicU32::new(0), _folder: folder }))
    }
}

struct RunningLowerBound {
    _process: Process,
    address: SocketAddr,
    topics: AtomicU32,
    _folder: TempDir,
}

#[async_trait]
impl Running for RunningLowerBound {
    async fn create_log(&self) -> Result<(Box<dyn Appender>, Box<dyn Waiter>)> {
        let topic = self.topics.fetch_add(1, Ordering::Relaxed);
        let (appending, waiting) = (connect(self.address).await?, connect(self.address).await?);
        Ok((
            Box::new(LowerBoundAppender { topic, stream: appending }),
            Box::new(LowerBoundWaiter { topic, seen: 0, stream: waiting }),
        ))
    }
}

async fn connect(address: SocketAddr) -> Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

struct LowerBoundAppender {
    topic: u32,
    stream: TcpStream,
}

#[async_trait]
impl Appender for LowerBoundAppender {
    async fn append(&mut self) -> Result<()> {
        let mut request = vec![b'A'];
        request.extend(self.topic.to_le_bytes());
        request.extend(RECORD);
        self.stream.write_all(&request).await?;
        let response = self.stream.read_u8().await?;
        ensure!(response == b'K', "the lower bound answered {response}");
        Ok(())
    }
}

struct LowerBoundWaiter {
    topic: u32,
    seen: u64,
    stream: TcpStream,
}

#[async_trait]
impl Waiter for LowerBoundWaiter {
    async fn wait(&mut self) -> Result<()> {
        let mut request = vec![b'W'];
        request.extend(self.topic.to_le_bytes());
        request.extend(self.seen.to_le_bytes());
        self.stream.write_all(&request).await?;
        self.seen = self.stream.read_u64_le().await?;
        let mut record = [0; CONTENT_BYTES];
        self.stream.read_exact(&mut record).await?;
        ensure!(record == RECORD, "the lower bound passed on something else than was appended");
        Ok(())
    }
}
