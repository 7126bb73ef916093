//! A start of a program: the one routine for turns, reviews and readings.
//!
//! The program gets a process group of its own. It has ended when its process has, whoever still holds its pipes; what is
//! left of the group is then killed, and so it is when the start is given up.

use std::{
    io::{self, Read, Write},
    mem,
    os::unix::process::{CommandExt, ExitStatusExt},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};
use serde::{Deserialize, Serialize};
use tokio::{sync::Notify, time::timeout};

use crate::files;

/// The most that a program may print, on stdout and stderr together.
const MAX_OUTPUT_BYTES: usize = 8 * 1024 * 1024;

/// The most that is read of a file below /proc.
const MAX_PROC_BYTES: u64 = 64 * 1024;

/// How long a group may take to end after SIGTERM.
const TERM_TIMEOUT: Duration = Duration::from_millis(500);

/// How long the rest of the output is read after the program ended and its group was killed.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(300);

/// Variables of the program that runs `aw` itself, with which another of its kind refuses to start or thinks it is another.
const OF_THE_HOST: [&str; 8] = [
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_THREAD_ID",
    "CODEX_CI",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "GEMINI_CLI",
    "OPENCODE",
];

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
            end_group(pid);
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

fn end_group(pid: Pid) {
    let _ = kill_process_group(pid, Signal::TERM);
    let deadline = Instant::now() + TERM_TIMEOUT;
    while test_kill_process_group(pid).is_ok() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(10));
    }
    let _ = kill_process_group(pid, Signal::KILL);
}

/// The child, whose group is killed when this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // The leader is not reaped before, so that its number is still that of the group.
        if let Some(pid) = Pid::from_raw(self.0.id().cast_signed()) {
            let _ = kill_process_group(pid, Signal::TERM);
            let deadline = Instant::now() + TERM_TIMEOUT;
            while !has_exited(pid) && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(10));
            }
            let _ = kill_process_group(pid, Signal::KILL);
        }
        let _ = self.0.wait();
    }
}

fn has_exited(pid: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
}

/// Starts the program and waits until it ends. `on_start` is called as soon as it runs. Dropping the future ends it.
pub async fn run(start: Start<'_>, on_start: impl FnOnce(Group)) -> Finished {
    let began = Instant::now();
    let finished = |end, stdout, stderr| Finished { end, stdout, stderr, elapsed: began.elapsed() };
    let Some((program, arguments)) = start.command_line.split_first() else {
        return finished(End::NotStarted(io::ErrorKind::InvalidInput.into()), Vec::new(), Vec::new());
    };
    // What this process inherited without this flag would be inherited by the program, too.
    close_fds::set_fds_cloexec(3, &[]);
    let mut command = Command::new(program);
    let of_debates = std::env::vars_os().map(|(name, _)| name);
    for name in of_debates.filter(|name| name.to_string_lossy().starts_with("DEBATE_")) {
        command.env_remove(name);
    }
    for name in OF_THE_HOST {
        command.env_remove(name);
    }
    command.args(arguments).current_dir(start.work).process_group(0);
    command.envs(start.variables.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => Running(child),
        Err(error) => return finished(End::NotStarted(error), Vec::new(), Vec::new()),
    };
    on_start(Group::of(child.0.id()));

    let output = Arc::new(Output::default());
    let (done, all_read) = mpsc::channel();
    if let Some(mut stdin) = child.0.stdin.take() {
        let prompt = start.prompt.to_owned();
        // A program that does not read it is not waited for.
        thread::spawn(move || stdin.write_all(prompt.as_bytes()));
    }
    let stdout = child.0.stdout.take().map(|pipe| output.collect(pipe, done.clone()));
    let stderr = child.0.stderr.take().map(|pipe| output.collect(pipe, done));
    let exited = exited(child.0.id());
    let end = tokio::select! {
        result = timeout(start.limit, exited) => result.is_ok().then_some(()).ok_or(End::TimedOut),
        () = output.too_much.notified() => Err(End::PrintedTooMuch),
    };
    // What is left of the group is killed before its leader is reaped.
    let end = match end {
        Ok(()) => {
            if let Some(pid) = Pid::from_raw(child.0.id().cast_signed()) {
                let _ = kill_process_group(pid, Signal::KILL);
            }
            child.0.wait().map_or_else(End::NotStarted, End::Exited)
        }
        Err(end) => end,
    };
    drop(child);
    for _ in 0..2 {
        // A process that left the group may hold the pipes for ever.
        let _ = all_read.recv_timeout(DRAIN_TIMEOUT);
    }
    let taken = |text: Option<Arc<Mutex<Vec<u8>>>>| {
        text.and_then(|text| text.lock().ok().map(|mut text| mem::take(&mut *text))).unwrap_or_default()
    };
    let end = if output.read.load(Ordering::Relaxed) > MAX_OUTPUT_BYTES { End::PrintedTooMuch } else { end };
    finished(end, taken(stdout), taken(stderr))
}

/// Completes when the process has ended; it is not reaped.
async fn exited(pid: u32) {
    let wait = move || {
        let pid = Pid::from_raw(pid.cast_signed())?;
        waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).ok()
    };
    let _ = tokio::task::spawn_blocking(wait).await;
}

/// What is read from both pipes.
#[derive(Default)]
struct Output {
    read: AtomicUsize,
    too_much: Notify,
}

impl Output {
    /// Reads a pipe while it is written to.
    fn collect(self: &Arc<Self>, mut pipe: impl Read + Send + 'static, done: mpsc::Sender<()>) -> Arc<Mutex<Vec<u8>>> {
        let (output, text) = (self.clone(), Arc::new(Mutex::new(Vec::new())));
        let collected = text.clone();
        thread::spawn(move || {
            let mut bytes = [0; 16 * 1024];
            while let Ok(count @ 1..) = pipe.read(&mut bytes) {
                if output.read.fetch_add(count, Ordering::Relaxed) + count > MAX_OUTPUT_BYTES {
                    output.too_much.notify_one();
                    break;
                }
                if let Ok(mut collected) = collected.lock() {
                    collected.extend_from_slice(&bytes[..count]);
                }
            }
            let _ = done.send(());
        });
        text
    }
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
        let group = Mutex::new(None);
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
