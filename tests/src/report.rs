//! Lines on stdout that appear although the test passes.

use std::io::{self, Write};

/// Reports what a test did, such as how many faults it injected.
pub fn report(line: &str) {
    // `println!` would be captured by libtest. A closed stdout is no reason to fail.
    let _ = writeln!(io::stdout(), "{line}");
}

/// Reports what a test skips because this machine does not allow it.
pub fn report_skipped(what: &str, reason: &str) {
    report(&format!("skipped: {what}: {reason}"));
}
