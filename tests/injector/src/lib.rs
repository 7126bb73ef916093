//! Lets the disk and the clock fail under a server that is started with this library in `LD_PRELOAD`.
//!
//! It stands between the program and libc: what is done to the files of one database is written down, so that a test
//! can tell what a power cut would have left of it, and fails where a test orders it to; the clock that tells the time
//! of day can be set. Nothing else is touched. The variables in [`orders`] and [`log`] say where.
#![cfg(target_os = "linux")]

mod calls;
mod files;
mod kernel;
pub mod log;
pub mod orders;
pub mod record;
mod state;
