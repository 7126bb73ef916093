//! A pseudo-terminal for programs that behave differently on a terminal.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    sync::{Arc, Mutex},
    thread,
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

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
