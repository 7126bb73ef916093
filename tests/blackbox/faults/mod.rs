//! Crashes, power cuts, bad disks, wrong clocks and crowds: whatever fails, what was acknowledged is there once.
//!
//! `AWEAVE_FAULTS` says how many times as many faults as usual there are, `AWEAVE_SEED` which. Each kind has a control:
//! a fault that has to be noticed, as otherwise the tests would prove nothing.

mod backups;
mod clock;
mod crowd;
mod disk;
mod episode;
mod held;
mod kills;
mod ledger;
mod linear;
mod load;
mod model;
mod oracle;
mod power;
mod retries;
mod starts;
mod stored;
mod trouble;
mod upgrades;
