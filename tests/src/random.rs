//! Random choices that can be repeated, how many of them are made, and what a test could not try.

use std::{
    env,
    io::{self, Write},
};

use fastrand::Rng;

/// How many times as much as usual is to be done: `AWEAVE_FAULTS`.
pub fn size() -> usize {
    env::var("AWEAVE_FAULTS").map_or(1, |size| size.parse().expect("AWEAVE_FAULTS is a number"))
}

/// What the random choices of a test come from: `AWEAVE_SEED`, or anything; printed, so that it can be given again.
#[expect(clippy::print_stdout, reason = "a test that fails shows what it printed")]
pub fn seed() -> u64 {
    let seed = env::var("AWEAVE_SEED").map_or_else(|_| Rng::new().u64(..), |seed| seed.parse().expect("a number"));
    println!("AWEAVE_SEED={seed}");
    seed
}

/// Says what a test leaves out on this machine; on stdout also where it passes.
pub fn left_out(what: &str, why: &str) {
    tell(&format!("left out: {what}, as {why}"));
}

/// Says how far a test went; on stdout also where it passes.
pub fn tell(line: &str) {
    // Past what holds back the words of tests that pass. Whoever does not listen need not.
    let _ = writeln!(io::stdout(), "{line}");
}
