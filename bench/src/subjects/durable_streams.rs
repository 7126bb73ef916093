//! Electric's durable streams: logs over HTTP with long polls.

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

use super::{Appender, Running, Subject, Waiter};
use crate::{
    debate::CONTENT_BYTES,
    environment::Environment,
    http_client::{Connection, Response},
    process::{Process, free_port},
};

const BINARY: &str = "durable-streams-server";
const MEDIA_TYPE: &str = "application/octet-stream";
const RECORD: [u8; CONTENT_BYTES] = [b'x'; CONTENT_BYTES];

/// Durable streams, in its durable mode, which is the default.
pub struct DurableStreams;

#[async_trait]
impl Subject for DurableStreams {
    fn name(&self) -> &'static str {
        "durable-streams"
    }

    fn version(&self, environment: &Environment) -> Result<String, String> {
        let binary =
            environment.find(BINARY).ok_or("cargo install durable-streams --version 0.1.5 --root bench/peers")?;
        // The program has no --version, but cargo keeps a list of what it installed.
        let list = binary.parent().and_then(|bin| fs::read_to_string(bin.parent()?.join(".crates.toml")).ok());
        let version = list.as_deref().and_then(|list| list.split_once("\"durable-streams ")?.1.split(' ').next());
        Ok(format!("durable-streams {}", version.unwrap_or("of unknown version")))
    }

    async fn start(&self, environment: &Environment) -> Result<Box<dyn Running>> {
        let folder = environment.temporary_folder()?;
        let port = free_port()?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut command = Command::new(environment.find(BINARY).context("durable-streams is not installed")?);
        command.args(["--host", "127.0.0.1", "--port", &port.to_string(), "--long-poll-timeout-ms", "60000"]);
        command.arg("--data-dir").arg(folder.path().join("data"));
        let mut process = Process::start(&mut command, folder.path())?;
        process.until("a listening port", || TcpStream::connect(address).ok()).await?;
        Ok(Box::new(RunningStreams { _process: process, address, streams: AtomicU32::new(0), _folder: folder }))
    }
}

struct RunningStreams {
    _process: Process,
    address: SocketAddr,
    streams: AtomicU32,
    _folder: TempDir,
}

#[async_trait]
impl Running for RunningStreams {
    async fn create_log(&self) -> Result<(Box<dyn Appender>, Box<dyn Waiter>)> {
        let path = format!("/stream-{}", self.streams.fetch_add(1, Ordering::Relaxed));
        let mut connection = Connection::open(self.address).await?;
        let created = connection.send(Method::PUT, &path, MEDIA_TYPE, Bytes::new()).await?;
        let waiter = StreamWaiter {
            path: path.clone(),
            offset: next_offset(&created)?,
            connection: Connection::open(self.address).await?,
        };
        Ok((Box::new(StreamAppender { path, connection }), Box::new(waiter)))
    }
}

fn next_offset(response: &Response) -> Result<String> {
    let offset =
        response.headers.get("stream-next-offset").context("durable-streams sent no offset to read on from")?;
    Ok(offset.to_str()?.to_owned())
}

struct StreamAppender {
    path: String,
    connection: Connection,
}

#[async_trait]
impl Appender for StreamAppender {
    async fn append(&mut self) -> Result<()> {
        self.connection.send(Method::POST, &self.path, MEDIA_TYPE, Bytes::from_static(&RECORD)).await?;
        Ok(())
    }
}

struct StreamWaiter {
    path: String,
    offset: String,
    connection: Connection,
}

#[async_trait]
impl Waiter for StreamWaiter {
    async fn wait(&mut self) -> Result<()> {
        let response = self.connection.get(&format!("{}?offset={}&live=long-poll", self.path, self.offset)).await?;
        ensure!(response.status == StatusCode::OK, "a long poll of durable-streams was answered {}", response.status);
        self.offset = next_offset(&response)?;
        Ok(())
    }
}
