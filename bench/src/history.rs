//! Databases with histories of several lengths, filled through the contract before anything is measured.

use std::{
    fs::{self, File},
    io,
    ops::Range,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Result, ensure};
use serde::Deserialize;
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::{
    debate::{self, Debate},
    http::Connection,
    peers::{Peer, contract::Server, node, ours::Launch},
    process::Process,
    progress::tell,
    setup::Setup,
};

/// How many debates there are, and how many arguments in the one that is long.
pub const LENGTHS: [u64; 4] = [100, 1_000, 10_000, 100_000];

/// What stands in the titles of every other one of the oldest hundred debates, and nowhere else.
pub const RARE: &str = "qzx";

/// How many titles that is.
pub const RARE_HITS: u64 = 50;

/// Connections that fill at once.
const FILLING: u64 = 64;

/// How long the copying of a database may take.
const PATIENCE: Duration = Duration::from_secs(1_800);

/// The databases; they are gone when dropped.
pub struct Histories {
    /// The shortest first
    pub ours: Vec<History>,
    /// The Node peer's longest, where there is that peer
    pub node: Option<PathBuf>,
    _folder: TempDir,
}

/// A database of this server's, once on each store.
pub struct History {
    /// How many debates, and how many arguments in the long one
    pub length: u64,
    /// The URL of the SQLite file
    pub sqlite: String,
    /// The URL on PostgreSQL, where there is one
    pub postgres: Option<String>,
    /// The id of the long debate
    pub long: String,
}

impl History {
    /// Reads the SQLite file once, so that the system has it in memory: it may have let go of what nobody touched of late,
    /// and how long a history is says nothing of where it lies.
    pub fn read_through(&self) -> io::Result<()> {
        let file = self.sqlite.strip_prefix("sqlite:").unwrap_or(&self.sqlite);
        io::copy(&mut File::open(file)?, &mut io::sink()).map(drop)
    }
}

/// How many arguments a history of that length has: a motion in each debate, an answer in every other, and the long one's.
pub fn arguments(length: u64) -> u64 {
    length + length / 2 + length
}

impl Histories {
    /// Fills them.
    pub async fn fill(setup: &Setup) -> Result<Self> {
        let kept = setup.folder()?;
        let filled = filling_folder(setup)?;
        let file = filled.path().join("debate.db");
        let (mut ours, mut before, mut long) = (Vec::new(), 0, None::<String>);
        for length in LENGTHS {
            tell(format_args!("filling a history of {length}"));
            let server = Launch::new(setup).on(&url(&file)).start().await?;
            let mut connection = Connection::open(server.address).await?;
            let long_debate = match long.take() {
                Some(id) => Debate::find(&mut connection, &id).await?,
                None => Debate::create(&mut connection, "The long debate").await?,
            };
            let (_, debate) =
                tokio::try_join!(fill(&server, before..length, true), go_on(long_debate, connection, length))?;
            server.process.stop().await?;
            let copy = kept.path().join(length.to_string());
            copy_folder(filled.path(), &copy)?;
            let sqlite = url(&copy.join("debate.db"));
            let postgres =
                if setup.postgres_version().is_ok() { Some(on_postgres(setup, &sqlite).await?) } else { None };
            ours.push(History { length, sqlite, postgres, long: debate.id.clone() });
            (before, long) = (length, Some(debate.id));
        }
        drop(filled);
        let node = if node::Node.version(setup).is_ok() { Some(nodes(setup, kept.path()).await?) } else { None };
        Ok(Self { ours, node, _folder: kept })
    }
}

/// In memory where the machine has a folder there: filling need not wait for the disk, only what is measured has to.
fn filling_folder(setup: &Setup) -> Result<TempDir> {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { Ok(TempDir::with_prefix_in("aweave-bench-", memory)?) } else { setup.folder() }
}

fn url(file: &Path) -> String {
    format!("sqlite:{}", file.display())
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for file in fs::read_dir(from)? {
        let file = file?;
        fs::copy(file.path(), to.join(file.file_name()))?;
    }
    Ok(())
}

/// Opens the debates of these numbers, and answers every other one.
async fn fill(server: &Server, numbers: Range<u64>, answered: bool) -> Result<()> {
    let mut filling = JoinSet::new();
    for first in numbers.start..(numbers.start + FILLING).min(numbers.end) {
        let mut connection = Connection::open(server.address).await?;
        let numbers = (first..numbers.end).step_by(FILLING as usize);
        filling.spawn(async move {
            for number in numbers {
                let what = if number < 2 * RARE_HITS && number % 2 == 0 { RARE } else { "price" };
                let title = format!("Plan {number}: cache the {what} list");
                let mut debate = Debate::create(&mut connection, &title).await?;
                if answered && number % 2 == 1 {
                    debate.claim(&mut connection).await?;
                }
            }
            anyhow::Ok(())
        });
    }
    while let Some(filled) = filling.join_next().await {
        filled??;
    }
    Ok(())
}

/// Lets the debate go on until it has so many arguments.
async fn go_on(mut debate: Debate, mut connection: Connection, length: u64) -> Result<Debate> {
    while debate.newest.seq < length {
        debate.claim(&mut connection).await?;
    }
    Ok(debate)
}

/// Has the server copy a database to PostgreSQL.
async fn on_postgres(setup: &Setup, sqlite: &str) -> Result<String> {
    let folder = setup.folder()?;
    let url = setup.postgres_database()?;
    let mut command = Command::new(setup.server());
    command.args(["copy", "--from", sqlite, "--to", &url]).env("HOME", folder.path());
    Process::start(&mut command, folder.path())?.done(PATIENCE).await?;
    setup.postgres_analyze(&url)?;
    Ok(url)
}

/// The Node peer's database of the greatest length.
async fn nodes(setup: &Setup, kept: &Path) -> Result<PathBuf> {
    let length = LENGTHS[LENGTHS.len() - 1];
    tell(format_args!("filling the Node peer's history of {length}"));
    let filled = filling_folder(setup)?;
    let server = node::start(setup, &filled.path().join("debate.db"), setup.folder()?).await?;
    fill(&server, 0..length, false).await?;
    let mut connection = Connection::open(server.address).await?;
    #[derive(Deserialize)]
    struct Total {
        total: u64,
    }
    let total: Total = debate::data(&connection.get("/debates?limit=1").await?)?;
    ensure!(total.total == length, "the Node peer has {} debates", total.total);
    server.process.stop().await?;
    let copy = kept.join("node");
    copy_folder(filled.path(), &copy)?;
    Ok(copy.join("debate.db"))
}
