//! Over HTTP.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU32, Ordering},
};

use anyhow::{Context, Result};
use async_trait::async_trait;
use hyper::{Method, body::Bytes};
use tempfile::TempDir;

use crate::{
    http::Connection,
    peers::{Appender, MEDIA_TYPE, RECORD, Service, Waiter},
    process::Process,
};

/// One that runs; it ends when dropped.
pub struct OverHttp {
    address: SocketAddr,
    topics: AtomicU32,
    _process: Process,
    _folder: TempDir,
}

impl OverHttp {
    pub fn at(address: SocketAddr, process: Process, folder: TempDir) -> Self {
        Self { address, topics: AtomicU32::new(0), _process: process, _folder: folder }
    }
}

#[async_trait]
impl Service for OverHttp {
    async fn open(&self) -> Result<(Box<dyn Appender>, Box<dyn Waiter>)> {
        let path = format!("/{}", self.topics.fetch_add(1, Ordering::Relaxed));
        let (appending, waiting) = (Connection::open(self.address).await?, Connection::open(self.address).await?);
        Ok((
            Box::new(Writer { path: path.clone(), connection: appending }),
            Box::new(Reader { path, seen: 0, connection: waiting }),
        ))
    }
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
    seen: u64,
    connection: Connection,
}

#[async_trait]
impl Waiter for Reader {
    async fn wait(&mut self) -> Result<()> {
        let reply = self.connection.get(&format!("{}?{}", self.path, self.seen)).await?;
        let count = reply.headers.get("count").context("the floor tells how many appends there are")?;
        self.seen = count.to_str()?.parse()?;
        Ok(())
    }
}
