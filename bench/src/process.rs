//! Child processes, and the memory and CPU time that they use.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use tokio::time::sleep;

/// How long a process may take to start or to end.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The pause between two looks at a process.
const POLL: Duration = Duration::from_millis(2);

/// The unit of CPU times in `/proc`.
pub const TICKS_PER_SECOND: f64 = 100.0;

/// A child process; dropping it kills it.
pub struct Process {
    child: Child,
    name: String,
    /// Holds its stdout and stderr
    folder: PathBuf,
}

impl Process {
    /// Starts it with stdout and stderr redirected to files in the folder.
    pub fn start(command: &mut Command, folder: &Path) -> Result<Self> {
        let name = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let open = |file: &str| File::create(folder.join(file));
        command.stdin(Stdio::null()).stdout(open("stdout")?).stderr(open("stderr")?);
        let child = command.spawn().with_context(|| format!("cannot start {name}"))?;
        Ok(Self { child, name, folder: folder.to_owned() })
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the first line that it prints.
    pub async fn first_line(&mut self) -> Result<String> {
        let path = self.folder.join("stdout");
        let read = || Some(fs::read_to_string(&path).ok()?.split_once('\n')?.0.to_owned());
        self.until("a line on stdout", read).await
    }

    /// Waits until `look` returns something.
    ///
    /// # Errors
    /// If the process ends before.
    pub async fn until<T>(&mut self, what: &str, mut look: impl FnMut() -> Option<T>) -> Result<T> {
        let start = Instant::now();
        loop {
            if let Some(found) = look() {
                return Ok(found);
            }
            if let Some(status) = self.child.try_wait()? {
                bail!("{} ended ({status}) before there was {what}: {}", self.name, self.last_log_lines());
            }
            if start.elapsed() > TIMEOUT {
                bail!("{} took longer than {TIMEOUT:?} until there was {what}: {}", self.name, self.last_log_lines());
            }
            sleep(POLL).await;
        }
    }

    /// What it has written to stderr.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.join("stderr")).unwrap_or_default()
    }

    fn last_log_lines(&self) -> String {
        let log = self.log();
        let lines: Vec<&str> = log.lines().rev().take(5).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }

    /// Sends SIGTERM and waits until it has ended.
    pub async fn stop(mut self) -> Result<()> {
        if let Some(pid) = i32::try_from(self.pid()).ok().and_then(Pid::from_raw) {
            kill_process(pid, Signal::TERM)?;
        }
        self.ended(TIMEOUT).await?;
        Ok(())
    }

    /// Waits until it has ended successfully and returns its stdout.
    pub async fn output(mut self, timeout: Duration) -> Result<String> {
        let status = self.ended(timeout).await?;
        let printed = fs::read_to_string(self.folder.join("stdout"))?;
        if !status.success() {
            bail!("{} ended ({status}): {printed}{}", self.name, self.last_log_lines());
        }
        Ok(printed)
    }

    async fn ended(&mut self, timeout: Duration) -> Result<ExitStatus> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if start.elapsed() > timeout {
                bail!("{} did not end within {timeout:?}: {}", self.name, self.last_log_lines());
            }
            sleep(POLL).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only if it has ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The resident memory of a process in KiB.
pub fn resident_kib(pid: u32) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()).context("no VmRSS in /proc/PID/status")?;
    Ok(kib.parse()?)
}

/// CPU seconds that a process has used.
pub fn cpu_seconds(pid: u32) -> Result<f64> {
    used(&fs::read_to_string(format!("/proc/{pid}/stat"))?, 2)
}

/// CPU seconds that this process and its ended children have used.
pub fn own_cpu_seconds() -> Result<f64> {
    used(&fs::read_to_string("/proc/self/stat")?, 4)
}

/// The sum of the first `fields` of: user, system, children's user, children's system.
fn used(stat: &str, fields: usize) -> Result<f64> {
    let (_, after_name) = stat.rsplit_once(") ").context("/proc/PID/stat is malformed")?;
    let ticks = after_name.split(' ').skip(11).take(fields).map(str::parse).collect::<Result<Vec<f64>, _>>()?;
    Ok(ticks.iter().sum::<f64>() / TICKS_PER_SECOND)
}

/// Waits until a process uses no CPU time any more: at least 1 s, at most 10 s.
pub async fn settle(pid: u32) -> Result<()> {
    sleep(Duration::from_secs(1)).await;
    let mut before = cpu_seconds(pid)?;
    for _ in 0..18 {
        sleep(Duration::from_millis(500)).await;
        let now = cpu_seconds(pid)?;
        if now - before < 0.03 {
            break;
        }
        before = now;
    }
    Ok(())
}

/// Raises the limit of open files of this process and its children to the maximum.
pub fn raise_file_limit() -> Result<()> {
    let limit = getrlimit(Resource::Nofile);
    Ok(setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum })?)
}

/// A port that nobody listens on.
pub fn free_port() -> Result<u16> {
    Ok(std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
