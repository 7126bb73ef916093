//! The small process between a run and a program that it starts. It leads a session without a terminal, and ends what the
//! program left, whatever group or session that is in, once the program has ended or the run asks for it or is gone.
//!
//! Its standard input is a pipe from the run: the length of the prompt in eight bytes, most significant first, and the prompt.
//! When the run closes it, however that came, everything is ended.

use std::{
    env,
    ffi::OsString,
    io::{self, Write},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{Path, PathBuf},
    process::{ChildStdin, Command, ExitCode, ExitStatus, Stdio},
    thread,
    time::Duration,
};

use rustix::{
    process::{Pid, Signal, WaitOptions, getpid, kill_process, kill_process_group, setsid, wait},
    stdio::dup2_stdout,
};
use tokio::{
    io::{AsyncReadExt, stdin},
    signal::unix::{Signal as Children, SignalKind, signal},
    time::{Instant, sleep, timeout},
};

use super::processes::descendants;
use crate::output::terminal;

/// How long a program may take to end after SIGTERM.
const TERM_TIMEOUT: Duration = Duration::from_millis(500);

/// How long what is left is killed, before it is left to the system.
const KILL_TIMEOUT: Duration = Duration::from_secs(2);

/// How often it is looked for what is left.
const KILL_INTERVAL: Duration = Duration::from_millis(5);

/// The status where the program cannot be started, as of a shell.
const NOT_STARTED: u8 = 127;

/// What this program is called with to be such a process. It is no command for people, so that no help names it.
pub const ARGUMENTS: [&str; 2] = ["supervise", "--"];

/// Such a process.
pub struct Supervise {
    /// The program and its arguments
    command_line: Vec<OsString>,
}

impl Supervise {
    /// None if the arguments of this program are others.
    pub fn from_args(args: impl IntoIterator<Item = OsString>) -> Option<Self> {
        let mut args = args.into_iter().skip(1);
        let is_called = ARGUMENTS.iter().all(|argument| args.next().is_some_and(|given| given == *argument));
        is_called.then(|| Self { command_line: args.collect() })
    }

    /// Runs the program. The status is the program's; where a signal ended it, the same signal ends this process.
    pub fn run(self) -> ExitCode {
        let ended = tokio::runtime::Builder::new_current_thread().enable_all().build().and_then(|runtime| {
            let ended = runtime.block_on(self.supervise());
            // The thread that reads standard input may wait for ever.
            runtime.shutdown_background();
            ended
        });
        match ended {
            Ok(status) => end_as(status),
            Err(error) => {
                terminal::note(format_args!("the program cannot be started: {error}"));
                NOT_STARTED.into()
            }
        }
    }

    async fn supervise(self) -> io::Result<ExitStatus> {
        // Where one of these fails, what it keeps from happening is only likelier to happen.
        let _ = setsid();
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(Some(getpid()));
        let mut children = signal(SignalKind::child())?;
        let mut terminations = signal(SignalKind::terminate())?;
        let mut input = stdin();
        let length = input.read_u64().await?;
        let mut prompt = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        input.read_exact(&mut prompt).await?;

        let (name, arguments) = self.command_line.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(name);
        let mut child = command.args(arguments).stdin(Stdio::piped()).process_group(0).spawn()?;
        let program = Pid::from_child(&child);
        // The run reads the end of stdout once the program has closed it, and that of stderr when this process ends.
        let _ = dup2_stdout(io::stderr());
        feed(child.stdin.take(), prompt);
        let mut ended = None;
        let given_up = async {
            let mut rest = [0; 64];
            while let Ok(1..) = input.read(&mut rest).await {}
        };
        tokio::select! {
            () = given_up => {}
            _ = terminations.recv() => {}
            () = end_of(program, &mut children, &mut ended) => {}
        }
        if ended.is_none() {
            let _ = kill_process_group(program, Signal::TERM);
            let _ = timeout(TERM_TIMEOUT, end_of(program, &mut children, &mut ended)).await;
        }
        end_what_is_left(program, &mut ended).await;
        Ok(ended.unwrap_or_else(|| ExitStatus::from_raw(Signal::KILL.as_raw())))
    }
}

/// Hands the prompt over. A program need not read it.
fn feed(stdin: Option<ChildStdin>, prompt: Vec<u8>) {
    thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&prompt)));
}

/// Completes when the program has ended.
async fn end_of(program: Pid, children: &mut Children, ended: &mut Option<ExitStatus>) {
    while ended.is_none() {
        children.recv().await;
        reap(program, ended);
    }
}

/// Reaps the children that have ended, also those that came to this process since their own parent has ended.
fn reap(program: Pid, ended: &mut Option<ExitStatus>) -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid == program => *ended = Some(ExitStatus::from_raw(status.as_raw())),
            Ok(Some(_)) => {}
            Ok(None) => return true,
            // There are none.
            Err(_) => return false,
        }
    }
}

/// Kills the program's group, and on systems that tell who descends from whom everything that it started.
async fn end_what_is_left(program: Pid, ended: &mut Option<ExitStatus>) {
    let deadline = Instant::now() + KILL_TIMEOUT;
    // Where the system does not tell who descends from whom.
    #[cfg(not(target_os = "linux"))]
    let _ = kill_process_group(program, Signal::KILL);
    while reap(program, ended) && Instant::now() < deadline {
        for pid in descendants(getpid()) {
            let _ = kill_process(pid, Signal::KILL);
        }
        sleep(KILL_INTERVAL).await;
    }
}

/// Ends this process as the program ended.
fn end_as(status: ExitStatus) -> ExitCode {
    if let Some(signal) = status.signal().and_then(Signal::from_named_raw) {
        let _ = kill_process(getpid(), signal);
    }
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX))
}

/// This program, also after another version took its place.
pub fn own_program() -> io::Result<PathBuf> {
    let running = Path::new("/proc/self/exe");
    if running.exists() { Ok(running.to_owned()) } else { env::current_exe() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_arguments_make_such_a_process() {
        let called = |line: &str| {
            let words = line.split(' ').map(OsString::from);
            Supervise::from_args(words).map(|it| it.command_line)
        };
        assert_eq!(called("aw supervise -- /bin/a -- -x"), Some(["/bin/a", "--", "-x"].map(OsString::from).to_vec()));
        for other in ["aw", "aw supervise", "aw supervise /bin/a", "aw debate supervise -- a", "aw -- supervise"] {
            assert_eq!(called(other), None, "{other}");
        }
    }
}
