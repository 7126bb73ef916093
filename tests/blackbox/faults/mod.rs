//! Faults: crashes, power cuts, disk errors, clock jumps and overload. Whatever fails, an acknowledged write is stored once.
//!
//! `AWEAVE_FAULTS` multiplies the number of faults, `AWEAVE_SEED` repeats the random choices of a run. Each kind of fault
//! has a control test: a deliberate violation that the checks must detect.

mod backup_and_restore;
mod changed_rows;
mod clock_jumps;
mod disk_errors;
mod disk_errors_at_start;
mod invariants;
mod linearizability;
mod many_waiters;
mod migration_crashes;
mod model;
mod model_controls;
mod plans_with_arguments;
mod power_cuts;
mod repeated_writes;
mod search_crashes;
mod server_crashes;
mod simulated_disk;
mod stored_data;
mod stored_data_in_sqlite;
mod unreadable_rows;
mod workload;
mod workload_client;
mod write_log;
