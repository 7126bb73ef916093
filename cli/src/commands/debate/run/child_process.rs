//! A start of a program: the one routine for turns, reviews and readings.
//!
//! The program is the child of a small process of this program's own ([`super::supervise`]), which ends what it leaves.

use std::{
    cell::Cell,
    env, fmt,
    io::{self, ErrorKind},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    pin::pin,
    process::{ExitStatus, Stdio},
    sync::{Mutex, OnceLock},
    time::{Duration, Instant},
};

use futures_util::{
    FutureExt,
    future::{FusedFuture, join_all},
};
use rustix::{io::Errno, process::Pid};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    join,
    process::{Child, ChildStdin, Command},
    sync::oneshot,
    time::timeout,
    try_join,
};

use super::{
    awake,
    processes::{Orphans, Started},
    supervise,
    tail::Tail,
    work_folder,
};
use crate::{hosts::Host, programs};

/// The most that a text may have that is read as a whole, such as a line or what a command prints.
pub const MAX_BYTES: usize = 8 * 1024 * 1024;

/// How long a start may take to end once it is given up.
const END_TIMEOUT: Duration = Duration::from_secs(3);

/// How long the rest of the output is read after the start ended.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(300);

/// How long a program may live on in silence once it has told the end of its turn, or can say no more.
const AFTER_END: Duration = Duration::from_secs(60);

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
    /// Whether all that it is asked for is what it prints on stdout, so that it is done once it has closed that
    pub only_prints: bool,
}

/// How a start ended.
#[derive(Debug)]
pub enum End {
    Exited(ExitStatus),
    NotStarted(io::Error),
    TimedOut,
    /// It was done
    LivedOn,
    PrintedTooMuch,
}

/// What is left of a start.
#[derive(Debug)]
pub struct Finished {
    pub end: End,
    /// The end of what it printed on stderr
    pub stderr: Vec<u8>,
    /// Whether it had closed its stdout before it was ended
    pub closed_stdout: bool,
    pub elapsed: Duration,
}

/// Takes what a program prints on stdout, as it comes.
pub trait Sink {
    /// Takes some of it.
    ///
    /// # Errors
    /// If it is more than a program may print.
    fn take(&mut self, bytes: &[u8]) -> Result<(), TooMuch>;

    /// Whether the program has told the end of its turn, as far as is known now.
    fn told_end(&self) -> bool {
        false
    }
}

/// All of what a program prints.
#[derive(Debug, Default)]
pub struct Text(pub Vec<u8>);

