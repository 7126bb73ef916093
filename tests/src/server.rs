//! A real server with a store of its own, started from outside and ended with the test.

use std::{
    fs::{self, File},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
};

use tempfile::TempDir;

use crate::{
    binaries,
    client::Client,
    os, polling,
    store::{Backend, Store},
    pty,
};

/// How a server is to be started.
#[derive(Clone, Default)]
pub struct Settings {
    args: Vec<String>,
    env: Vec<(String, String)>,
    unset: Vec<String>,
    port: u16,
    on_a_terminal: bool,
}

impl Settings {
    /// As few settings as possible, on any free port.
    pub fn new() -> Self {
        Self::default()
    }

    /// On a port that it can come back to after a stop.
    #[must_use]
    pub fn restartable(self) -> Self {
        Self { port: os::free_port(), ..self }
    }

    /// With a terminal to print on.
    #[must_use]
    pub fn on_a_terminal(self) -> Self {
        Self { on_a_terminal: true, ..self }
    }

    /// With more arguments.
    #[must_use]
    pub fn args(mut self, args: &[&str]) -> Self {
        self.args.extend(args.iter().map(|arg| (*arg).to_owned()));
        self
    }

    /// Without a variable that the harness would have set.
    #[must_use]
    pub fn unset(mut self, name: &str) -> Self {
        self.unset.push(name.to_owned());
        self
    }

    /// With one more variable in its environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// How a server ended that did not start, and what it said on stderr.
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
    /// Starts one with an empty store.
    pub async fn start() -> Self {
        Self::with(Settings::new()).await
    }

    /// Starts one as told, with an empty store.
    pub async fn with(settings: Settings) -> Self {
        Self::on(Backend::of_this_binary(), settings).await
    }

    /// Starts one as told, with an empty store of that kind.
    pub async fn on(backend: Backend, settings: Settings) -> Self {
        let home = TempDir::new().expect("a temporary folder");
        let store = Store::fresh_on(backend, home.path());
        Self::at(settings, store, home).await
    }

    /// Starts one more at a store that may have others.
    pub async fn beside(settings: Settings, store: &Store) -> Self {
        Self::at(settings, store.clone(), TempDir::new().expect("a temporary folder")).await
    }

    async fn at(settings: Settings, store: Store, home: TempDir) -> Self {
        os::raise_file_limit();
        let mut child = spawn(&settings, &store, home.path());
        let address = listening(&mut child, home.path()).await;
        let server = Self { child, address, settings, store, home };
        server.healthy().await;
        server
    }

    /// Starts one that may refuse.
    ///
    /// # Errors
    /// How it ended and what it said on stderr.
    pub async fn attempt(settings: &Settings, store: &Store) -> Result<Self, Refusal> {
        let home = TempDir::new().expect("a temporary folder");
        let mut child = spawn(settings, store, home.path());
        let address = bound(&mut child, home.path()).await?;
        Ok(Self { child, address, settings: settings.clone(), store: store.clone(), home })
    }

    /// Starts a server that should refuse, and gives how it ended and what it said on stderr.
    pub async fn refusal(settings: &Settings, store: &Store) -> Refusal {
        Self::attempt(settings, store).await.err().expect("the server refuses to start")
    }

    async fn healthy(&self) {
        let request = self.client().request("GET", "/health");
        let answer = self.client().send(&request).await.data(200);
        assert_eq!(answer["status"], "ok");
    }

    /// A caller without a token.
    pub fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it listens, for `aw`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Its store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// A folder that goes with it, its `HOME`.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// All that it has logged so far.
    pub fn log(&self) -> String {
        fs::read_to_string(log_path(self.home.path())).expect("stderr was kept")
    }

    /// All that it has printed so far.
    pub fn printed(&self) -> String {
        fs::read_to_string(printed_path(self.home.path())).expect("stdout was kept")
    }

    /// How many sockets it has open.
    pub fn sockets(&self) -> usize {
        os::open_sockets(self.pid())
    }

