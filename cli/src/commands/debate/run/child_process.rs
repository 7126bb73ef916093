//! A start of a program: the one routine for turns, reviews and readings.
//!
//! The program gets a process group of its own. It has ended when its process has, whoever still holds its pipes; what is
//! left of the group is then killed, and so it is when the start is given up.

use std::{
    cell::Cell,
    env,
    io::{self, ErrorKind},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::Path,
    pin::pin,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use futures_util::{FutureExt, future::FusedFuture};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::{ChildStderr, ChildStdin, ChildStdout},
    task::spawn_blocking,
    time::{sleep, timeout},
    try_join,
};

use crate::{files, hosts::Host};

/// The most that a program may print, on stdout and stderr together.
const MAX_OUTPUT_BYTES: usize = 8 * 1024 * 1024;

/// The most that is read of a file below /proc.
const MAX_PROC_BYTES: u64 = 64 * 1024;

/// How long a group may take to end after SIGTERM.
const TERM_TIMEOUT: Duration = Duration::from_millis(500);

/// How long the rest of the output is read after the program ended and its group was killed.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(300);

/// What to start.
pub struct Start<'a> {
    /// The program and its arguments
    pub command_line: &'a [String],
    /// The folder made for it, in which it runs
    pub work: &'a Path,
    /// Variables besides those of this process
    pub variables: &'a [(&'static str, String)],
    /// What it reads from standard input
    pub prompt: &'a str,
    /// How long it may take
    pub limit: Duration,
}

/// How a start ended.
#[derive(Debug)]
pub enum End {
    Exited(ExitStatus),
    NotStarted(io::Error),
    TimedOut,
    PrintedTooMuch,
}

/// What is left of a start.
#[derive(Debug)]
pub struct Finished {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub elapsed: Duration,
}

/// A process group that was started, by which a later run recognises it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    pub pid: i32,
    /// When its leader was started, as the system tells it
    pub started: Option<String>,
}

impl Group {
    fn of(pid: u32) -> Self {
        Self { pid: pid.cast_signed(), started: start_time(pid.cast_signed()) }
    }

    /// Kills what is left of the group. While any of its processes lives no new process gets its number, so that a leader with
    /// another start time means that the group is gone.
    pub fn end(&self) {
        let Some(pid) = Pid::from_raw(self.pid).filter(|_| self.pid > 1) else { return };
        let now = start_time(self.pid);
        if now.is_none() || now == self.started {
            end_group(pid, || test_kill_process_group(pid).is_err());
        }
    }
}

/// A file of the system that says something about processes.
fn proc(name: &str) -> io::Result<String> {
    files::read_text(&Path::new("/proc").join(name), MAX_PROC_BYTES)
}

/// When a process was started; none if there is no such process.
fn start_time(pid: i32) -> Option<String> {
    let boot = proc("sys/kernel/random/boot_id");
    let (Ok(boot), Ok(stat)) = (boot, proc(&format!("{pid}/stat"))) else {
        // macOS has no /proc.
        let output = Command::new("ps").args(["-o", "lstart=", "-p", &pid.to_string()]).output().ok()?;
        return Some(String::from_utf8_lossy(&output.stdout).trim().to_owned()).filter(|time| !time.is_empty());
    };
    // The name of the program, in parentheses, may contain anything.
    let ticks = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?;
    Some(format!("{} {ticks}", boot.trim()))
}

/// Asks a group to end, and kills it when it has, or takes too long.
fn end_group(pid: Pid, has_ended: impl Fn() -> bool) {
    let _ = kill_process_group(pid, Signal::TERM);
    let deadline = Instant::now() + TERM_TIMEOUT;
    while !has_ended() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(10));
    }
    let _ = kill_process_group(pid, Signal::KILL);
}

/// The child, whose group is killed when this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let Some(pid) = Pid::from_raw(self.0.id().cast_signed()) else { return };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let state = || waitid(WaitId::Pid(pid), options);
        // Once it is reaped its number may be another group's.
        if state().is_ok() {
            end_group(pid, || !matches!(state(), Ok(None)));
            let _ = self.0.wait();
        }
    }
}

