//! `hello`: the least that a process costs, to compare `aw debate generate-id` with.

use std::io::{self, Write};

fn main() -> io::Result<()> {
    io::stdout().write_all(b"hello\n")
}