impl Sink for Text {
    fn take(&mut self, bytes: &[u8]) -> Result<(), TooMuch> {
        let room = MAX_BYTES - self.0.len();
        self.0.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if bytes.len() > room { Err(TooMuch) } else { Ok(()) }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

/// The small processes of starts that were given up.
static ENDING: Mutex<Vec<Running>> = Mutex::new(Vec::new());

/// The small processes that run.
static LIVE: Mutex<Vec<i32>> = Mutex::new(Vec::new());

/// What programs left whose small process was killed; nobody looks for that before there is a run.
static ORPHANS: OnceLock<Orphans> = OnceLock::new();

/// Has what a program leaves come to this process if its small process is killed, so that it is ended.
pub fn adopt_orphans() {
    ORPHANS.get_or_init(Orphans::adopt);
}

async fn end_orphans() {
    let live = || {
        let live = LIVE.lock().map(|live| live.clone()).unwrap_or_default();
        live.into_iter().filter_map(Pid::from_raw).collect()
    };
    if let Some(orphans) = ORPHANS.get() {
        orphans.end(live).await;
    }
}

/// A small process, which ends its program when this is dropped.
struct Running {
    child: Option<Child>,
    started: Option<Started>,
    /// The folder that was made for the start
    work: PathBuf,
}

impl Running {
    fn new(child: Child, work: &Path) -> Self {
        let started = child.id().map(|pid| Started::of(pid.cast_signed()));
        if let (Some(started), Ok(mut live)) = (&started, LIVE.lock()) {
            live.push(started.pid);
        }
        Self { child: Some(child), started, work: work.to_owned() }
    }

    /// Ends it if it does not end by itself: a program may have stopped it.
    async fn end(&self) {
        if let Some(started) = &self.started {
            let _ = started.end().await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let running = self.child.take().and_then(|mut child| matches!(child.try_wait(), Ok(None)).then_some(child));
        match (running, ENDING.lock()) {
            (Some(child), Ok(mut ending)) => ending.push(Self {
                child: Some(child),
                started: self.started.take(),
                work: std::mem::take(&mut self.work),
            }),
            _ => {
                if let (Some(started), Ok(mut live)) = (&self.started, LIVE.lock()) {
                    live.retain(|pid| *pid != started.pid);
                }
            }
        }
    }
}

/// Waits until the starts that were given up have ended, all at once.
pub async fn all_ended() {
    let ending = ENDING.lock().map(|mut ending| std::mem::take(&mut *ending)).unwrap_or_default();
    let end = |mut running: Running| async move {
        if let Some(mut child) = running.child.take()
            && timeout(END_TIMEOUT, child.wait()).await.is_err()
        {
            // What the system does not let end is not waited for.
            running.end().await;
        }
        // What the program wrote after the folder was removed.
        work_folder::remove_beside(std::mem::take(&mut running.work)).await;
    };
    join_all(ending.into_iter().map(end)).await;
    end_orphans().await;
}

/// Starts the program and waits until it ends. `on_start` is called as soon as it runs. Dropping the future ends it.
pub async fn run(start: Start<'_>, on_start: impl FnOnce(Started), stdout: &mut impl Sink) -> Finished {
    let began = Instant::now();
    let mut stderr = Tail::default();
    let ended = run_into(&start, on_start, stdout, &mut stderr).await;
    let (end, closed_stdout) = ended.unwrap_or_else(|error| (End::NotStarted(error), false));
    Finished { end, stderr: stderr.bytes(), closed_stdout, elapsed: began.elapsed() }
}

/// The command that starts the small process.
fn command(start: &Start<'_>) -> io::Result<Command> {
    let mut command = Command::new(supervise::own_program()?);
    command.arg0("aw").args(supervise::ARGUMENTS).args(start.command_line).current_dir(start.work);
    for name in env::vars_os().map(|(name, _)| name) {
        let text = name.to_string_lossy();
        // Those of git name another repository where a hook runs this one. With those of the program that runs this one, another
        // of its kind may refuse to start.
        let is_left_out = ["DEBATE_", "GIT_"].iter().any(|prefix| text.starts_with(prefix));
        if is_left_out || Host::ALL.iter().any(|host| host.sets(&text)) {
            command.env_remove(&name);
        }
    }
    match programs::path() {
        // An empty one would be the folder in which they run; without one they look where the system does.
        path if path.is_empty() => command.env_remove("PATH"),
        path => command.env("PATH", path),
    };
    // Some take this for the folder in which they run.
    command.env("PWD", start.work).envs(start.variables.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command)
}

/// Returns how the start ended, and whether it had closed its stdout before it was ended.
async fn run_into(
    start: &Start<'_>,
    on_start: impl FnOnce(Started),
    stdout: &mut impl Sink,
    stderr: &mut Tail,
) -> io::Result<(End, bool)> {
    // What this process inherited without this flag would be inherited by the program, too.
    close_fds::set_fds_cloexec(3, &[]);
    let mut running = Running::new(command(start)?.spawn()?, start.work);
    if let Some(started) = running.started.clone() {
        on_start(started);
    }
    let child = running.child.as_mut().ok_or(ErrorKind::BrokenPipe)?;
    let piped = || io::Error::from(ErrorKind::BrokenPipe);
    let stdin = child.stdin.take().ok_or_else(piped)?;
    let out = child.stdout.take().ok_or_else(piped)?;
    let err = child.stderr.take().ok_or_else(piped)?;
    let (give_up, given_up) = oneshot::channel();
    let closed_stdout = Cell::new(false);
    let talk = async {
        let input = hand_over(stdin, start.prompt, given_up);
        try_join!(collect(out, err, stdout, stderr, start.only_prints, &closed_stdout), input).map(drop)
    };
    let mut talk = pin!(talk.fuse());
    let end = tokio::select! {
        biased;
        Err(stop) = &mut talk => stop.end(),
        status = child.wait() => End::Exited(status?),
        () = awake::sleep(start.limit) => End::TimedOut,
    };
    let was_closed = closed_stdout.get() && matches!(end, End::TimedOut | End::LivedOn);
    let _ = give_up.send(());
    // A process that the system keeps from being found may hold the pipes for ever.
    let limit = if matches!(end, End::Exited(_)) { DRAIN_TIMEOUT } else { END_TIMEOUT };
    let rest = async { if talk.is_terminated() { Ok(()) } else { talk.await } };
    let end = match awake::within(limit, async { join!(child.wait(), rest) }).await {
        Some((_, Err(stop))) => stop.end(),
        Some((_, Ok(()))) | None => end,
    };
    let has_ended = child.try_wait().is_ok_and(|status| status.is_some());
    if !has_ended {
        running.end().await;
    }
    // One that ended well has ended all that its program left.
    if !matches!(&end, End::Exited(status) if status.code().is_some()) {
        end_orphans().await;
    }
    Ok((end, was_closed))
}

/// Hands the prompt to the small process, which ends its program when the pipe is closed.
async fn hand_over(mut pipe: ChildStdin, prompt: &str, given_up: oneshot::Receiver<()>) -> Result<(), Stop> {
    // Where the process has ended that is told.
    if pipe.write_u64(prompt.len() as u64).await.is_ok() {
        let _ = pipe.write_all(prompt.as_bytes()).await;
    }
    let _ = given_up.await;
    Ok(())
}

/// More was printed than a program may print.
pub struct TooMuch;

/// Why a program is ended before it ends, apart from its time.
#[derive(Debug, PartialEq, Eq)]
enum Stop {
    TooMuch,
    LivesOn,
}

impl Stop {
    fn end(self) -> End {
        match self {
            Self::TooMuch => End::PrintedTooMuch,
            Self::LivesOn => End::LivedOn,
        }
    }
}

/// How much is read at once.
const READ_BYTES: usize = 64 * 1024;

/// Reads both pipes while they are written to. A program that has told the end of its turn, or has closed its stdout where it only
/// prints, is silent if nothing comes from either of them; stderr ends with the small process, which has it, too, so that one that
/// closes it is silent.
async fn collect(
    mut out: impl AsyncRead + Unpin,
    mut err: impl AsyncRead + Unpin,
    stdout: &mut impl Sink,
    stderr: &mut Tail,
    only_prints: bool,
    closed_stdout: &Cell<bool>,
) -> Result<(), Stop> {
    let [mut of_out, mut of_err] = [vec![0; READ_BYTES], vec![0; READ_BYTES]];
    let mut err_is_open = true;
    while !closed_stdout.get() || err_is_open {
        let read = async {
            tokio::select! {
                read = out.read(&mut of_out), if !closed_stdout.get() => (true, read),
                read = err.read(&mut of_err), if err_is_open => (false, read),
            }
        };
        let is_over = (only_prints && closed_stdout.get()) || stdout.told_end();
        let read = if is_over { awake::within(AFTER_END, read).await.ok_or(Stop::LivesOn)? } else { read.await };
        match read {
            (true, Ok(count @ 1..)) => stdout.take(&of_out[..count]).map_err(|TooMuch| Stop::TooMuch)?,
            (false, Ok(count @ 1..)) => stderr.add(&of_err[..count]),
            (true, _) => closed_stdout.set(true),
            (false, _) => err_is_open = false,
        }
    }
    Ok(())
}

impl End {
    /// Whether this process may not open the files that a start takes, which no wait changes.
    pub fn is_out_of_files(&self) -> bool {
        matches!(self, Self::NotStarted(error) if Errno::from_io_error(error) == Some(Errno::MFILE))
    }

    /// What to tell of an end without an answer; none if the program exited with 0.
    pub fn problem(&self) -> Option<String> {
        Some(match self {
            Self::Exited(status) if status.success() => return None,
            Self::Exited(status) => match (status.code(), status.signal()) {
                (Some(code), _) => format!("it ended with status {code}"),
                (None, signal) => format!("it ended by signal {}", signal.unwrap_or_default()),
            },
            Self::NotStarted(error) => {
                let how = if self.is_out_of_files() { ", which `ulimit -n` raises for this run" } else { "" };
                format!("it cannot be started: {error}{how}")
            }
            Self::TimedOut => "it took too long and was ended".to_owned(),
            Self::LivedOn => "it lived on in silence after it was done, and was ended".to_owned(),
            Self::PrintedTooMuch => format!("it printed more than {MAX_BYTES} bytes and was ended"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_end_with_status_0_is_no_problem() {
        assert_eq!(End::Exited(ExitStatus::from_raw(0)).problem(), None);
        for (end, told) in [
            (End::Exited(ExitStatus::from_raw(3 << 8)), "it ended with status 3"),
            (End::Exited(ExitStatus::from_raw(9)), "it ended by signal 9"),
            (End::TimedOut, "it took too long and was ended"),
        ] {
            assert_eq!(end.problem().as_deref(), Some(told));
        }
    }

    /// Tells the end of its turn as soon as it has this many bytes.
    struct EndsAfter(usize);

    impl Sink for EndsAfter {
        fn take(&mut self, bytes: &[u8]) -> Result<(), TooMuch> {
            self.0 = self.0.saturating_sub(bytes.len());
            Ok(())
        }

        fn told_end(&self) -> bool {
            self.0 == 0
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_program_that_lives_on_in_silence_after_its_turn_is_ended() {
        // After how many bytes it tells the end of its turn, if it does, whether it goes on writing to stderr or to stdout, and whether
        // it closes stdout then.
        for (tells_after, on_stderr, closes) in
            [(2, false, false), (2, true, false), (2, true, true), (usize::MAX, true, true)]
        {
            let ((out, of_out), (err, of_err)) = (tokio::io::duplex(64), tokio::io::duplex(64));
            let (mut out, mut err) = (Some(out), err);
            let (mut sink, mut stderr) = (EndsAfter(tells_after), Tail::default());
            let closed_stdout = Cell::new(false);
            let only_prints = tells_after == usize::MAX;
            let read = async {
                let began = tokio::time::Instant::now();
                (collect(of_out, of_err, &mut sink, &mut stderr, only_prints, &closed_stdout).await, began.elapsed())
            };
            let write = async {
                // As long as it works it may be silent, and what it prints afterwards has its time again.
                for number in 0..5 {
                    awake::sleep(AFTER_END - Duration::from_secs(1)).await;
                    match &mut out {
                        Some(out) if number < 2 || !on_stderr => out.write_all(b"x").await.unwrap(),
                        Some(_) | None => err.write_all(b"x").await.unwrap(),
                    }
                    out = out.take().filter(|_| !closes || number < 2);
                }
                std::future::pending::<()>().await;
            };
            let (stop, took) = tokio::select! { read = read => read, () = write => unreachable!() };
            assert_eq!((stop, closed_stdout.get()), (Err(Stop::LivesOn), closes), "{on_stderr} {closes}");
            assert_eq!(took.as_secs(), 5 * (AFTER_END.as_secs() - 1) + AFTER_END.as_secs(), "{on_stderr} {closes}");
            assert_eq!(stderr.bytes().len(), if on_stderr { 3 } else { 0 });
        }
        let ((mut out, of_out), (err, of_err)) = (tokio::io::duplex(64), tokio::io::duplex(64));
        out.write_all(b"xx").await.unwrap();
        drop((out, err));
        let ended = collect(of_out, of_err, &mut EndsAfter(2), &mut Tail::default(), true, &Cell::default()).await;
        assert_eq!(ended, Ok(()), "one that ends is not waited for");
        let ((out, of_out), (_err, of_err)) = (tokio::io::duplex(64), tokio::io::duplex(64));
        drop(out);
        let (mut sink, mut stderr, closed) = (EndsAfter(2), Tail::default(), Cell::default());
        let works_on = awake::within(10 * AFTER_END, collect(of_out, of_err, &mut sink, &mut stderr, false, &closed));
        assert_eq!(works_on.await, None, "one that does not only print may work on");
    }

    #[test]
    fn only_a_limit_of_this_process_itself_means_that_it_is_out_of_files() {
        let is_out_of_files = |errno: Errno| End::NotStarted(errno.into()).is_out_of_files();
        assert!(is_out_of_files(Errno::MFILE));
        for passes in [Errno::NFILE, Errno::AGAIN, Errno::NOMEM, Errno::NOENT] {
            assert!(!is_out_of_files(passes), "{passes}");
        }
    }

    #[test]
    fn a_start_gets_nothing_of_the_users_settings_and_no_path_that_is_not_whole() {
        let variables = [("AW_ROLE", "reader".to_owned())];
        let command_line = ["/bin/true".to_owned()];
        let work = Path::new("/");
        let start = Start {
            command_line: &command_line,
            work,
            variables: &variables,
            prompt: "",
            limit: END_TIMEOUT,
            only_prints: true,
        };
        let command = command(&start).unwrap();
        let set: Vec<_> = command.as_std().get_envs().filter_map(|(name, value)| Some((name, value?))).collect();
        assert!(set.iter().any(|(name, value)| *name == "AW_ROLE" && *value == "reader"));
        let path = set.iter().find(|(name, _)| *name == "PATH").unwrap().1;
        assert!(env::split_paths(path).all(|folder| folder.is_absolute()), "{path:?}");
    }
}
