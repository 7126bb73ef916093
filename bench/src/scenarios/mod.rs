//! What is measured, one scenario a file.

pub mod cli;
pub mod growth;
pub mod idle;
pub mod load;
pub mod rate;
pub mod start;
pub mod submit;
pub mod syncs;
pub mod viewers;
pub mod waiters;
pub mod waiting;
pub mod wake;
