//! The server that `aw up` starts in the background: its process, and its files below `~/.aweave`.
//!
//! The server gets its pid file, locked, as its standard input. So the system releases the lock when the server ends, for
//! whatever reason: a locked pid file has the pid of a running server, and one that is not locked is left over.

use std::{
    env,
    fs::{self, File, TryLockError},
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    net::SocketAddr,
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    fs::{Mode, OFlags},
    process::{Pid, Signal, kill_process},
};

use crate::{
    files::{self, Lock, private},
    output::{Code, Failure},
    programs,
};

/// The name of the server's program.
const PROGRAM: &str = "aweave-server";

/// How long a server may take to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// How long another `aw up` or `aw down` may take: longer than either gives its server.
const LOCK_TIMEOUT: Duration = Duration::from_secs(60);

/// How often it is checked whether the server has stopped.
const STOP_INTERVAL: Duration = Duration::from_millis(20);

/// How many bytes of the end of the log are read.
const MAX_LOG_BYTES: u64 = 16 * 1024;

/// How many lines of the log are shown.
const MAX_LOG_LINES: usize = 10;

/// The files of the background server. While this exists, other `aw up` and `aw down` of the same home folder wait.
pub struct BackgroundServer {
    /// The log, to which servers append
    pub log_path: PathBuf,
    pid_path: PathBuf,
    port_path: PathBuf,
    /// The folder, locked until this is dropped
    _locked: File,
}

/// A background server that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Running {
    pub pid: Pid,
    /// The port that it was started with
    pub port: u16,
}

/// A server that was started.
pub struct Started {
    /// The size of the log before
    pub log_size: u64,
    /// What it announces, if it does so to this process
    announcement: Option<ChildStdout>,
}

impl Started {
    /// The line that tells how to sign in, if a token is needed. The server listens, so that it announces or has announced that.
    pub fn sign_in_line(&mut self) -> Option<String> {
        let mut bytes = [0; 4096];
        let count = self.announcement.take()?.read(&mut bytes).ok()?;
        let announced = String::from_utf8_lossy(&bytes[..count]);
        announced.lines().find(|line| line.contains("/#sign-in=")).map(str::to_owned)
    }
}

impl BackgroundServer {
    /// Waits until no other command starts or stops the server.
    pub fn lock() -> Result<Self, Failure> {
        let folder = private::aweave_folder().ok_or_else(|| {
            Failure::new(
                Code::InvalidInput,
                "HOME is not set to a whole path, so there is no place for the server's log and pid file",
            )
            .with_suggestion("Set HOME, or start aweave-server yourself")
        })?;
        written(&folder, private::make_folder(&folder))?;
        let locked = written(&folder, files::open_folder(&folder))?;
        files::lock_within(&locked, Lock::Exclusive, LOCK_TIMEOUT).map_err(|error| lock_failure(&folder, &error))?;
        let [log_path, pid_path, port_path] = ["server.log", "server.pid", "server.port"].map(|name| folder.join(name));
        Ok(Self { log_path, pid_path, port_path, _locked: locked })
    }

    /// The server that runs, if one does.
    pub fn running(&self) -> Result<Option<Running>, Failure> {
        if !self.is_running()? {
            return Ok(None);
        }
        let pid = read_number(&self.pid_path).and_then(pid);
        let port = read_number(&self.port_path).and_then(|port| u16::try_from(port).ok());
        match (pid, port) {
            (Some(pid), Some(port)) => Ok(Some(Running { pid, port })),
            _ => Err(Failure::new(
                Code::InternalError,
                format!("a server runs, but {} or server.port beside it is not a number", self.pid_path.display()),
            )
            .with_suggestion("Stop aweave-server yourself with SIGTERM, and then run `aw up` again")),
        }
    }

