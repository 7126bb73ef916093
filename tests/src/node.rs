//! Scripts beside this crate that Node runs.

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

/// Runs a script with this standard input. It must succeed; if it does not, the test fails with what it says.
#[track_caller]
pub fn check(script: &str, input: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
    let mut node = Command::new("node");
    let node = node.arg(path).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = node.spawn().expect("node runs");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(input.as_bytes()).expect("the script reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("node is a child process");
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{script}: {}\n{input}", String::from_utf8_lossy(&said));
}
