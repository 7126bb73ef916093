//! Electric's durable streams: logs over HTTP, with long polls.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr, TcpStream},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

use anyhow::{Context, Result, ensure};
use async_trait::async_trait;
use hyper::{Method, StatusCode, body::Bytes};
use tempfile::TempDir;

use super::{Appender, MEDIA_TYPE, Peer, RECORD, Service, Waiter};
use crate::{
    http::{Connection, Reply},
    process::{Process, free_port},
    setup::Setup,
};

const BINARY: &str = "durable-streams-server";

/// Durable streams, in its durable mode, which is the default.
pub struct DurableStreams;

#[async_trait]
impl Peer for DurableStreams {
    fn name(&self) -> &'static str {
        "durable-streams"
    }

    fn version(&self, setup: &Setup) -> Result<String, String> {
        let binary = setup.find(BINARY).ok_or("cargo install durable-streams --version 0.1.5 --root bench/peers")?;
        // The program does not tell its version, but cargo notes what it installed.
        let noted = binary.parent().and_then(|bin| fs::read_to_string(bin.parent()?.join(".crates.toml")).ok());
        let version = noted.as_deref().and_then(|noted| noted.split_once("\"durable-streams ")?.1.split(' ').next());
        Ok(format!("durable-streams {}", version.unwrap_or("of unknown version")))
    }

    async fn start(&self, setup: &Setup) -> Result<Box<dyn Service>> {
        let folder = setup.folder()?;
        let port = free_port()?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut command = Command::new(setup.find(BINARY).context("durable-streams is gone")?);
        command.args(["--host", "127.0.0.1", "--port", &port.to_string(), "--long-poll-timeout-ms", "60000"]);
        command.arg("--data-dir").arg(folder.path().join("data"));
        let mut process = Process::start(&mut command, folder.path())?;
        process.until("a listening port", || TcpStream::connect(address).ok()).await?;
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
        let path = format!("/stream-{}", self.streams.fetch_add(1, Ordering::Relaxed));
        let mut connection = Connection::open(self.address).await?;
        let created = connection.send(Method::PUT, &path, MEDIA_TYPE, Bytes::new()).await?;
        let waiter =
            Reader { path: path.clone(), offset: offset(&created)?, connection: Connection::open(self.address).await? };
        Ok((Box::new(Writer { path, connection }), Box::new(waiter)))
    }
}

/// Where to read on.
fn offset(reply: &Reply) -> Result<String> {
    let offset = reply.headers.get("stream-next-offset").context("durable-streams tells where to read on")?;
    Ok(offset.to_str()?.to_owned())
}

struct Writer {
    path: String,
    connection: Connection,
}

#[async_trait]
impl Appender for Writer {
    async fn append(&mut self) -> Result<()> {
        self.connection.send(Method::POST, &self.path, MEDIA_TYPE, Bytes::from_static(&RECORD)).await?;
        Ok(())
    }
}

struct Reader {
    path: String,
    offset: String,
    connection: Connection,
}

#[async_trait]
impl Waiter for Reader {
    async fn wait(&mut self) -> Result<()> {
        let reply = self.connection.get(&format!("{}?offset={}&live=long-poll", self.path, self.offset)).await?;
        ensure!(reply.status == StatusCode::OK, "a long poll of durable-streams was answered {}", reply.status);
        self.offset = offset(&reply)?;
        Ok(())
    }
}
