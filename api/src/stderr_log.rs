//! The log, on stderr. Nothing waits for whoever reads it: lines go into a bounded queue, from which a thread of its own writes them.
//! So the server goes on, and ends, while they cannot be written: on a full or slow disk, or to a pipe that nobody reads.

mod line_queue;

use std::{
    backtrace::{Backtrace, BacktraceStatus},
    io::{self, IsTerminal, Write},
    panic::{self, PanicHookInfo},
    sync::LazyLock,
    thread,
    time::Duration,
};

use tracing::Metadata;
use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

use crate::settings::LogFormat;
use line_queue::{LineQueue, Priority};

/// How long the end of the process waits for lines that are not written yet: first for all of them, then for those of the audit.
const LAST_LINES: Duration = Duration::from_millis(600);
const LAST_AUDIT_LINES: Duration = Duration::from_millis(300);

/// The target of the lines that are lost last.
const AUDIT: &str = "audit";

static QUEUE: LazyLock<LineQueue> = LazyLock::new(LineQueue::default);

/// Starts the log. `RUST_LOG` chooses what is logged; pretty by default on a terminal, JSON otherwise.
pub fn start(format: Option<LogFormat>) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let by_default = if io::stderr().is_terminal() { LogFormat::Pretty } else { LogFormat::Json };
    // Otherwise a line that cannot be formatted is reported on stderr, which may block.
    let log = tracing_subscriber::fmt().with_env_filter(filter).log_internal_errors(false).with_writer(Lines);
    match format.unwrap_or(by_default) {
        LogFormat::Pretty => log.init(),
        LogFormat::Json => log.json().init(),
    }
}

/// Starts the thread that writes lines, once in a process, and lets the message of a panic go through it, too.
pub fn start_to_write() {
    // Without a thread the queue fills, and its lines are lost.
    let _ = thread::Builder::new().name("log".to_owned()).spawn(|| QUEUE.write_to(&mut io::stderr()));
    panic::set_hook(Box::new(|panic| QUEUE.push(panic_message(panic).into_bytes(), Priority::Audit)));
}

/// Writes a line for whoever has started the process. It is no error if it cannot be written.
pub fn report(line: &str) {
    QUEUE.push(format!("{line}\n").into_bytes(), Priority::Audit);
}

/// Waits until all lines are written, for at most a second.
pub fn finish() {
    if !QUEUE.wait_until_written(LAST_LINES) {
        QUEUE.drop_others();
        QUEUE.wait_until_written(LAST_AUDIT_LINES);
    }
}

fn panic_message(panic: &PanicHookInfo<'_>) -> String {
    let thread = thread::current();
    let backtrace = Backtrace::capture();
    let backtrace =
        if backtrace.status() == BacktraceStatus::Captured { format!("{backtrace}\n") } else { String::new() };
    format!("thread '{}' {panic}\n{backtrace}", thread.name().unwrap_or("without a name"))
}

/// Puts lines into the queue.
struct Lines;

/// Puts what is written into the queue: one line at a time, as tracing writes them.
struct Line(Priority);

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line(Priority::Other)
    }

    fn make_writer_for(&'a self, meta: &Metadata<'_>) -> Line {
        Line(if meta.target() == AUDIT { Priority::Audit } else { Priority::Other })
    }
}

impl Write for Line {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        QUEUE.push(line.to_owned(), self.0);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
