//! What is measured side by side: each takes 1 KiB, puts it on disk, and wakes who waits for it.

pub mod contract;
mod durable_streams;
mod floor;
pub mod node;
pub mod ours;
mod redis;

use std::sync::Arc;

use anyhow::Result;
use async_trait::async_trait;

use crate::{debate::CONTENT_BYTES, setup::Setup};

/// Something that can be started, and measured.
#[async_trait]
pub trait Peer: Send + Sync {
    /// What it is called among the figures.
    fn name(&self) -> &'static str;

    /// Which version of it is here; where it is not, how to get it.
    fn version(&self, setup: &Setup) -> Result<String, String>;

    /// Whether it is a server of debates.
    fn debates(&self) -> bool {
        false
    }

    /// Starts it with nothing in it.
    async fn start(&self, setup: &Setup) -> Result<Box<dyn Service>>;
}

/// A peer that is running; it ends when dropped.
#[async_trait]
pub trait Service: Send + Sync {
    /// Opens one more log, and gives who appends to it and who waits for that.
    async fn open(&self) -> Result<(Box<dyn Appender>, Box<dyn Waiter>)>;
}

/// Who appends to a log.
#[async_trait]
pub trait Appender: Send {
    /// Appends 1 KiB, and returns once that is said to be on disk.
    async fn append(&mut self) -> Result<()>;

    /// Holds what is stored against what was acknowledged, where the peer can tell.
    async fn check(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Who waits for what is appended to a log.
#[async_trait]
pub trait Waiter: Send {
    /// Returns with what comes after all that was seen.
    async fn wait(&mut self) -> Result<()>;
}

/// What every append to a peer other than a server of debates carries.
const RECORD: [u8; CONTENT_BYTES] = [b'x'; CONTENT_BYTES];

/// What it is, over HTTP.
const MEDIA_TYPE: &str = "application/octet-stream";

/// All of them.
pub fn all() -> Vec<Arc<dyn Peer>> {
    vec![
        Arc::new(ours::OnSqlite),
        Arc::new(ours::OnPostgres),
        Arc::new(floor::Floor),
        Arc::new(floor::Turns::Bare),
        Arc::new(floor::Turns::OverHttp),
        Arc::new(floor::Turns::Handed),
        Arc::new(durable_streams::DurableStreams),
        Arc::new(redis::Redis),
        Arc::new(node::Node),
    ]
}
