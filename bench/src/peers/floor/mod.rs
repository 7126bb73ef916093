//! The limits: `floor`, a program of this package that does only what cannot be left out.

mod bare;
mod http;

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    process::Command,
};

use anyhow::Result;
use async_trait::async_trait;
use bare::Bare;
use http::OverHttp;

use super::{Peer, Service, contract::Server, ours::Launch};
use crate::{process::Process, setup::Setup};

/// The limit of whoever puts something on disk.
pub struct Floor;

/// The limits of whoever stores turns of debates as the server does, in SQLite.
pub enum Turns {
    /// And does nothing else
    Bare,
    /// Over HTTP
    OverHttp,
    /// Over HTTP, with a thread for SQLite, so that others are answered meanwhile
    Handed,
}

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
impl Peer for Turns {
    fn name(&self) -> &'static str {
        match self {
            Self::Bare => "bare SQLite",
            Self::OverHttp => "SQLite over HTTP",
            Self::Handed => "SQLite on a thread, over HTTP",
        }
    }

    fn version(&self, setup: &Setup) -> Result<String, String> {
        Ok(format!("SQLite {}, {}", rusqlite::version(), Floor.version(setup)?))
    }

    async fn start(&self, setup: &Setup) -> Result<Box<dyn Service>> {
        // The server makes the database, so that its schema is no other.
        let Server { process, folder, .. } = Launch::new(setup).start().await?;
        process.stop().await?;
        let database = folder.path().join("debate.db");
        let how = match self {
            Self::Bare => ["bare", "sqlite"],
            Self::OverHttp => ["http", "sqlite"],
            Self::Handed => ["http", "handed"],
        };
        let (process, address) = run(how, &database, folder.path()).await?;
        Ok(match self {
            Self::Bare => Box::new(Bare::at(address, process, folder)),
            Self::OverHttp | Self::Handed => Box::new(OverHttp::at(address, process, folder)),
        })
    }
}

async fn run(how: [&str; 2], path: &Path, folder: &Path) -> Result<(Process, SocketAddr)> {
    let mut command = Command::new(Setup::beside("floor")?);
    let mut process = Process::start(command.args(how).arg(path), folder)?;
    let port = process.first_line().await?.parse()?;
    Ok((process, SocketAddr::from((Ipv4Addr::LOCALHOST, port))))
}
