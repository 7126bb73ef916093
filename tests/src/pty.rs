//! A pseudo-terminal for programs that behave differently on a terminal.

use std::{
    fs::{File, OpenOptions},
    io, thread,
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// The program's end of a new pseudo-terminal. Everything written to it is copied to `output`.
pub fn copying_to(mut output: File) -> File {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("the system has pseudo-terminals");
    grantpt(&master).expect("the pseudo-terminal is ours");
    unlockpt(&master).expect("the pseudo-terminal is ours");
    let path =
        ptsname(&master, Vec::new()).expect("the pseudo-terminal has a path").into_string().expect("the path is UTF-8");
    let terminal = OpenOptions::new().read(true).write(true).open(path).expect("the pseudo-terminal is ours");
    // The copy ends with an error when the last process has closed the terminal.
    thread::spawn(move || io::copy(&mut File::from(master), &mut output));
    terminal
}
