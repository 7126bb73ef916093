//! Documents and their versions.

mod batch;
mod batch_statements;
mod hashes;
mod read;
pub(super) mod rows;

pub(super) use batch::{DocumentBatch, PlanOfDebate, PlanRequest};
pub(super) use hashes::{VersionHashes, hashes};

#[cfg(test)]
mod tests;
