//! Starts real `aweave-server` processes and ends them with the test.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    net::{SocketAddr, TcpStream},
    ops::Deref,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Weak},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;
use tokio::{sync::Mutex, time::sleep};

use crate::{
    binaries,
    client::Client,
    ids, os, polling, pty,
    sql::Sql,
    store::{Backend, Store},
};

/// How to start a server.
#[derive(Clone, Default)]
pub struct Settings {
    args: Vec<String>,
    env: Vec<(String, String)>,
    unset: Vec<String>,
    port: u16,
    on_a_terminal: bool,
    log: Option<PathBuf>,
}

impl Settings {
    /// Default settings on a free port.
    pub fn new() -> Self {
        Self::default()
    }

    /// On a fixed port, so that the server has the same address after a restart.
    #[must_use]
    pub fn restartable(self) -> Self {
        Self { port: os::free_port(), ..self }
    }

    /// With a pseudo-terminal as stdout.
    #[must_use]
    pub fn on_a_terminal(self) -> Self {
        Self { on_a_terminal: true, ..self }
    }

    /// With this file or device in place of the log that the harness keeps.
    #[must_use]
    pub fn log_to(self, path: &Path) -> Self {
        Self { log: Some(path.to_owned()), ..self }
    }

    /// With additional command-line arguments.
    #[must_use]
    pub fn args(mut self, args: &[&str]) -> Self {
        self.args.extend(args.iter().map(|arg| (*arg).to_owned()));
        self
    }

    /// Without a variable that the harness sets by default.
    #[must_use]
    pub fn unset(mut self, name: &str) -> Self {
        self.unset.push(name.to_owned());
        self
    }

    /// With an additional environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// What the ids of requests begin with by which the harness finds the end of a log. They are in no log that a test sees.
const END_OF_LOG: &str = "end-of-log-";

/// How long the database is left alone while the harness waits for something in it.
const POLLED_EACH: Duration = Duration::from_millis(10);

/// The exit status and stderr of a server that refused to start.
pub type Refusal = (ExitStatus, String);

/// A running server.
pub struct Server {
    child: Child,
    address: SocketAddr,
    settings: Settings,
    store: Store,
    home: TempDir,
}

impl Server {
    /// The server with default settings that tests of this binary share. It is started for the first test that uses it and
    /// ends with the last one that does.
    ///
    /// A test may use it if it only looks at debates and documents that it created itself: no totals, no connection
    /// counts, no logs, no restarts.
    pub async fn shared() -> SharedServer {
        // Tests overlap, so a server usually serves all of a module's tests. A server in a static would never be dropped,
        // and its process would outlive the tests.
        static SHARED: Mutex<Weak<Server>> = Mutex::const_new(Weak::new());
        let mut shared = SHARED.lock().await;
        if let Some(server) = shared.upgrade() {
            return SharedServer(server);
        }
        let server = Arc::new(Self::start().await);
        *shared = Arc::downgrade(&server);
        SharedServer(server)
    }

    /// Starts a server with default settings on an empty store.
    pub async fn start() -> Self {
        Self::with(Settings::new()).await
    }

    /// Starts a server on an empty store.
    pub async fn with(settings: Settings) -> Self {
        Self::on_backend(Backend::of_this_binary(), settings).await
    }

    /// Starts a server on an empty store of this backend.
    pub async fn on_backend(backend: Backend, settings: Settings) -> Self {
        let home = TempDir::new().expect("a temporary folder");
        let store = Store::fresh_on(backend, home.path());
        Self::at(settings, store, home).await
    }

    /// Starts a server on an existing store, which other servers may use too.
    pub async fn on_store(settings: Settings, store: &Store) -> Self {
        Self::at(settings, store.clone(), TempDir::new().expect("a temporary folder")).await
    }

    async fn at(settings: Settings, store: Store, home: TempDir) -> Self {
        os::raise_file_limit();
        let mut child = spawn(&settings, &store, home.path());
        let address = wait_for_address(&mut child, home.path()).await;
        let server = Self { child, address, settings, store, home };
        server.check_health().await;
        server
    }

    /// Starts a server that may refuse to start.
    ///
    /// # Errors
    /// The exit status and stderr if it exits before it listens.
    pub async fn try_start(settings: &Settings, store: &Store) -> Result<Self, Refusal> {
        let home = TempDir::new().expect("a temporary folder");
        let mut child = spawn(settings, store, home.path());
        let address = try_wait_for_address(&mut child, home.path()).await?;
        Ok(Self { child, address, settings: settings.clone(), store: store.clone(), home })
    }

