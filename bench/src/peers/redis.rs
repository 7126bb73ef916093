//! Redis streams, with every append put on disk.

use std::{
    net::{Ipv4Addr, SocketAddr},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

use anyhow::{Context, Result, bail};
use async_trait::async_trait;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

use super::{Appender, Peer, RECORD, Service, Waiter};
use crate::{
    process::{Process, free_port},
    setup::Setup,
};

const BINARY: &str = "redis-server";

/// Redis streams.
pub struct Redis;

#[async_trait]
impl Peer for Redis {
    fn name(&self) -> &'static str {
        "Redis"
    }

    fn version(&self, setup: &Setup) -> Result<String, String> {
        let binary = setup.find(BINARY).ok_or("apt-get install redis-server (as root)")?;
        let said = setup.version_of(binary, &["--version"])?;
        Ok(said.split(" sha=").next().unwrap_or(&said).to_owned())
    }

    async fn start(&self, setup: &Setup) -> Result<Box<dyn Service>> {
        let folder = setup.folder()?;
        let port = free_port()?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut command = Command::new(setup.find(BINARY).context("redis-server is gone")?);
        command.args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--save", ""]);
        command.args(["--appendonly", "yes", "--appendfsync", "always", "--dir"]).arg(folder.path());
        let mut process = Process::start(&mut command, folder.path())?;
        process.until("a listening port", || std::net::TcpStream::connect(address).ok()).await?;
        Ok(Box::new(Running { _process: process, address, streams: AtomicU32::new(0), _folder: folder }))
    }
}

struct Running {
    _process: Process,
    address: SocketAddr,
    streams: AtomicU32,
    _folder: TempDir,
}

#[async_trait]
impl Service for Running {
    async fn open(&self) -> Result<(Box<dyn Appender>, Box<dyn Waiter>)> {
        let key = format!("stream-{}", self.streams.fetch_add(1, Ordering::Relaxed));
        let appending = Connection::open(self.address).await?;
        let waiting = Connection::open(self.address).await?;
        let waiter = Reader { key: key.clone(), seen: b"0-0".to_vec(), connection: waiting };
        Ok((Box::new(Writer { key, connection: appending }), Box::new(waiter)))
    }
}

struct Writer {
    key: String,
    connection: Connection,
}

#[async_trait]
impl Appender for Writer {
    async fn append(&mut self) -> Result<()> {
        self.connection.ask(&[b"XADD", self.key.as_bytes(), b"*", b"content", &RECORD]).await?;
        Ok(())
    }
}

struct Reader {
    key: String,
    seen: Vec<u8>,
    connection: Connection,
}

#[async_trait]
impl Waiter for Reader {
    async fn wait(&mut self) -> Result<()> {
        let words: &[&[u8]] = &[b"XREAD", b"BLOCK", b"0", b"STREAMS", self.key.as_bytes(), &self.seen];
        // Of each stream its name and entries, of each entry its id and fields, all strings in this order.
        let strings = self.connection.ask(words).await?;
        let [_key, id, ..] = &strings[..] else { bail!("Redis answered XREAD with {} strings", strings.len()) };
        self.seen.clone_from(id);
        Ok(())
    }
}

/// As much of Redis' protocol as is needed here.
struct Connection(BufReader<TcpStream>);

impl Connection {
    async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    /// Sends a command, and gives the strings in the answer, however they are nested.
    async fn ask(&mut self, words: &[&[u8]]) -> Result<Vec<Vec<u8>>> {
        let mut request = format!("*{}\r\n", words.len()).into_bytes();
        for word in words {
            request.extend(format!("${}\r\n", word.len()).bytes());
            request.extend(*word);
            request.extend(b"\r\n");
        }
        self.0.write_all(&request).await?;
        let (mut strings, mut expected) = (Vec::new(), 1_u64);
        while expected > 0 {
            expected -= 1;
            let mut line = String::new();
            self.0.read_line(&mut line).await?;
            let line = line.trim_end();
            match line.split_at_checked(1) {
                Some(("*", count)) => expected += count.parse::<u64>()?,
                Some(("$", length)) => {
                    let mut string = vec![0; length.parse::<usize>()? + b"\r\n".len()];
                    self.0.read_exact(&mut string).await?;
                    string.truncate(string.len() - b"\r\n".len());
                    strings.push(string);
                }
                _ => bail!("Redis answered {line}"),
            }
        }
        Ok(strings)
    }
}
