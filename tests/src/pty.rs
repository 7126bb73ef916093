//! A pseudo-terminal for programs that behave differently on a terminal.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
};

use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};

/// Both ends of a new pseudo-terminal: ours and the program's.
fn pair() -> (File, File) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("the system has pseudo-terminals");
    grantpt(&master).expect("the pseudo-terminal is ours");
    unlockpt(&master).expect("the pseudo-terminal is ours");
    let path =
        ptsname(&master, Vec::new()).expect("the pseudo-terminal has a path").into_string().expect("the path is UTF-8");
    let terminal = OpenOptions::new().read(true).write(true).open(path).expect("the pseudo-terminal is ours");
    (File::from(master), terminal)
}

/// The program's end of a new pseudo-terminal. Everything written to it is copied to `output`.
pub fn copying_to(mut output: File) -> File {
    let (mut master, terminal) = pair();
    // The copy ends with an error when the last process has closed the terminal.
    thread::spawn(move || io::copy(&mut master, &mut output));
    terminal
}

/// A new pseudo-terminal with this many columns: the program's end, and what was written to it once the program and whoever
/// else has it have closed it.
pub fn screen(columns: u16) -> (File, JoinHandle<String>) {
    let (mut master, terminal) = pair();
    let size = Winsize { ws_col: columns, ws_row: 24, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).expect("the pseudo-terminal is ours");
    let shown = thread::spawn(move || {
        let mut shown = Vec::new();
        // It ends with an error when the last process has closed the terminal.
        let _ = master.read_to_end(&mut shown);
        String::from_utf8(shown).expect("what is shown is UTF-8").replace("\r\n", "\n")
    });
    (terminal, shown)
}

/// Somebody at a pseudo-terminal.
pub struct Person {
    keys: File,
    screen: Arc<Mutex<Vec<u8>>>,
}

impl Person {
    /// Sits down at a new one; the second value is the program's end.
    pub fn at_a_terminal() -> (Self, File) {
        let (mut master, terminal) = pair();
        let keys = master.try_clone().expect("the pseudo-terminal is ours");
        let screen = Arc::new(Mutex::new(Vec::new()));
        let shown = screen.clone();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = master.read(&mut bytes) {
                shown.lock().expect("nobody panics with it").extend_from_slice(&bytes[..count]);
            }
        });
        (Self { keys, screen }, terminal)
    }

    /// Types this.
    pub fn types(&mut self, text: &str) {
        self.keys.write_all(text.as_bytes()).expect("the program reads");
    }

    /// Whether this was shown.
    pub fn sees(&self, text: &str) -> bool {
        String::from_utf8_lossy(&self.screen.lock().expect("nobody panics with it")).contains(text)
    }
}