/// Starts the program and waits until it ends. `on_start` is called as soon as it runs. Dropping the future ends it.
pub async fn run(start: Start<'_>, on_start: impl FnOnce(Group)) -> Finished {
    let began = Instant::now();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let end = run_into(&start, on_start, &mut stdout, &mut stderr).await.unwrap_or_else(End::NotStarted);
    Finished { end, stdout, stderr, elapsed: began.elapsed() }
}

async fn run_into(
    start: &Start<'_>,
    on_start: impl FnOnce(Group),
    stdout: &mut Vec<u8>,
    stderr: &mut Vec<u8>,
) -> io::Result<End> {
    let (program, arguments) = start.command_line.split_first().ok_or(ErrorKind::InvalidInput)?;
    // What this process inherited without this flag would be inherited by the program, too.
    close_fds::set_fds_cloexec(3, &[]);
    let mut command = Command::new(program);
    for name in env::vars_os().map(|(name, _)| name) {
        let text = name.to_string_lossy();
        // With those of the program that runs this one, another of its kind may refuse to start.
        if text.starts_with("DEBATE_") || Host::ALL.iter().any(|host| host.sets(&text)) {
            command.env_remove(&name);
        }
    }
    command.args(arguments).current_dir(start.work).process_group(0);
    command.envs(start.variables.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running(command.spawn()?);
    let child = &mut running.0;
    let pid = child.id();
    on_start(Group::of(pid));

    let piped = || io::Error::from(ErrorKind::BrokenPipe);
    let mut stdin = ChildStdin::from_std(child.stdin.take().ok_or_else(piped)?)?;
    let out = ChildStdout::from_std(child.stdout.take().ok_or_else(piped)?)?;
    let err = ChildStderr::from_std(child.stderr.take().ok_or_else(piped)?)?;
    let total = Cell::new(0);
    let feed = async move {
        // A program need not read it.
        let _ = stdin.write_all(start.prompt.as_bytes()).await;
        Ok(())
    };
    let talk = async { try_join!(collect(out, stdout, &total), collect(err, stderr, &total), feed).map(drop) };
    let mut talk = pin!(talk.fuse());
    let end = tokio::select! {
        biased;
        Err(TooMuch) = &mut talk => Some(End::PrintedTooMuch),
        () = exited(pid) => None,
        () = sleep(start.limit) => Some(End::TimedOut),
    };
    let end = match end {
        Some(end) => end,
        None => {
            // What is left of the group is killed before its leader is reaped.
            if let Some(pid) = Pid::from_raw(pid.cast_signed()) {
                let _ = kill_process_group(pid, Signal::KILL);
            }
            End::Exited(running.0.wait()?)
        }
    };
    drop(running);
    // A process that left the group may hold the pipes for ever.
    if !talk.is_terminated() && matches!(timeout(DRAIN_TIMEOUT, talk).await, Ok(Err(TooMuch))) {
        return Ok(End::PrintedTooMuch);
    }
    Ok(end)
}

/// Completes when the process has ended; it is not reaped.
async fn exited(pid: u32) {
    let wait = move || {
        let pid = Pid::from_raw(pid.cast_signed())?;
        waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).ok()
    };
    let _ = spawn_blocking(wait).await;
}

/// More was printed than a program may print.
struct TooMuch;

/// Reads a pipe while it is written to. `total` counts what is read of all pipes.
async fn collect(mut pipe: impl AsyncRead + Unpin, text: &mut Vec<u8>, total: &Cell<usize>) -> Result<(), TooMuch> {
    while let Ok(count @ 1..) = pipe.read_buf(text).await {
        total.set(total.get() + count);
        if total.get() > MAX_OUTPUT_BYTES {
            text.truncate(MAX_OUTPUT_BYTES);
            return Err(TooMuch);
        }
    }
    Ok(())
}