    /// Whether a server holds the lock on the pid file.
    fn is_running(&self) -> Result<bool, Failure> {
        let file = match files::open(&self.pid_path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            opened => written(&self.pid_path, opened)?,
        };
        match file.try_lock() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => written(&self.pid_path, Err(error)),
        }
    }

    /// Starts a server where none runs. It outlives this process and its terminal, and stops by itself if it cannot listen.
    /// For a person it announces how to sign in where only this process reads it, not in the log.
    pub fn start(&self, address: SocketAddr, for_a_person: bool) -> Result<Started, Failure> {
        let Self { log_path, pid_path, port_path, .. } = self;
        let log = written(log_path, open_to_write(log_path, OFlags::APPEND))?;
        let log_size = written(log_path, log.metadata())?.len();
        let stdout = written(log_path, log.try_clone())?;
        written(port_path, write(port_path, &format!("{}\n", address.port())))?;
        written(pid_path, write(pid_path, ""))?;
        let pid_file = written(pid_path, files::open(pid_path))?;
        files::lock_within(&pid_file, Lock::Exclusive, LOCK_TIMEOUT).map_err(|error| lock_failure(pid_path, &error))?;

        let program = program()?;
        let mut command = Command::new(&program);
        command.args(["--port", &address.port().to_string()]);
        if env::var_os("DEBATE_SERVER_HOST").is_none_or(|host| host.is_empty()) {
            command.args(["--host", &address.ip().to_string()]);
        }
        // In a process group of its own it gets no signal when the terminal is closed or Ctrl-C is pressed.
        command.stdin(pid_file).stdout(stdout).stderr(log).process_group(0);
        if for_a_person {
            // Not as an option, which a server of an earlier version refuses.
            command.env("AWEAVE_PRINT_SIGN_IN_LINK", "true").stdout(Stdio::piped());
        }
        // Whoever waits until all have closed a pipe that this process inherited would wait as long as the server runs.
        close_fds::set_fds_cloexec(3, &[]);
        // In the folder of its caller it would keep that from being unmounted.
        if let Some(folder) = log_path.parent().filter(|folder| folder.is_absolute() && !has_relative_settings()) {
            command.current_dir(folder);
        }
        let mut child = command.spawn().map_err(|error| cannot_run(&program, &error))?;
        written(pid_path, write(pid_path, &format!("{}\n", child.id())))?;
        Ok(Started { log_size, announcement: child.stdout.take() })
    }

    /// Stops the server with SIGTERM and waits until it has ended.
    pub fn stop(&self, server: Running) -> Result<(), Failure> {
        if !self.is_pid_file_of(server.pid) {
            let message = format!(
                "a server runs, but process {} that {} names is not that server: nothing was stopped",
                server.pid,
                self.pid_path.display()
            );
            return Err(Failure::new(Code::InternalError, message)
                .with_suggestion(format!("Stop the aweave-server on port {} yourself with SIGTERM", server.port)));
        }
        let signalled = kill_process(server.pid, Signal::TERM);
        let deadline = Instant::now() + STOP_TIMEOUT;
        while self.is_running()? {
            if let Err(error) = signalled {
                let message = format!("cannot stop process {}: {error}", server.pid);
                let failure = Failure::new(Code::InternalError, message);
                return Err(failure.with_suggestion("Stop it as the user who owns it"));
            }
            if Instant::now() > deadline {
                let message = format!("process {} still runs {} s after SIGTERM", server.pid, STOP_TIMEOUT.as_secs());
                return Err(Failure::new(Code::InternalError, message)
                    .with_suggestion(format!("See {}, and run `aw down` again", self.log_path.display())));
            }
            thread::sleep(STOP_INTERVAL);
        }
        Ok(())
    }

    /// Removes what a server that has ended left behind, except for its log.
    pub fn remove_files(&self) {
        // Files that stay are not locked, and the next `aw up` overwrites them.
        let _ = fs::remove_file(&self.pid_path);
        let _ = fs::remove_file(&self.port_path);
    }

    /// Removes the log, if there is one.
    pub fn remove_log(&self) -> Result<(), Failure> {
        match fs::remove_file(&self.log_path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => written(&self.log_path, removed),
        }
    }

    /// Whether the standard input of this process is the pid file, where the system tells: macOS has no `/proc`.
    fn is_pid_file_of(&self, pid: Pid) -> bool {
        let inode = |path: &Path| fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino()));
        let stdin = inode(Path::new(&format!("/proc/{pid}/fd/0"))).ok();
        stdin == inode(&self.pid_path).ok() || cfg!(target_os = "macos")
    }

    /// The last lines that were logged after the log had this size.
    pub fn log_lines(&self, log_size: u64) -> Vec<String> {
        let mut end = Vec::new();
        // What cannot be read is not shown.
        let _ = files::open(&self.log_path).and_then(|mut log| {
            let start = log.metadata()?.len().saturating_sub(MAX_LOG_BYTES).max(log_size);
            log.seek(SeekFrom::Start(start))?;
            log.take(MAX_LOG_BYTES).read_to_end(&mut end)
        });
        let text = String::from_utf8_lossy(&end);
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(MAX_LOG_LINES)..].iter().map(|line| (*line).to_owned()).collect()
    }
}

