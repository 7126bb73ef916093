//! Debates and their arguments.

mod desk;
mod heads;
mod memory;
mod read;
mod recent;
mod rows;
mod statements;
mod totals;

pub(super) use desk::Desk;
pub(super) use memory::Memory;
pub use read::Range;
