//! A terminal that nobody sits at.

use std::{
    fs::{File, OpenOptions},
    io, thread,
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// A terminal to print on; what is printed ends up in `kept`.
pub fn that_keeps(mut kept: File) -> File {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("the machine has terminals");
    grantpt(&master).expect("it is ours");
    unlockpt(&master).expect("it is ours");
    let name = ptsname(&master, Vec::new()).expect("it has a name").into_string().expect("a plain one");
    let terminal = OpenOptions::new().read(true).write(true).open(name).expect("it is ours");
    // Ends, with an error, when the last program has let go of the terminal.
    thread::spawn(move || io::copy(&mut File::from(master), &mut kept));
    terminal
}
