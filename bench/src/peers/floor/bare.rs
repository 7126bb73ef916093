//! Over its few bytes.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU32, Ordering},
};

use anyhow::{Result, ensure};
use async_trait::async_trait;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    peers::{Appender, RECORD, Service, Waiter},
    process::Process,
};

/// One that runs; it ends when dropped.
pub struct Bare {
    address: SocketAddr,
    topics: AtomicU32,
    _process: Process,
    _folder: TempDir,
}

impl Bare {
    pub fn at(address: SocketAddr, process: Process, folder: TempDir) -> Self {
        Self { address, topics: AtomicU32::new(0), _process: process, _folder: folder }
    }
}

#[async_trait]
impl Service for Bare {
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
