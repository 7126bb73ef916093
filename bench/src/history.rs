//! Databases with histories of several lengths, filled through the API before anything is measured.

use std::{
    fs::{self, File},
    io,
    ops::Range,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::{
    debate::{self, Debate},
    environment::Environment,
    http_client::Connection,
    process::Process,
    progress::report,
    subjects::{
        Subject,
        aweave::{ALL, Aweave, Build, Launch, Store, sqlite_url},
        debate_server::DebateServer,
        node,
    },
};

/// The number of debates, and of arguments in the long debate.
pub const LENGTHS: [u64; 3] = [100, 10_000, 100_000];

/// A word in the titles of every other of the first hundred debates, and in no other title.
pub const SEARCHED: &str = "qzx";

/// How many titles contain [`SEARCHED`].
pub const SEARCH_HITS: u64 = 50;

/// How many connections fill a database.
const CONNECTIONS: u64 = 64;

/// How long copying a database to PostgreSQL may take.
const COPY_TIMEOUT: Duration = Duration::from_secs(1_800);

/// The databases; dropping them removes the files.
pub struct Histories {
    /// The histories of `aweave-server`, the shortest first
    pub aweave: Vec<History>,
    /// The Node peer's database of the greatest length, if the Node peer is installed
    pub node: Option<PathBuf>,
    _folder: TempDir,
}

/// One history, as a database for each build on each store.
pub struct History {
    /// The number of debates, and of arguments in the long debate
    pub length: u64,
    /// The id of the long debate
    pub long_debate: String,
    databases: Vec<(Aweave, String)>,
}

impl History {
    /// The database URL of a build; `None` if there is no such build or store.
    pub fn url(&self, aweave: Aweave) -> Option<&str> {
        self.databases.iter().find(|(other, _)| *other == aweave).map(|(_, url)| url.as_str())
    }

    /// Reads a SQLite file once, since the system may have evicted it from the page cache, and what is measured is the length
    /// of the history, not the disk.
    pub fn read_into_page_cache(&self, aweave: Aweave) -> io::Result<()> {
        match self.url(aweave).and_then(|url| url.strip_prefix("sqlite:")) {
            Some(file) => io::copy(&mut File::open(file)?, &mut io::sink()).map(drop),
            None => Ok(()),
        }
    }
}

/// The number of arguments in a history: a motion for each debate, an answer in every other, and those of the long debate.
pub fn arguments(length: u64) -> u64 {
    length + length / 2 + length
}

impl Histories {
    /// Fills the databases by the oldest build there is, since each build has to be able to open them.
    pub async fn fill(environment: &Environment) -> Result<Self> {
        let build = if environment.has_former_build() { Build::Former } else { Build::Current };
        let aweave = Aweave { build, store: Store::Sqlite };
        let folder = environment.temporary_folder()?;
        let filled = folder_in_memory(environment)?;
        let url = sqlite_url(filled.path().join("debate.db"));
        let (mut histories, mut filled_length, mut long_debate) = (Vec::new(), 0, None::<String>);
        for length in LENGTHS {
            report(format_args!("filling a history of {length}"));
            let server = Launch::new(environment, aweave).database_url(&url).start().await?;
            let mut connection = Connection::open(server.address).await?;
            let debate = match long_debate {
                Some(id) => Debate::find(&mut connection, &id).await?,
                None => Debate::create(&mut connection, "The long debate").await?,
            };
            let (_, debate) =
                tokio::try_join!(fill(&server, filled_length..length, true), submit_until(debate, connection, length))?;
            server.process.stop().await?;
            let databases = copies(environment, build, filled.path(), folder.path(), length).await?;
            histories.push(History { length, long_debate: debate.id.clone(), databases });
            (filled_length, long_debate) = (length, Some(debate.id));
        }
        drop(filled);
        let has_node = node::Node.version(environment).is_ok();
        let node = if has_node { Some(fill_node(environment, folder.path()).await?) } else { None };
        Ok(Self { aweave: histories, node, _folder: folder })
    }
}

/// A copy of the filled database for each build and store, opened once so that migrations have run.
async fn copies(
    environment: &Environment,
    filling: Build,
    filled: &Path,
    folder: &Path,
    length: u64,
) -> Result<Vec<(Aweave, String)>> {
    let mut databases = Vec::new();
    let mut on_postgres = None;
    for (number, aweave) in ALL.into_iter().enumerate() {
        if aweave.build == Build::Former && !environment.has_former_build() {
            continue;
        }
        let url = match aweave.store {
            Store::Sqlite => {
                let copy = folder.join(format!("{length}-{number}"));
                copy_folder(filled, &copy)?;
                sqlite_url(copy.join("debate.db"))
            }
            Store::Postgres if environment.postgres_version().is_err() => continue,
            Store::Postgres => {
                if on_postgres.is_none() {
                    on_postgres = Some(copy_to_postgres(environment, filling, filled).await?);
                }
                environment.postgres_database(on_postgres.as_deref())?
            }
        };
        Launch::new(environment, aweave).database_url(&url).start().await?.process.stop().await?;
        databases.push((aweave, url));
    }
    Ok(databases)
}

/// A folder in memory if the machine has one: filling need not wait for the disk.
fn folder_in_memory(environment: &Environment) -> Result<TempDir> {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { Ok(TempDir::with_prefix_in("aweave-bench-", memory)?) } else { environment.temporary_folder() }
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for file in fs::read_dir(from)? {
        let file = file?;
        fs::copy(file.path(), to.join(file.file_name()))?;
    }
    Ok(())
}

/// Creates the debates with these numbers, and answers every other one if `answered`.
async fn fill(server: &DebateServer, numbers: Range<u64>, answered: bool) -> Result<()> {
    let mut tasks = JoinSet::new();
    for first in numbers.start..(numbers.start + CONNECTIONS).min(numbers.end) {
        let mut connection = Connection::open(server.address).await?;
        let numbers = (first..numbers.end).step_by(CONNECTIONS as usize);
        tasks.spawn(async move {
            for number in numbers {
                let word = if number < 2 * SEARCH_HITS && number % 2 == 0 { SEARCHED } else { "price" };
                let title = format!("Plan {number}: cache the {word} list");
                let mut debate = Debate::create(&mut connection, &title).await?;
                if answered && number % 2 == 1 {
                    debate.submit(&mut connection).await?;
                }
            }
            anyhow::Ok(())
        });
    }
    while let Some(filled) = tasks.join_next().await {
        filled??;
    }
    Ok(())
}

async fn submit_until(mut debate: Debate, mut connection: Connection, length: u64) -> Result<Debate> {
    while debate.newest.seq < length {
        debate.submit(&mut connection).await?;
    }
    Ok(debate)
}

/// Runs `aweave-server copy` and returns the URL of the new database.
async fn copy_to_postgres(environment: &Environment, build: Build, filled: &Path) -> Result<String> {
    let folder = environment.temporary_folder()?;
    let url = environment.postgres_database(None)?;
    let mut command = Command::new(environment.binary(build, "aweave-server"));
    command.args(["copy", "--from", &sqlite_url(filled.join("debate.db")), "--to", &url]);
    let process = Process::start(command.env("HOME", folder.path()), folder.path())?;
    process.output(COPY_TIMEOUT).await.context("cannot copy a history to PostgreSQL")?;
    environment.postgres_analyze(&url)?;
    Ok(url)
}

/// Fills the Node peer's database and returns its path.
async fn fill_node(environment: &Environment, folder: &Path) -> Result<PathBuf> {
    #[derive(Deserialize)]
    struct Page {
        total: u64,
    }
    let length = LENGTHS[LENGTHS.len() - 1];
    report(format_args!("filling the Node peer's history of {length}"));
    let filled = folder_in_memory(environment)?;
    let database = filled.path().join("debate.db");
    let server = node::start(environment, &database, environment.temporary_folder()?).await?;
    fill(&server, 0..length, false).await?;
    let mut connection = Connection::open(server.address).await?;
    let page: Page = debate::data(&connection.get("/debates?limit=1").await?)?;
    ensure!(page.total == length, "the Node peer has {} debates", page.total);
    server.process.stop().await?;
    let copy = folder.join("node");
    copy_folder(filled.path(), &copy)?;
    Ok(copy.join("debate.db"))
}