/// Whether settings of the server name files by paths that begin in the current folder. What an address of PostgreSQL names, and
/// the variables of its clients, is not looked at: with one the current folder stays.
fn has_relative_settings() -> bool {
    env::vars_os().any(|(name, value)| is_relative_setting(&name.to_string_lossy(), &value.to_string_lossy()))
}

fn is_relative_setting(name: &str, value: &str) -> bool {
    let is_file = name.starts_with("DEBATE_") && (name.ends_with("_FILE") || name.ends_with("_PATH"));
    !value.is_empty() && (name == "DATABASE_URL" || is_file && !value.starts_with('/'))
}

fn read_number(path: &Path) -> Option<i32> {
    files::read_text(path, 100).ok()?.trim().parse().ok()
}

/// The id of one process: a signal to 0, or to less than that, goes to many.
fn pid(number: i32) -> Option<Pid> {
    Pid::from_raw(Some(number).filter(|number| *number > 0)?)
}

/// Replaces the content of a file that only this user may read; it is made if there is none.
fn write(path: &Path, content: &str) -> io::Result<()> {
    open_to_write(path, OFlags::TRUNC)?.write_all(content.as_bytes())
}

fn open_to_write(path: &Path, flags: OFlags) -> io::Result<File> {
    files::open_with(path, OFlags::WRONLY | OFlags::CREATE | flags, Mode::RUSR | Mode::WUSR)
}

/// The server's program: the one beside this program, else the one on `PATH`.
fn program() -> Result<PathBuf, Failure> {
    let own = env::current_exe().and_then(fs::canonicalize);
    let beside = own.ok().map(|own| own.with_file_name(PROGRAM)).filter(|path| path.is_file());
    beside.or_else(|| programs::find(PROGRAM)).ok_or_else(|| {
        let message = format!("{PROGRAM} is neither beside aw nor on PATH");
        let how = format!("Install {PROGRAM}, or add its folder to PATH by its full path");
        Failure::new(Code::FileNotFound, message).with_suggestion(how)
    })
}

fn written<T>(path: &Path, result: io::Result<T>) -> Result<T, Failure> {
    result.map_err(|error| {
        Failure::new(Code::FileNotFound, format!("cannot write {}: {error}", path.display()))
            .with_suggestion("The background server keeps its log and pid file there: make it writable, or set HOME")
    })
}

fn lock_failure(folder: &Path, error: &io::Error) -> Failure {
    if error.kind() != ErrorKind::TimedOut {
        return Failure::new(Code::FileNotFound, format!("cannot lock {}: {error}", folder.display()))
            .with_suggestion("Set HOME to a folder on a file system that has locks");
    }
    let message = format!("another aw up or aw down has not ended in {} s", LOCK_TIMEOUT.as_secs());
    Failure::new(Code::InternalError, message).with_suggestion("Look for it in the list of processes, and end it")
}

fn cannot_run(program: &Path, error: &io::Error) -> Failure {
    Failure::new(Code::InternalError, format!("cannot run {}: {error}", program.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_may_name_files_from_the_current_folder_are_known() {
        for (name, value, expected) in [
            ("DATABASE_URL", "postgres://u@db/aweave?sslrootcert=certs/ca.pem", true),
            ("DATABASE_URL", "sqlite:a.db", true),
            ("DATABASE_URL", "", false),
            ("DEBATE_DB_PATH", "a", true),
            ("DEBATE_AUTH_TOKEN_FILE", "./a", true),
            ("DEBATE_DB_PATH", "/a", false),
            ("DEBATE_DB_PATH", "", false),
            ("DEBATE_SERVER_URL", "a", false),
            ("HOME", "a", false),
        ] {
            assert_eq!(is_relative_setting(name, value), expected, "{name}={value}");
        }
    }

    #[test]
    fn a_file_names_one_process_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("server.pid");
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            read_number(&path).and_then(pid).map(|pid| Pid::as_raw(Some(pid)))
        };
        for (text, found) in [("7\n", Some(7)), (" 7 ", Some(7)), ("2147483647", Some(i32::MAX))] {
            assert_eq!(read(text), found, "{text}");
        }
        let others =
            ["0", "-0", "-1", "-7", "-2147483648", "2147483648", "18446744073709551615", "1.0", "1e3", "7 8", "x", ""];
        for text in others.into_iter().chain([&*"7".repeat(200)]) {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