    /// Starts a server that must refuse to start.
    pub async fn start_refused(settings: &Settings, store: &Store) -> Refusal {
        Self::try_start(settings, store).await.err().expect("the server refuses to start")
    }

    #[expect(clippy::print_stderr, reason = "a failed test shows the log of its server")]
    fn print_end_of_log(&self) {
        let log = self.written_log();
        let tail: Vec<&str> = log.lines().rev().take(40).collect();
        eprintln!("the end of the server's log:");
        tail.iter().rev().for_each(|line| eprintln!("  {line}"));
    }

    /// Checks that it can serve, at the latest once a database that many tests use has an answer for it.
    async fn check_health(&self) {
        let (client, start) = (self.client(), Instant::now());
        loop {
            let answer = client.get("/health").await;
            let is_busy = self.store.backend() == Backend::Postgres && answer.code() == "STORE_UNAVAILABLE";
            if !is_busy || start.elapsed() > polling::DEADLINE {
                assert_eq!(answer.data(200)["status"], "ok");
                return;
            }
            sleep(POLLED_EACH).await;
        }
    }

    /// A client without a token.
    pub fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The server's URL for `aw`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The server's process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The server's store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The server's `HOME`, a temporary folder.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// The log of everything that has happened so far: a thread of the server writes it, some time after what it is about. Lines
    /// are written in their order, so it asks the server for something and waits for that line.
    ///
    /// A server that has ended has written all. One that runs has to log requests, which it does not if `RUST_LOG` leaves them out
    /// or its clock shows no time.
    pub fn log(&self) -> String {
        let id = format!("{END_OF_LOG}{}", ids::fresh());
        let is_running = self.ask_for_nothing(&id).is_ok();
        let start = Instant::now();
        let mut log = self.written_log();
        while is_running && !log.contains(&id) {
            assert!(start.elapsed() < polling::DEADLINE, "the log has no requests, so nobody can tell where it ends");
            thread::sleep(POLLED_EACH);
            log = self.written_log();
        }
        log.split_inclusive('\n').filter(|line| !line.contains(END_OF_LOG)).collect()
    }

    /// Sends a request that changes nothing and waits for its answer. It is logged with this id before it is answered.
    fn ask_for_nothing(&self, id: &str) -> io::Result<()> {
        let request = self.client().request("GET", "/nothing").header("X-Request-Id", &[id]);
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(polling::DEADLINE))?;
        stream.write_all(&request.bytes())?;
        stream.read_exact(&mut [0])
    }

    /// The log as far as it is written.
    fn written_log(&self) -> String {
        fs::read_to_string(log_path(self.home.path())).expect("stderr was kept")
    }

    /// The server's stdout so far.
    pub fn printed(&self) -> String {
        fs::read_to_string(printed_path(self.home.path())).expect("stdout was kept")
    }

    /// How many sockets the server has open.
    pub fn sockets(&self) -> usize {
        os::open_sockets(self.pid())
    }

    /// Waits until the server has at least this many sockets open.
    pub async fn wait_for_sockets(&self, count: usize) {
        let what = format!("{count} open sockets in the server");
        polling::until(&what, || (self.sockets() >= count).then_some(())).await;
    }

    /// Waits until exactly this many connections to the server are open.
    pub async fn wait_for_connections(&self, count: usize) {
        let what = format!("{count} open connections to the server");
        polling::until(&what, || (os::open_connections(self.address.port()) == count).then_some(())).await;
    }

    /// Waits until the server holds exactly this many waits: their connections are open before. It has to be a server without tokens.
    pub async fn wait_for_held_waits(&self, count: usize) {
        let (client, start) = (self.client(), Instant::now());
        let line = format!("\naweave_held_waits {count}\n");
        loop {
            let metrics = client.response(&client.request("GET", "/metrics")).await.expect("the server answers").body;
            if String::from_utf8_lossy(&metrics).contains(&line) {
                return;
            }
            assert!(start.elapsed() < polling::DEADLINE, "there are not {count} held waits");
            sleep(POLLED_EACH).await;
        }
    }

    /// Waits until the texts of all arguments are stored for searching, at most this long.
    pub async fn wait_until_searchable(&self, limit: Duration) {
        const MISSING: &str = "SELECT 'missing' FROM debates WHERE indexed_seq < last_seq LIMIT 1";
        let started = Instant::now();
        let mut sql = Sql::connect(&self.store).await;
        while !sql.texts(MISSING).await.is_empty() {
            assert!(started.elapsed() < limit, "after {limit:?} texts are still not stored for searching");
            sleep(POLLED_EACH).await;
        }
        sql.close().await;
    }

