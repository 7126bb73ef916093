//! `hello`: the least that a program costs, to hold `aw debate generate-id` against.

use std::io::{self, Write};

fn main() -> io::Result<()> {
    io::stdout().write_all(b"hello\n")
}
