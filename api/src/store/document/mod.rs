//! Documents and their versions.

mod desk;
mod read;
mod rows;
mod statements;
mod verify;

pub(super) use desk::Desk;
pub(super) use verify::verify;

#[cfg(test)]
mod tests;
