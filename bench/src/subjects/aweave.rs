//! This server, on either store.

use std::{env, net::SocketAddr, path::Path, process::Command};

use anyhow::{Context, Result};
use async_trait::async_trait;
use tempfile::TempDir;

use super::{Peer, Service, contract::Server};
use crate::{process::Process, setup::Setup};

/// This server on SQLite.
pub struct OnSqlite;

/// This server on PostgreSQL.
pub struct OnPostgres;

#[async_trait]
impl Peer for OnSqlite {
    fn name(&self) -> &'static str {
        "ours on SQLite"
    }

    fn version(&self, setup: &Setup) -> Result<String, String> {
        setup.server_version()
    }

    fn debates(&self) -> bool {
        true
    }

    async fn start(&self, setup: &Setup) -> Result<Box<dyn Service>> {
        Ok(Box::new(Launch::new(setup).start().await?))
    }
}

#[async_trait]
impl Peer for OnPostgres {
    fn name(&self) -> &'static str {
        "ours on PostgreSQL"
    }

    fn version(&self, setup: &Setup) -> Result<String, String> {
        Ok(format!("{}, {}", setup.server_version()?, setup.postgres_version()?))
    }

    fn debates(&self) -> bool {
        true
    }

    async fn start(&self, setup: &Setup) -> Result<Box<dyn Service>> {
        Ok(Box::new(Launch::new(setup).on(&setup.postgres_database()?).start().await?))
    }
}

/// How this server is to be started: on an empty SQLite file unless told otherwise.
pub struct Launch<'a> {
    setup: &'a Setup,
    database: Option<String>,
    log: Option<&'a str>,
    trace: Option<&'a Path>,
    port: u16,
}

impl<'a> Launch<'a> {
    /// With as few settings as possible.
    pub fn new(setup: &'a Setup) -> Self {
        Self { setup, database: None, log: None, trace: None, port: 0 }
    }

    /// On a database, by its URL.
    #[must_use]
    pub fn on(self, database: &str) -> Self {
        Self { database: Some(database.to_owned()), ..self }
    }

    /// Logging more than usual.
    #[must_use]
    pub fn logging(self, log: &'a str) -> Self {
        Self { log: Some(log), ..self }
    }

    /// With each time that it has something put on disk noted in a file, by strace.
    #[must_use]
    pub fn traced(self, trace: &'a Path) -> Self {
        Self { trace: Some(trace), ..self }
    }

    /// On a port that is known beforehand.
    #[must_use]
    pub fn port(self, port: u16) -> Self {
        Self { port, ..self }
    }

    /// Starts it, and waits until it listens.
    pub async fn start(self) -> Result<Server> {
        let (mut process, folder) = self.spawn()?;
        let line = process.first_line().await?;
        let address =
            line.strip_prefix("listening on http://").with_context(|| format!("the server printed {line}"))?;
        let address: SocketAddr = address.parse()?;
        Ok(Server { process, address, folder })
    }

    /// Starts it, and waits for nothing.
    pub fn spawn(self) -> Result<(Process, TempDir)> {
        let folder = self.setup.folder()?;
        let server = self.setup.server();
        let mut command = match self.trace {
            // Traced from a distance (-D), so that the server is a child of this process like any other.
            Some(trace) => {
                let mut command = Command::new("strace");
                command.args(["-D", "-f", "-qq", "-e", "trace=fdatasync,fsync", "-o"]).arg(trace).arg(server);
                command
            }
            None => Command::new(server),
        };
        let database = self.database.unwrap_or_else(|| format!("sqlite:{}", folder.path().join("debate.db").display()));
        let path = env::var_os("PATH").unwrap_or_default();
        command.env_clear().env("PATH", path).env("HOME", folder.path()).current_dir(folder.path());
        command.env("DEBATE_SERVER_PORT", self.port.to_string()).env("DATABASE_URL", database);
        command.envs(self.log.map(|log| ("RUST_LOG", log)));
        Ok((Process::start(&mut command, folder.path())?, folder))
    }
}
