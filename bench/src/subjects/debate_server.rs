//! A server that speaks the contract of debates, whoever wrote it.

use std::net::SocketAddr;

use anyhow::Result;
use async_trait::async_trait;
use tempfile::TempDir;

use super::{Appender, Service, Waiter};
use crate::{
    debate::{self, Argument, Debate, Told},
    http::Connection,
    process::Process,
};

/// A running server.
pub struct Server {
    /// Its process; before the folder, as it has to end first
    pub process: Process,
    /// Where it listens
    pub address: SocketAddr,
    /// What it keeps
    pub folder: TempDir,
}

#[async_trait]
impl Service for Server {
    async fn open(&self) -> Result<(Box<dyn Appender>, Box<dyn Waiter>)> {
        let mut connection = Connection::open(self.address).await?;
        let debate = Debate::create(&mut connection, "A debate under load").await?;
        let waiter = Listener {
            debate: debate.id.clone(),
            seen: debate.newest.clone(),
            connection: Connection::open(self.address).await?,
        };
        Ok((Box::new(Speaker { debate, connection }), Box::new(waiter)))
    }
}

/// Both sides of a debate in turn.
struct Speaker {
    debate: Debate,
    connection: Connection,
}

#[async_trait]
impl Appender for Speaker {
    async fn append(&mut self) -> Result<()> {
        self.debate.claim(&mut self.connection).await
    }

    async fn check(&mut self) -> Result<()> {
        self.debate.check(&mut self.connection).await
    }
}

/// The author of what was seen last, who waits for the answer.
struct Listener {
    debate: String,
    seen: Argument,
    connection: Connection,
}

#[async_trait]
impl Waiter for Listener {
    async fn wait(&mut self) -> Result<()> {
        let told: Told = debate::data(&self.connection.get(&self.seen.wait_path(&self.debate)).await?)?;
        self.seen = told.argument;
        Ok(())
    }
}
