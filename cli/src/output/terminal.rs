//! The only place that writes to stdout and stderr, except for clap's help texts.

use std::{
    env,
    fmt::Display,
    io::{self, IsTerminal, Write},
    iter,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    termios::tcgetwinsize,
};
use tokio::time::sleep;

use super::{
    Failure,
    format_choice::{Layout, USUAL_COLUMNS},
    sanitize,
    terminal_markdown::{break_up, plain},
};

/// How often [`stdout_closed`] checks.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Whether the reader of stdout is still there.
#[derive(PartialEq, Eq)]
pub enum Reader {
    /// It is, as far as the system tells.
    Present,
    /// It closed its end of the pipe.
    Gone,
}

/// Writes a document to stdout. A reader that is gone (`aw … | head -0`) is no error; any other failure is also noted on
/// stderr.
pub fn print(document: &str) -> io::Result<Reader> {
    let mut stdout = io::stdout().lock();
    written(stdout.write_all(document.as_bytes()))
}

/// What became of what was written to stdout, as [`print`] tells it; help texts are written by clap.
pub fn written(result: io::Result<()>) -> io::Result<Reader> {
    match result.and_then(|()| io::stdout().flush()) {
        Ok(()) => Ok(Reader::Present),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => {
            note(format_args!("cannot write to stdout: {error}"));
            Err(error)
        }
    }
}

/// What explains a failure to a person, for [`explain`].
pub fn explanation(failure: &Failure, layout: Layout) -> String {
    let is_terminal = io::stderr().is_terminal();
    failure.explain(is_terminal.then_some(layout.columns.into()), layout.has_colours && is_terminal)
}

/// Writes an explanation to stderr. Errors are ignored: the exit status tells it, too.
pub fn explain(explanation: &str) {
    let _ = io::stderr().lock().write_all(explanation.as_bytes());
}

/// Completes when nobody reads stdout any more. Never completes where the system does not tell.
pub async fn stdout_closed() {
    let stdout = io::stdout();
    loop {
        // No events are requested: errors and hang-ups are always reported.
        let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
        if poll(&mut fds, Some(&Timespec::default())).is_ok()
            && fds[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
        {
            return;
        }
        sleep(POLL_INTERVAL).await;
    }
}

/// Whether plain text on stdout may have colours: it is a terminal, and `NO_COLOR` is not set.
pub fn supports_colour() -> bool {
    io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on [`note`] writes nothing.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Writes a text of several lines to stderr, as it is but for characters that a terminal would execute. Errors are ignored.
pub fn show(text: &str) {
    if !QUIET.load(Ordering::Relaxed) {
        let _ = writeln!(io::stderr().lock(), "{}", sanitize::text(text));
    }
}

/// Writes a progress message to stderr. Errors are ignored: nobody has to read it.
pub fn note(message: impl Display) {
    write_progress(&message.to_string(), None);
}

/// The same, on lines that fit where stderr is a terminal, for a person.
pub fn note_in_lines(message: &str) {
    write_progress(message, stderr_columns().map(usize::from));
}

fn write_progress(message: &str, columns: Option<usize>) {
    if !QUIET.load(Ordering::Relaxed) {
        let lines = progress_lines(&sanitize::line(message), columns);
        let _ = writeln!(io::stderr().lock(), "{}", lines.join("\n"));
    }
}

/// The lines of a progress message, whose later lines are indented. Without columns it is one.
fn progress_lines(message: &str, columns: Option<usize>) -> Vec<String> {
    let text = message.trim_start();
    let indent = &message[..message.len() - text.len()];
    let room = columns.map(|columns| columns.saturating_sub(PREFIX.len() + indent.len()));
    let Some(room) = room.filter(|room| *room >= MIN_ROOM) else { return vec![format!("{PREFIX}{message}")] };
    let prefixes = [PREFIX.to_owned()].into_iter().chain(iter::repeat(" ".repeat(PREFIX.len())));
    prefixes.zip(plain::lines(text, room)).map(|(prefix, line)| format!("{prefix}{indent}{line}")).collect()
}

/// What a progress message begins with.
const PREFIX: &str = "aw: ";

/// In fewer columns a terminal breaks lines itself.
const MIN_ROOM: usize = 16;

/// The columns of the terminal that stderr is, if it is one and tells them.
fn stderr_columns() -> Option<u16> {
    tcgetwinsize(io::stderr()).ok().map(|size| size.ws_col).filter(|columns| *columns > 1)
}

/// Draws the last line on the terminal of stderr anew, cut where that ends; without a text it is empty. Errors are ignored.
pub fn draw_line(text: &str) {
    if QUIET.load(Ordering::Relaxed) {
        return;
    }
    // A text in the last column would begin another line on some terminals.
    let room = usize::from(stderr_columns().unwrap_or(USUAL_COLUMNS) - 1);
    let shown = break_up(&sanitize::line(text), room).swap_remove(0);
    let _ = write!(io::stderr().lock(), "\r\x1b[K{shown}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_progress_message_fits_into_the_columns_of_a_terminal() {
        let message = "the debate is http://127.0.0.1:3456/d/93d81b1a-0e66-4510-abfd-aa33b26cb82e, and codex thinks as the opponent";
        assert_eq!(progress_lines(message, None), [format!("aw: {message}")]);
        assert_eq!(
            progress_lines(message, Some(40)),
            [
                "aw: the debate is",
                "    http://127.0.0.1:3456/d/93d81b1a-0e66-4510-abfd-aa33b26cb82e,",
                "    and codex thinks as the opponent",
            ]
        );
        let titled = "  I1 high: Prices are lost when the process restarts";
        assert_eq!(
            progress_lines(titled, Some(40)),
            ["aw:   I1 high: Prices are lost when the", "      process restarts"]
        );
        assert_eq!(progress_lines(titled, Some(19)), [format!("aw: {titled}")]);
    }
}