    /// Runs `aweave-server verify` on the database. Returns whether it succeeded, and its output.
    pub fn verify(&self) -> (bool, String) {
        let mut command = Command::new(binaries::server());
        let output = command.arg("verify").env_clear().envs(self.store.env()).output().expect("the server's binary");
        let output_text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        (output.status.success(), output_text)
    }

    /// Kills the server with SIGKILL.
    pub fn kill(&mut self) {
        self.child.kill().expect("the server is a child process");
        self.child.wait().expect("the server is a child process");
    }

    /// Asks the server to shut down with SIGTERM.
    pub fn terminate(&self) {
        os::terminate(self.pid());
    }

    /// Waits for the server to exit and returns its exit status.
    pub async fn wait_for_exit(&mut self) -> ExitStatus {
        polling::until("the server ends", || self.child.try_wait().expect("the server is a child process")).await
    }

    /// Starts the server again after it has exited, on the same port and store.
    pub async fn restart(&mut self) {
        self.child = spawn(&self.settings, &self.store, self.home.path());
        let address = wait_for_address(&mut self.child, self.home.path()).await;
        assert_eq!(address, self.address, "only a restartable server comes back to its port");
        self.check_health().await;
    }
}

/// A reference to the server that tests share.
pub struct SharedServer(Arc<Server>);

impl Deref for SharedServer {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.0
    }
}

impl Drop for SharedServer {
    fn drop(&mut self) {
        // The last reference prints the log when the server is dropped.
        if thread::panicking() && Arc::strong_count(&self.0) > 1 {
            self.print_end_of_log();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.child);
        if thread::panicking() {
            self.print_end_of_log();
        }
    }
}

fn end(child: &mut Child) {
    // Both calls fail only if the process has already exited.
    let _ = child.kill();
    let _ = child.wait();
}

fn spawn(settings: &Settings, store: &Store, home: &Path) -> Child {
    let log = |path: &Path| File::options().create(true).append(true).open(path).expect("the log is writable");
    let kept = log(&log_path(home));
    let stderr = settings.log.as_deref().map_or(kept, log);
    let output = File::create(printed_path(home)).expect("the temporary folder is writable");
    let stdout = if settings.on_a_terminal { pty::copying_to(output) } else { output };
    let mut command = Command::new(binaries::server());
    command.env_clear().env("HOME", home).env("DEBATE_SERVER_PORT", settings.port.to_string()).envs(store.env());
    settings.unset.iter().for_each(|name| {
        command.env_remove(name);
    });
    command.envs(settings.env.iter().map(|(name, value)| (name, value))).args(&settings.args).current_dir(home);
    command.stdin(Stdio::null()).stdout(stdout).stderr(stderr).spawn().expect("the server starts")
}

/// Waits for the address that a server prints once it listens. Panics if the server exits instead.
async fn wait_for_address(child: &mut Child, home: &Path) -> SocketAddr {
    try_wait_for_address(child, home)
        .await
        .unwrap_or_else(|(ended, log)| panic!("the server ended with {ended} instead of listening:\n{log}"))
}

/// Waits for the address, or for the exit of the server.
async fn try_wait_for_address(child: &mut Child, home: &Path) -> Result<SocketAddr, Refusal> {
    let line = polling::until("the server prints its URL, or ends", || {
        let printed = fs::read_to_string(printed_path(home)).expect("stdout was kept");
        if let Some((line, rest)) = printed.split_once('\n') {
            // A terminal ends lines with CRLF, and servers print more lines there.
            let on_a_terminal = line.ends_with('\r');
            assert!(on_a_terminal || rest.is_empty(), "one line on stdout, not {rest:?} as well");
            return Some(Ok(line.trim_end().to_owned()));
        }
        let ended = child.try_wait().expect("the server is a child process")?;
        Some(Err((ended, fs::read_to_string(log_path(home)).expect("stderr was kept"))))
    })
    .await?;
    let address = line.strip_prefix("listening on http://").and_then(|address| address.parse().ok());
    Ok(address.unwrap_or_else(|| panic!("the server printed {line:?}, not its URL")))
}

fn printed_path(home: &Path) -> PathBuf {
    home.join("stdout")
}

fn log_path(home: &Path) -> PathBuf {
    home.join("stderr")
}
