//! What is told while it takes long.

/// Tells on stderr.
#[expect(clippy::print_stderr, reason = "progress is for whoever waits")]
pub fn tell(line: impl std::fmt::Display) {
    eprintln!("bench: {line}");
}
