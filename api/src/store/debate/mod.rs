//! Debates and their arguments.

mod desk;
mod heads;
mod list;
mod memory;
mod read;
mod recent;
mod rows;
mod seal;
mod statements;
mod totals;
mod verify;

pub(super) use desk::Desk;
pub(super) use memory::Memory;
pub use read::Range;
pub(super) use seal::seal;
pub(super) use verify::verify;
