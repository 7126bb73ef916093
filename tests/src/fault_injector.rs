//! Starts servers under the fault injector, which logs their disk operations and lets them fail.

use std::{fs, path::PathBuf};

use rustix::io::Errno;
use tempfile::TempDir;

use crate::{
    binaries, os,
    server::Settings,
    store::{Backend, Store},
};

#[path = "../injector/src/log_record.rs"]
mod log_record;

pub use log_record::{Event, File, Record};

/// A disk operation of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskOperation {
    /// Opens or creates a file
    Open,
    /// Reads
    Read,
    /// Writes
    Write,
    /// Sets the length of a file
    Truncate,
    /// Syncs a file or folder to the disk
    Sync,
    /// Removes a file
    Unlink,
}

impl DiskOperation {
    /// All operations.
    pub const ALL: [Self; 6] = [Self::Open, Self::Read, Self::Write, Self::Truncate, Self::Sync, Self::Unlink];

    fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Read => "read",
            Self::Write => "write",
            Self::Truncate => "truncate",
            Self::Sync => "sync",
            Self::Unlink => "unlink",
        }
    }
}

/// A fault to inject.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// Some operations fail
    Fail {
        /// The operation that fails
        operation: DiskOperation,
        /// The error it fails with
        errno: Errno,
        /// How many operations succeed first
        skipped: u64,
        /// How many operations fail after these
        times: u64,
    },
    /// The server aborts at an operation
    Crash {
        /// The operation at which it aborts
        operation: DiskOperation,
        /// How many operations succeed first
        skipped: u64,
    },
    /// The wall clock is shifted by this many seconds
    ClockOffset(i64),
    /// The system returns no random numbers
    NoRandomNumbers,
}

impl Fault {
    /// Faults that let every one of these operations fail.
    pub fn fail_all(operations: &[DiskOperation], errno: Errno) -> Vec<Self> {
        operations
            .iter()
            .map(|operation| Self::Fail { operation: *operation, errno, skipped: 0, times: u64::MAX })
            .collect()
    }

    fn plan_line(self) -> String {
        match self {
            Self::Fail { operation, errno, skipped, times } => {
                format!("fail {} {} {skipped} {times}\n", operation.name(), errno.raw_os_error())
            }
            Self::Crash { operation, skipped } => format!("crash {} {skipped}\n", operation.name()),
            Self::ClockOffset(seconds) => format!("clock {seconds}\n"),
            Self::NoRandomNumbers => "no-random-numbers\n".to_owned(),
        }
    }
}

/// The fault injector of one store's servers.
pub struct FaultInjector {
    folder: TempDir,
    database: Option<PathBuf>,
}

impl FaultInjector {
    /// A fault injector that logs the operations on this store. No fault is set.
    pub fn for_store(store: &Store) -> Self {
        let database = (store.backend() == Backend::Sqlite).then(|| {
            let (path, name) = (store.path(), store.path().file_name().expect("a file"));
            let folder = path.parent().and_then(|data| data.parent()).expect("a file in a folder in another");
            let folder = fs::canonicalize(folder).expect("the outer folder is there");
            folder.join(path.parent().and_then(|data| data.file_name()).expect("a folder")).join(name)
        });
        Self { folder: os::folder_in_memory(), database }
    }

    /// The settings for a server that runs under this fault injector.
    #[must_use]
    pub fn apply_to(&self, settings: Settings) -> Settings {
        let plain = |path: PathBuf| path.into_os_string().into_string().expect("plain names");
        let mut settings = settings
            .env("LD_PRELOAD", &plain(binaries::injector().to_owned()))
            .env("AWEAVE_INJECTOR_FAULT_PLAN", &plain(self.folder.path().join("fault-plan")))
            .env("AWEAVE_INJECTOR_LOG", &plain(self.log_path()));
        if let Some(database) = &self.database {
            settings = settings.env("AWEAVE_INJECTOR_DATABASE", &plain(database.clone()));
        }
        settings
    }

    /// Replaces the current faults.
    pub fn set_faults(&self, faults: &[Fault]) {
        let text: String = faults.iter().map(|fault| fault.plan_line()).collect();
        let path = self.folder.path().join("fault-plan");
        // The rename keeps servers from reading a half-written plan.
        fs::write(path.with_extension("new"), text).expect("the temporary folder is writable");
        fs::rename(path.with_extension("new"), path).expect("the temporary folder is writable");
    }

    /// The current length of the log. Everything that has happened so far is logged before this position.
    pub fn log_position(&self) -> u64 {
        fs::metadata(self.log_path()).map_or(0, |log| log.len())
    }

    /// The whole log.
    pub fn log(&self) -> Vec<u8> {
        fs::read(self.log_path()).unwrap_or_default()
    }

    /// How many operations have failed so far because of an injected fault.
    pub fn injected_failures(&self) -> usize {
        records(&self.log()).filter(|(record, _)| record.event == Event::Failed).count()
    }

    fn log_path(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}

/// The records in a log, each with the position at which it ends.
pub fn records(log: &[u8]) -> impl Iterator<Item = (Record<'_>, u64)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (record, length) = Record::decode(&log[at..])?;
        at += length;
        Some((record, at as u64))
    })
}
