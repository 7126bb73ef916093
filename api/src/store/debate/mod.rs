//! Debates and their arguments.

mod desk;
mod read;
mod recent;
mod rows;
mod statements;

pub(super) use desk::Desk;
pub use read::Range;
pub(super) use recent::Recent;
