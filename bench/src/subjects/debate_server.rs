//! A running server that implements the API of debates: `aweave-server` or the Node peer.

use std::net::SocketAddr;

use anyhow::Result;
use async_trait::async_trait;
use tempfile::TempDir;

use super::{Appender, Running, Waiter};
use crate::{
    debate::{self, Argument, ArgumentData, Debate},
    http_client::Connection,
    process::Process,
};

/// A running server.
pub struct DebateServer {
    /// Its process. Declared before the folder, since it has to end before its folder is removed.
    pub process: Process,
    /// The address that it listens on
    pub address: SocketAddr,
    /// The folder of its files
    pub folder: TempDir,
}

#[async_trait]
impl Running for DebateServer {
    async fn create_log(&self) -> Result<(Box<dyn Appender>, Box<dyn Waiter>)> {
        let mut connection = Connection::open(self.address).await?;
        let debate = Debate::create(&mut connection, "A debate under load").await?;
        let waiter = DebateWaiter {
            debate_id: debate.id.clone(),
            seen: debate.newest.clone(),
            connection: Connection::open(self.address).await?,
        };
        Ok((Box::new(DebateAppender { debate, connection }), Box::new(waiter)))
    }
}

/// Submits as proposer and opponent in turn.
struct DebateAppender {
    debate: Debate,
    connection: Connection,
}

#[async_trait]
impl Appender for DebateAppender {
    async fn append(&mut self) -> Result<()> {
        self.debate.submit(&mut self.connection).await
    }

    async fn check(&mut self) -> Result<()> {
        self.debate.check(&mut self.connection).await
    }
}

/// Waits as the author of the newest argument that it has seen.
struct DebateWaiter {
    debate_id: String,
    seen: Argument,
    connection: Connection,
}

#[async_trait]
impl Waiter for DebateWaiter {
    async fn wait(&mut self) -> Result<()> {
        let response = self.connection.get(&self.seen.wait_path(&self.debate_id)).await?;
        self.seen = debate::data::<ArgumentData>(&response)?.argument;
        Ok(())
    }
}
