//! The limits: `floor`, a program of this package that does only what cannot be left out.

mod bare;
mod http;

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Result;
use async_trait::async_trait;
use bare::Bare;
use http::OverHttp;
use tempfile::TempDir;

use super::{Peer, Service, contract::Server, ours::Launch};
use crate::{process::Process, setup::Setup};

/// The limit of whoever puts something on disk.
pub struct Floor;

/// The limit of whoever stores turns of debates as the server does, in SQLite.
pub struct BareSqlite;

/// The limit of whoever does so over HTTP.
pub struct SqliteOverHttp;

#[async_trait]
impl Peer for Floor {
    fn name(&self) -> &'static str {
        "floor"
    }

    fn version(&self, _: &Setup) -> Result<String, String> {
        Ok(concat!("floor ", env!("CARGO_PKG_VERSION")).to_owned())
    }

    async fn start(&self, setup: &Setup) -> Result<Box<dyn Service>> {
        let folder = setup.folder()?;
        let log = folder.path().join("log");
        let (process, address) = run(["bare", "file"], &log, folder.path()).await?;
        Ok(Box::new(Bare::at(address, process, folder)))
    }
}

#[async_trait]
impl Peer for BareSqlite {
    fn name(&self) -> &'static str {
        "bare SQLite"
    }

    fn version(&self, setup: &Setup) -> Result<String, String> {
        Ok(format!("SQLite {}, {}", rusqlite::version(), Floor.version(setup)?))
    }

    async fn start(&self, setup: &Setup) -> Result<Box<dyn Service>> {
        let (database, folder) = database(setup).await?;
        let (process, address) = run(["bare", "sqlite"], &database, folder.path()).await?;
        Ok(Box::new(Bare::at(address, process, folder)))
    }
}

#[async_trait]
impl Peer for SqliteOverHttp {
    fn name(&self) -> &'static str {
        "SQLite over HTTP"
    }

    fn version(&self, setup: &Setup) -> Result<String, String> {
        BareSqlite.version(setup)
    }

    async fn start(&self, setup: &Setup) -> Result<Box<dyn Service>> {
        let (database, folder) = database(setup).await?;
        let (process, address) = run(["http", "sqlite"], &database, folder.path()).await?;
        Ok(Box::new(OverHttp::at(address, process, folder)))
    }
}

/// A database that the server makes, so that its schema is no other.
async fn database(setup: &Setup) -> Result<(PathBuf, TempDir)> {
    let Server { process, folder, .. } = Launch::new(setup).start().await?;
    process.stop().await?;
    Ok((folder.path().join("debate.db"), folder))
}

async fn run(how: [&str; 2], path: &Path, folder: &Path) -> Result<(Process, SocketAddr)> {
    let mut command = Command::new(Setup::beside("floor")?);
    let mut process = Process::start(command.args(how).arg(path), folder)?;
    let port = process.first_line().await?.parse()?;
    Ok((process, SocketAddr::from((Ipv4Addr::LOCALHOST, port))))
}
