//! Documents and their versions.

mod desk;
mod read;
mod rows;
mod statements;

pub(super) use desk::Desk;

#[cfg(test)]
mod tests;
