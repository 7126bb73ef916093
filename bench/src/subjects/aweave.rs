//! `aweave-server`: the build that is measured and, with `--beside`, a former one; each on SQLite and on PostgreSQL.

use std::{
    env,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};
use async_trait::async_trait;
use tempfile::TempDir;

use super::{Running, Subject, debate_server::DebateServer};
use crate::{environment::Environment, process::Process};

/// Which binaries.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Build {
    /// The build that is measured
    Current,
    /// The build of `--beside`
    Former,
}

/// Which database.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// A file
    Sqlite,
    /// The PostgreSQL that the benchmark starts
    Postgres,
}

/// A build of the server on a database.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Aweave {
    /// Which binaries
    pub build: Build,
    /// Which database
    pub store: Store,
}

/// Every build on every database.
pub const ALL: [Aweave; 4] = [
    Aweave { build: Build::Current, store: Store::Sqlite },
    Aweave { build: Build::Current, store: Store::Postgres },
    Aweave { build: Build::Former, store: Store::Sqlite },
    Aweave { build: Build::Former, store: Store::Postgres },
];

/// The name of the current build on SQLite, with which all others are compared.
pub const SQLITE: &str = "ours on SQLite";

/// The name of the current build on PostgreSQL.
pub const POSTGRES: &str = "ours on PostgreSQL";

/// The names of a current and a former build that are compared.
pub const COMPARED: [(&str, &str); 3] =
    [(SQLITE, "former on SQLite"), (POSTGRES, "former on PostgreSQL"), ("aw", "former aw")];

#[async_trait]
impl Subject for Aweave {
    fn name(&self) -> &'static str {
        let [(sqlite, former_sqlite), (postgres, former_postgres), _] = COMPARED;
        match (self.build, self.store) {
            (Build::Current, Store::Sqlite) => sqlite,
            (Build::Current, Store::Postgres) => postgres,
            (Build::Former, Store::Sqlite) => former_sqlite,
            (Build::Former, Store::Postgres) => former_postgres,
        }
    }

    fn version(&self, environment: &Environment) -> Result<String, String> {
        let server = environment.version_of(environment.binary(self.build, "aweave-server"), &["--version"])?;
        match self.store {
            Store::Sqlite => Ok(server),
            Store::Postgres => Ok(format!("{server}, {}", environment.postgres_version()?)),
        }
    }

    fn is_debate_server(&self) -> bool {
        true
    }

    async fn start(&self, environment: &Environment) -> Result<Box<dyn Running>> {
        Ok(Box::new(Launch::new(environment, *self).start().await?))
    }
}

/// How a server is started; by default on an empty database and a free port.
pub struct Launch<'a> {
    environment: &'a Environment,
    aweave: Aweave,
    database_url: Option<String>,
    log_filter: Option<&'a str>,
    strace_output: Option<&'a Path>,
    port: u16,
}

impl<'a> Launch<'a> {
    /// With default settings.
    pub fn new(environment: &'a Environment, aweave: Aweave) -> Self {
        Self { environment, aweave, database_url: None, log_filter: None, strace_output: None, port: 0 }
    }

    /// On an existing database.
    #[must_use]
    pub fn database_url(self, url: &str) -> Self {
        Self { database_url: Some(url.to_owned()), ..self }
    }

    /// With this value of `RUST_LOG`.
    #[must_use]
    pub fn log_filter(self, log_filter: &'a str) -> Self {
        Self { log_filter: Some(log_filter), ..self }
    }

    /// Under strace, which writes each `fdatasync` and `fsync` to this file.
    #[must_use]
    pub fn strace_output(self, path: &'a Path) -> Self {
        Self { strace_output: Some(path), ..self }
    }

    /// On this port.
    #[must_use]
    pub fn port(self, port: u16) -> Self {
        Self { port, ..self }
    }

    /// Starts the server and waits until it listens.
    pub async fn start(self) -> Result<DebateServer> {
        let (mut process, folder) = self.spawn()?;
        let line = process.first_line().await?;
        let address =
            line.strip_prefix("listening on http://").with_context(|| format!("the server printed {line}"))?;
        let address: SocketAddr = address.parse()?;
        Ok(DebateServer { process, address, folder })
    }

    /// Starts the server without waiting. Its files are in the folder.
    pub fn spawn(self) -> Result<(Process, TempDir)> {
        let folder = self.environment.temporary_folder()?;
        let server = self.environment.binary(self.aweave.build, "aweave-server");
        let mut command = match self.strace_output {
            // With -D the server stays a child of this process.
            Some(output) => {
                let mut command = Command::new("strace");
                command.args(["-D", "-f", "-qq", "-e", "trace=fdatasync,fsync", "-o"]).arg(output).arg(server);
                command
            }
            None => Command::new(server),
        };
        let database_url = match (self.database_url, self.aweave.store) {
            (Some(url), _) => url,
            (None, Store::Sqlite) => sqlite_url(folder.path().join("debate.db")),
            (None, Store::Postgres) => self.environment.postgres_database(None)?,
        };
        let path = env::var_os("PATH").unwrap_or_default();
        command.env_clear().env("PATH", path).env("HOME", folder.path()).current_dir(folder.path());
        command.env("DEBATE_SERVER_PORT", self.port.to_string()).env("DATABASE_URL", database_url);
        command.envs(self.log_filter.map(|filter| ("RUST_LOG", filter)));
        Ok((Process::start(&mut command, folder.path())?, folder))
    }
}

/// The URL of a SQLite file.
pub fn sqlite_url(file: PathBuf) -> String {
    format!("sqlite:{}", file.display())
}