impl End {
    /// What to tell of an end without an answer; none if the program exited with 0.
    pub fn problem(&self) -> Option<String> {
        Some(match self {
            Self::Exited(status) if status.success() => return None,
            Self::Exited(status) => match (status.code(), status.signal()) {
                (Some(code), _) => format!("it ended with status {code}"),
                (None, signal) => format!("it ended by signal {}", signal.unwrap_or_default()),
            },
            Self::NotStarted(error) => format!("it cannot be started: {error}"),
            Self::TimedOut => "it took too long and was ended".to_owned(),
            Self::PrintedTooMuch => format!("it printed more than {MAX_OUTPUT_BYTES} bytes and was ended"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn shell(script: &str, prompt: &str, limit: Duration) -> Finished {
        let work = tempfile::tempdir().unwrap();
        let command_line = ["/bin/sh", "-c", script].map(str::to_owned);
        let variables = [("AW_ROLE", "reader".to_owned())];
        run(Start { command_line: &command_line, work: work.path(), variables: &variables, prompt, limit }, |_| {})
            .await
    }

    const LONG: Duration = Duration::from_secs(60);

    fn text(bytes: &[u8]) -> String {
        String::from_utf8_lossy(bytes).trim().to_owned()
    }

    #[tokio::test]
    async fn a_program_reads_the_prompt_and_is_read_while_it_writes() {
        let prompt = "x".repeat(1 << 20);
        let finished = shell("cat; cat /dev/null >&2; echo err >&2; exit 3", &prompt, LONG).await;
        assert_eq!((finished.stdout.len(), text(&finished.stderr)), (prompt.len(), "err".to_owned()));
        assert_eq!(finished.end.problem().unwrap(), "it ended with status 3");
        let variables = shell("echo $AW_ROLE; env | grep -c ^DEBATE_", "", LONG).await;
        assert_eq!(text(&variables.stdout), "reader\n0");
    }

    #[tokio::test]
    async fn it_has_ended_when_its_process_has_and_children_are_ended() {
        let began = Instant::now();
        let finished = shell("sleep 300 & echo $!; sleep 300 & exec true", "", LONG).await;
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        assert!(finished.end.problem().is_none());
        let child: i32 = text(&finished.stdout).parse().unwrap();
        let is_alive = || proc(&format!("{child}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
        while is_alive() && began.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(5));
        }
        assert!(!is_alive());
    }

    #[tokio::test]
    async fn one_that_takes_too_long_or_prints_for_ever_is_ended() {
        let slow = shell("trap '' TERM; sleep 300", "", Duration::from_millis(200)).await;
        assert!(matches!(slow.end, End::TimedOut), "{slow:?}");
        let endless = shell("yes", "", LONG).await;
        assert!(matches!(endless.end, End::PrintedTooMuch));
        assert!(endless.stdout.len() <= MAX_OUTPUT_BYTES);
    }

    #[tokio::test]
    async fn dropping_a_start_ends_it() {
        let group = std::sync::Mutex::new(None);
        let work = tempfile::tempdir().unwrap();
        let command_line = ["/bin/sleep", "300"].map(str::to_owned);
        let start = Start { command_line: &command_line, work: work.path(), variables: &[], prompt: "", limit: LONG };
        let running = run(start, |started| *group.lock().unwrap() = Some(started));
        assert!(timeout(Duration::from_millis(300), running).await.is_err());
        let group = group.lock().unwrap().clone().unwrap();
        assert_eq!(start_time(group.pid), None);
    }

    #[test]
    fn a_group_of_an_earlier_run_is_ended_and_that_of_another_process_is_not() {
        let mut child = Command::new("/bin/sleep").arg("300").process_group(0).spawn().unwrap();
        let group = Group::of(child.id());
        Group { started: Some("another time".to_owned()), ..group.clone() }.end();
        assert!(child.try_wait().unwrap().is_none());
        group.end();
        assert!(child.wait().unwrap().signal().is_some());
    }

    #[tokio::test]
    async fn a_program_that_is_not_there_is_told() {
        let work = tempfile::tempdir().unwrap();
        let command_line = ["/no/such/program".to_owned()];
        let start = Start { command_line: &command_line, work: work.path(), variables: &[], prompt: "", limit: LONG };
        assert!(run(start, |_| {}).await.end.problem().unwrap().starts_with("it cannot be started"));
    }
}
