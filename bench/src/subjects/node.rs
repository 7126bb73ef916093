//! The original design of the server, in Node.js, as durable as this one.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpStream},
    path::Path,
    process::Command,
};

use anyhow::Result;
use async_trait::async_trait;
use tempfile::TempDir;

use super::{Peer, Service, contract::Server};
use crate::{
    process::{Process, free_port},
    setup::Setup,
};

/// The original design.
pub struct Node;

#[async_trait]
impl Peer for Node {
    fn name(&self) -> &'static str {
        "Node peer"
    }

    fn version(&self, setup: &Setup) -> Result<String, String> {
        let folder = setup.peer("peer-node");
        if !folder.join("node_modules").exists() {
            return Err("put the Node peer into bench/peers/peer-node, and run npm ci there".to_owned());
        }
        let node = setup.version_of("node", &["--version"]).map_err(|_| "install Node.js".to_owned())?;
        Ok(format!("Node {node}, better-sqlite3, synchronous=FULL"))
    }

    fn debates(&self) -> bool {
        true
    }

    async fn start(&self, setup: &Setup) -> Result<Box<dyn Service>> {
        let folder = setup.folder()?;
        let database = folder.path().join("debate.db");
        Ok(Box::new(start(setup, &database, folder).await?))
    }
}

/// Starts it on a database.
pub async fn start(setup: &Setup, database: &Path, folder: TempDir) -> Result<Server> {
    let port = free_port()?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut command = Command::new("node");
    command.arg("src/index.js").current_dir(setup.peer("peer-node")).env("NODE_ENV", "production");
    command.env("DEBATE_SERVER_PORT", port.to_string()).env("DEBATE_DB_PATH", database);
    command.env("DEBATE_SQLITE_SYNCHRONOUS", "FULL");
    let mut process = Process::start(&mut command, folder.path())?;
    process.until("a listening port", || TcpStream::connect(address).ok()).await?;
    Ok(Server { process, address, folder })
}
