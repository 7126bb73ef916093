//! Injects disk errors and clock offsets into a server that is started with this library in `LD_PRELOAD`.
//!
//! It replaces libc functions. Operations on the files of one database are logged, so that a test can compute what a
//! power cut would have left on the disk, and fail as [`fault_plan`] says. The wall clock can be shifted. Everything
//! else passes through.
#![cfg(target_os = "linux")]

mod database_files;
pub mod fault_plan;
mod libc_overrides;
pub mod log_record;
pub mod operation_log;
mod state;
mod syscalls;
