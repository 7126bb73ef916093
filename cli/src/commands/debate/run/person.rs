//! The person at the terminal: what is typed, line by line, and what was typed too early.

use std::{
    cell::Cell,
    io::{self, IsTerminal},
    sync::mpsc as blocking,
    thread,
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    process::getpgrp,
    termios::{QueueSelector, tcflush, tcgetpgrp, tcgetwinsize},
};
use tokio::{
    sync::{Mutex, Notify, mpsc},
    time::{Instant, sleep},
};

use super::question::Screen;

/// How many bytes of a line a terminal takes at most. It drops the others without a word.
pub const MAX_LINE_BYTES: usize = if cfg!(target_os = "linux") { 4095 } else { 1023 };

/// The columns of a terminal that does not tell them.
const USUAL_COLUMNS: usize = 80;

/// How long nothing comes before what was pasted is over.
const QUIET: Duration = Duration::from_millis(250);

/// How long that is waited for.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// How often it is looked for what was typed.
const STEP: Duration = Duration::from_millis(20);

/// What was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// A line, without its end
    Line(Vec<u8>),
    /// A line that Ctrl-D ended
    LastLine(Vec<u8>),
    /// Ctrl-D at the beginning of a line, or there is nobody any more
    End,
}

/// The person at the terminal.
#[derive(Default)]
pub struct Person {
    keyboard: Mutex<Option<Keyboard>>,
    /// Whether a question waits for an answer, so that the first Ctrl-C leaves it to the web app
    pub is_asked: Cell<bool>,
    /// Told when the question is left to the web app
    pub left_alone: Notify,
}

impl Person {
    /// Whether there is somebody to ask.
    pub fn has_terminal() -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Whether the terminal is for other programs now. To read from it, or to throw away what was typed, would stop this one.
    pub fn is_in_background() -> bool {
        tcgetpgrp(io::stdin()).is_ok_and(|group| group != getpgrp())
    }

    /// Completes as soon as the terminal is for this program.
    pub async fn in_foreground() {
        while Self::is_in_background() {
            sleep(QUIET).await;
        }
    }

    /// The screen of the terminal.
    pub fn screen() -> Screen {
        let columns = tcgetwinsize(io::stderr()).map(|size| usize::from(size.ws_col));
        Screen { columns: Some(columns.ok().filter(|columns| *columns > 0).unwrap_or(USUAL_COLUMNS)) }
    }

    /// The next that is typed.
    pub async fn typed(&self) -> Typed {
        self.keyboard.lock().await.get_or_insert_with(Keyboard::new).next().await
    }

    /// Throws away what was typed, and what is still being pasted.
    pub async fn forget_typed(&self) {
        let mut keyboard = self.keyboard.lock().await;
        let keyboard = keyboard.get_or_insert_with(Keyboard::new);
        let (began, mut last) = (Instant::now(), Instant::now());
        while last.elapsed() < QUIET && began.elapsed() < MAX_WAIT {
            if keyboard.discard() {
                last = Instant::now();
            }
            sleep(STEP).await;
        }
    }
}

/// A thread that reads one line when it is asked to: a read cannot be ended, and what nobody asks for is left to others.
struct Keyboard {
    ask: blocking::Sender<()>,
    typed: mpsc::UnboundedReceiver<Typed>,
    /// Whether it was asked for a line that has not come yet
    is_reading: bool,
}

impl Keyboard {
    fn new() -> Self {
        let (ask, asked) = blocking::channel();
        let (tell, typed) = mpsc::unbounded_channel();
        thread::spawn(move || asked.iter().try_for_each(|()| tell.send(read())));
        Self { ask, typed, is_reading: false }
    }

    async fn next(&mut self) -> Typed {
        if !self.is_reading {
            self.is_reading = self.ask.send(()).is_ok();
        }
        let typed = self.typed.recv().await;
        self.is_reading = false;
        typed.unwrap_or(Typed::End)
    }

    /// Whether there was anything.
    fn discard(&mut self) -> bool {
        let was_read = self.typed.try_recv().is_ok();
        self.is_reading &= !was_read;
        let stdin = io::stdin();
        let mut descriptors = [PollFd::new(&stdin, PollFlags::IN)];
        let waits = poll(&mut descriptors, Some(&Timespec::default())).is_ok_and(|ready| ready > 0);
        // Where this fails, what was typed before counts.
        if !Person::is_in_background() {
            let _ = tcflush(&stdin, QueueSelector::IFlush);
        }
        was_read || waits
    }
}

/// Reads what the terminal gives at once: a line, or what was typed before Ctrl-D.
fn read() -> Typed {
    let mut bytes = [0; 2 * MAX_LINE_BYTES];
    let (stdin, quiet) = (io::stdin(), Timespec { tv_sec: 0, tv_nsec: QUIET.subsec_nanos().into() });
    loop {
        if Person::is_in_background() {
            thread::sleep(QUIET);
            continue;
        }
        // So that one that was put into the background meanwhile does not read.
        if poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&quiet)).is_ok_and(|ready| ready == 0) {
            continue;
        }
        return match rustix::io::read(&stdin, &mut bytes) {
            Err(Errno::INTR) => continue,
            Ok(0) | Err(_) => Typed::End,
            Ok(count) => match bytes[..count].strip_suffix(b"\n") {
                Some(line) => Typed::Line(line.to_vec()),
                None => Typed::LastLine(bytes[..count].to_vec()),
            },
        };
    }
}
