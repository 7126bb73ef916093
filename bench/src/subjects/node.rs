//! The Node peer: the original design of the server in Node.js, set to be as durable as this one.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpStream},
    path::Path,
    process::Command,
};

use anyhow::Result;
use async_trait::async_trait;
use tempfile::TempDir;

use super::{Running, Subject, debate_server::DebateServer};
use crate::{
    environment::Environment,
    process::{Process, free_port},
};

/// The Node peer's name in the results.
pub const NAME: &str = "Node peer";

/// The Node peer.
pub struct Node;

#[async_trait]
impl Subject for Node {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self, environment: &Environment) -> Result<String, String> {
        let folder = environment.peer("peer-node");
        if !folder.join("node_modules").exists() {
            return Err("put the Node peer into bench/peers/peer-node, and run npm ci there".to_owned());
        }
        let node = environment.version_of("node", &["--version"]).map_err(|_| "install Node.js".to_owned())?;
        Ok(format!("Node {node}, better-sqlite3, synchronous=FULL"))
    }

    fn is_debate_server(&self) -> bool {
        true
    }

    async fn start(&self, environment: &Environment) -> Result<Box<dyn Running>> {
        let folder = environment.temporary_folder()?;
        let database = folder.path().join("debate.db");
        Ok(Box::new(start(environment, &database, folder).await?))
    }
}

/// Starts it on a database file, which is created if missing.
pub async fn start(environment: &Environment, database: &Path, folder: TempDir) -> Result<DebateServer> {
    let port = free_port()?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut command = Command::new("node");
    command.arg("src/index.js").current_dir(environment.peer("peer-node")).env("NODE_ENV", "production");
    command.env("DEBATE_SERVER_PORT", port.to_string()).env("DEBATE_DB_PATH", database);
    command.env("DEBATE_SQLITE_SYNCHRONOUS", "FULL");
    let mut process = Process::start(&mut command, folder.path())?;
    process.until("a listening port", || TcpStream::connect(address).ok()).await?;
    Ok(DebateServer { process, address, folder })
}
