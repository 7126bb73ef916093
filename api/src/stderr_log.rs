//! The log, on stderr. The server goes on while it cannot be written: on a full disk, or to a pipe that nobody reads any more.

use std::{
    io::{self, IsTerminal, StderrLock, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

use crate::settings::LogFormat;

/// Starts the log. `RUST_LOG` chooses what is logged; pretty by default on a terminal, JSON otherwise.
pub fn start(format: Option<LogFormat>) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let by_default = if io::stderr().is_terminal() { LogFormat::Pretty } else { LogFormat::Json };
    // Otherwise a line that cannot be written is reported on stderr, which panics.
    let log =
        tracing_subscriber::fmt().with_env_filter(filter).log_internal_errors(false).with_writer(Lines::default());
    match format.unwrap_or(by_default) {
        LogFormat::Pretty => log.init(),
        LogFormat::Json => log.json().init(),
    }
}

/// Writes lines to stderr. After a line of which only a part could be written, the next one begins on its own line.
#[derive(Default)]
struct Lines {
    is_torn: AtomicBool,
}

struct Line<'a> {
    stderr: StderrLock<'static>,
    is_torn: &'a AtomicBool,
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line { stderr: io::stderr().lock(), is_torn: &self.is_torn }
    }
}

impl Write for Line<'_> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.is_torn.load(Ordering::Relaxed) {
            self.stderr.write_all(b"\n")?;
            self.is_torn.store(false, Ordering::Relaxed);
        }
        let written = self.stderr.write(line)?;
        self.is_torn.store(written < line.len(), Ordering::Relaxed);
        // The rest of a line that did not fit is given up: there is no room for it.
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stderr.flush()
    }
}
