//! Seeded random choices, and how many of them a test makes.

use std::env;

use fastrand::Rng;

/// The factor by which `AWEAVE_FAULTS` multiplies the number of faults; 1 by default.
pub fn fault_factor() -> usize {
    env::var("AWEAVE_FAULTS").map_or(1, |factor| factor.parse().expect("AWEAVE_FAULTS is a number"))
}

/// The seed of a test's random choices: `AWEAVE_SEED`, or a random one. It is printed, so that a failed run can be repeated.
#[expect(clippy::print_stdout, reason = "libtest shows what a failed test printed")]
pub fn seed() -> u64 {
    let seed = env::var("AWEAVE_SEED").map_or_else(|_| Rng::new().u64(..), |seed| seed.parse().expect("a number"));
    println!("AWEAVE_SEED={seed}");
    seed
}
