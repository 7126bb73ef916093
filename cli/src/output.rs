//! The only place that writes to the terminal: documents to stdout, everything else to stderr.

use std::{
    env,
    fmt::Display,
    io::{self, IsTerminal, Write},
    time::Duration,
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::time::sleep;

use crate::inert;

/// Writes the one document of a run, or the next of a stream.
///
/// A reader that has gone (`aw … | head -0`) is no fault: it wants no more. Any other failure is told on stderr, and
/// the caller is told that the document did not arrive.
pub fn document(text: &str) -> Result<Reader, Undelivered> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(Reader::There),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => {
            note(format_args!("cannot write to stdout: {error}"));
            Err(Undelivered)
        }
    }
}

/// How often a command that has nothing to say looks whether anybody would read it.
const LOOK: Duration = Duration::from_secs(1);

/// Ends when nobody reads stdout any more. Where that cannot be known it never ends.
pub async fn reader_gone() {
    let stdout = io::stdout();
    loop {
        // Nothing is asked for: that the other end is gone is told anyhow.
        let mut stdout = [PollFd::new(&stdout, PollFlags::empty())];
        let is_gone = poll(&mut stdout, Some(&Timespec::default())).is_ok()
            && stdout[0].revents().intersects(PollFlags::ERR | PollFlags::HUP);
        if is_gone {
            return;
        }
        sleep(LOOK).await;
    }
}

/// Whether anybody reads what is written.
pub enum Reader {
    /// As far as can be known
    There,
    /// Nobody any more
    Gone,
}

/// Whether somebody looks at stdout who has not asked for plain text.
pub fn may_be_coloured() -> bool {
    io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The document could not be written.
pub struct Undelivered;

/// Tells a person who looks on how things go. Nobody has to be there to read it.
pub fn note(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "aw: {}", inert::line(&text.to_string()));
}