    /// Waits until it has at least so many sockets open.
    pub async fn has_sockets(&self, count: usize) {
        let what = format!("{count} open sockets in the server");
        polling::until(&what, || (self.sockets() >= count).then_some(())).await;
    }

    /// Waits until exactly so many connections to it are open: the waits that a test holds, and no leftover.
    pub async fn holds(&self, count: usize) {
        let what = format!("{count} open connections to the server");
        polling::until(&what, || (os::open_connections(self.address.port()) == count).then_some(())).await;
    }

    /// Whether `aweave-server verify` finds its database in order, and what it says.
    pub fn verify(&self) -> (bool, String) {
        let mut command = Command::new(binaries::server());
        let output = command.arg("verify").env_clear().envs(self.store.env()).output().expect("the server's binary");
        let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        (output.status.success(), said)
    }

    /// Ends it at once, as a crash would.
    pub fn kill(&mut self) {
        self.child.kill().expect("our own child");
        self.child.wait().expect("our own child");
    }

    /// Asks it to end.
    pub fn terminate(&self) {
        os::terminate(self.pid());
    }

    /// How it ended, once it has.
    pub async fn ended(&mut self) -> ExitStatus {
        polling::until("the server ends", || self.child.try_wait().expect("our own child")).await
    }

    /// Starts it again after it ended, on the same port and store.
    pub async fn restart(&mut self) {
        self.child = spawn(&self.settings, &self.store, self.home.path());
        let address = listening(&mut self.child, self.home.path()).await;
        assert_eq!(address, self.address, "only a restartable server comes back to its port");
        self.healthy().await;
    }
}

impl Drop for Server {
    #[expect(clippy::print_stderr, reason = "a failing test shows what its server had to say")]
    fn drop(&mut self) {
        end(&mut self.child);
        if std::thread::panicking() {
            let log = self.log();
            let tail: Vec<&str> = log.lines().rev().take(40).collect();
            eprintln!("the server's last words:");
            tail.iter().rev().for_each(|line| eprintln!("  {line}"));
        }
    }
}

fn end(child: &mut Child) {
    // Both fail only where it has ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

fn spawn(settings: &Settings, store: &Store, home: &Path) -> Child {
    let stderr = File::options().create(true).append(true).open(log_path(home)).expect("a file in our own folder");
    let kept = File::create(printed_path(home)).expect("a file in our own folder");
    let stdout = if settings.on_a_terminal { terminal::that_keeps(kept) } else { kept };
    let mut command = Command::new(binaries::server());
    command.env_clear().env("HOME", home).env("DEBATE_SERVER_PORT", settings.port.to_string()).envs(store.env());
    settings.unset.iter().for_each(|name| {
        command.env_remove(name);
    });
    command.envs(settings.env.iter().map(|(name, value)| (name, value))).args(&settings.args).current_dir(home);
    command.stdin(Stdio::null()).stdout(stdout).stderr(stderr).spawn().expect("the server starts")
}

/// The address in the one line that a server prints once it is bound.
async fn listening(child: &mut Child, home: &Path) -> SocketAddr {
    bound(child, home)
        .await
        .unwrap_or_else(|(ended, log)| panic!("the server ended with {ended} instead of listening:\n{log}"))
}

/// The same, or how it ended instead.
async fn bound(child: &mut Child, home: &Path) -> Result<SocketAddr, Refusal> {
    let line = polling::until("the server prints its URL, or ends", || {
        let printed = fs::read_to_string(printed_path(home)).expect("stdout was kept");
        if let Some((line, rest)) = printed.split_once('\n') {
            // A terminal ends its lines in its own way, and is told more.
            let on_a_terminal = line.ends_with('\r');
            assert!(on_a_terminal || rest.is_empty(), "one line on stdout, not {rest:?} as well");
            return Some(Ok(line.trim_end().to_owned()));
        }
        let ended = child.try_wait().expect("our own child")?;
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
