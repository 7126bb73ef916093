//! Documents and their versions.

mod batch;
mod batch_statements;
mod hashes;
mod read;
mod rows;
mod verify;

pub(super) use batch::DocumentBatch;
pub(super) use hashes::{VersionHashes, hashes};
pub(super) use verify::verify;

#[cfg(test)]
mod tests;
