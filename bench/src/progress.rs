//! Progress messages on stderr.

/// Prints a message.
#[expect(clippy::print_stderr, reason = "progress messages are for the person who runs the benchmark")]
pub fn report(message: impl std::fmt::Display) {
    eprintln!("bench: {message}");
}
