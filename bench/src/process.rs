//! Processes that are measured, and gone with what measures them.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use tokio::time::sleep;

/// How long a process may take to get ready, or to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often is looked.
const POLL: Duration = Duration::from_millis(2);

/// Linux tells of CPU time in hundredths of a second.
pub const TICKS_PER_SECOND: f64 = 100.0;

/// A running process.
pub struct Process {
    child: Child,
    name: String,
    /// What it prints goes to files here
    folder: PathBuf,
}

impl Process {
    /// Starts one, whose output is kept in the folder.
    pub fn start(command: &mut Command, folder: &Path) -> Result<Self> {
        let name = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let open = |file: &str| File::create(folder.join(file));
        command.stdin(Stdio::null()).stdout(open("stdout")?).stderr(open("stderr")?);
        let child = command.spawn().with_context(|| format!("cannot start {name}"))?;
        Ok(Self { child, name, folder: folder.to_owned() })
    }

    /// Its number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The first line that it prints.
    pub async fn first_line(&mut self) -> Result<String> {
        self.line_with("", PATIENCE).await
    }

    /// The first line that it prints with something in it.
    pub async fn line_with(&mut self, part: &str, patience: Duration) -> Result<String> {
        let path = self.folder.join("stdout");
        let look = || {
            let printed = fs::read_to_string(&path).unwrap_or_default();
            let mut lines = printed.split_inclusive('\n').filter(|line| line.ends_with('\n'));
            lines.find(|line| line.contains(part)).map(|line| line.trim_end().to_owned())
        };
        self.within(patience, "a line on stdout", look).await
    }

    /// Waits until something is there.
    pub async fn until<T>(&mut self, what: &str, look: impl FnMut() -> Option<T>) -> Result<T> {
        self.within(PATIENCE, what, look).await
    }

    async fn within<T>(&mut self, patience: Duration, what: &str, mut look: impl FnMut() -> Option<T>) -> Result<T> {
        let start = Instant::now();
        loop {
            if let Some(found) = look() {
                return Ok(found);
            }
            if let Some(status) = self.child.try_wait()? {
                bail!("{} ended ({status}) before there was {what}: {}", self.name, self.last_words());
            }
            if start.elapsed() > patience {
                bail!("{} took longer than {patience:?} until there was {what}: {}", self.name, self.last_words());
            }
            sleep(POLL).await;
        }
    }

    /// All that it has logged.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.join("stderr")).unwrap_or_default()
    }

    fn last_words(&self) -> String {
        let log = self.log();
        let lines: Vec<&str> = log.lines().rev().take(5).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }

    /// Asks it to end, and waits until it has.
    pub async fn stop(mut self) -> Result<()> {
        if let Some(pid) = i32::try_from(self.pid()).ok().and_then(Pid::from_raw) {
            kill_process(pid, Signal::TERM)?;
        }
        self.ended(PATIENCE).await?;
        Ok(())
    }

    /// Waits until it has done its work, and gives what it printed.
    pub async fn done(mut self, patience: Duration) -> Result<String> {
        let status = self.ended(patience).await?;
        let printed = fs::read_to_string(self.folder.join("stdout"))?;
        if !status.success() {
            bail!("{} ended ({status}): {printed}{}", self.name, self.last_words());
        }
        Ok(printed)
    }

    /// Waits until it has ended, however it did.
    pub async fn ended(&mut self, patience: Duration) -> Result<ExitStatus> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if start.elapsed() > patience {
                bail!("{} did not end within {patience:?}: {}", self.name, self.last_words());
            }
            sleep(POLL).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only where it has ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Resident memory in KiB.
pub fn resident_kib(pid: u32) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()).context("Linux tells what is resident")?;
    Ok(kib.parse()?)
}

/// CPU seconds that a process has used so far.
pub fn cpu_seconds(pid: u32) -> Result<f64> {
    used(&fs::read_to_string(format!("/proc/{pid}/stat"))?, 2)
}

/// CPU seconds that this process and its children that have ended used so far.
pub fn own_cpu_seconds() -> Result<f64> {
    used(&fs::read_to_string("/proc/self/stat")?, 4)
}

/// The sum of the first of: user, system, user and system of children.
fn used(stat: &str, fields: usize) -> Result<f64> {
    let (_, after_name) = stat.rsplit_once(") ").context("a line as in /proc/self/stat")?;
    let ticks = after_name.split(' ').skip(11).take(fields).map(str::parse).collect::<Result<Vec<f64>, _>>()?;
    Ok(ticks.iter().sum::<f64>() / TICKS_PER_SECOND)
}

/// Waits until a process comes to rest: for a second at least, ten at most.
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

/// Lets this process, and those it starts, open as many files as the machine allows.
pub fn raise_file_limit() -> Result<()> {
    let limit = getrlimit(Resource::Nofile);
    Ok(setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum })?)
}

/// A port that nobody listens on.
pub fn free_port() -> Result<u16> {
    Ok(std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
