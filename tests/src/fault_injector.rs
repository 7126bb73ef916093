//! A disk and a clock that fail when told to, under a server whose calls are written down.

use std::{fs, path::PathBuf};

use rustix::io::Errno;
use tempfile::TempDir;

use crate::{
    binaries, os,
    server::Settings,
    store::{Backend, Store},
};

#[path = "../injector/src/record.rs"]
mod record;

pub use record::{Event, File, Record};

/// What a server asks of its disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// To open a file, or make one
    Open,
    /// To read
    Read,
    /// To write
    Write,
    /// To set a file's length
    Truncate,
    /// To put on the disk for good what was written
    Sync,
    /// To remove a file
    Unlink,
}

impl Call {
    /// All of them.
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

/// What is to be different from now on.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    /// Some of a server's calls fail
    Fail {
        /// Which
        call: Call,
        /// With what
        errno: Errno,
        /// How many still succeed
        skipped: u64,
        /// How many fail after them
        times: u64,
    },
    /// The server ends at one of its calls, as by SIGKILL
    Die {
        /// Which
        call: Call,
        /// How many of them are carried out before
        skipped: u64,
    },
    /// The time of day is so many seconds later
    Clock(i64),
}

impl Order {
    /// Every call of these kinds fails.
    pub fn fail_all(calls: &[Call], errno: Errno) -> Vec<Self> {
        calls.iter().map(|call| Self::Fail { call: *call, errno, skipped: 0, times: u64::MAX }).collect()
    }

    fn line(self) -> String {
        match self {
            Self::Fail { call, errno, skipped, times } => {
                format!("fail {} {} {skipped} {times}\n", call.name(), errno.raw_os_error())
            }
            Self::Die { call, skipped } => format!("die {} {skipped}\n", call.name()),
            Self::Clock(seconds) => format!("clock {seconds}\n"),
        }
    }
}

/// What stands between the servers of one store and their machine.
pub struct FaultInjector {
    folder: TempDir,
    database: Option<PathBuf>,
}

impl FaultInjector {
    /// One that writes down what is done to this store, and lets nothing fail yet.
    pub fn on(store: &Store) -> Self {
        let database = (store.backend() == Backend::Sqlite).then(|| {
            let (path, name) = (store.path(), store.path().file_name().expect("a file"));
            let folder = path.parent().and_then(|data| data.parent()).expect("a file in a folder in another");
            let folder = fs::canonicalize(folder).expect("the outer folder is there");
            folder.join(path.parent().and_then(|data| data.file_name()).expect("a folder")).join(name)
        });
        Self { folder: os::folder_in_memory(), database }
    }

    /// The settings of a server that is subject to it.
    #[must_use]
    pub fn under(&self, settings: Settings) -> Settings {
        let plain = |path: PathBuf| path.into_os_string().into_string().expect("plain names");
        let mut settings = settings
            .env("LD_PRELOAD", &plain(binaries::injector().to_owned()))
            .env("AWEAVE_INJECTOR_ORDERS", &plain(self.folder.path().join("orders")))
            .env("AWEAVE_INJECTOR_LOG", &plain(self.log_path()));
        if let Some(database) = &self.database {
            settings = settings.env("AWEAVE_INJECTOR_DATABASE", &plain(database.clone()));
        }
        settings
    }

    /// Has these orders, and no others, carried out from now on.
    pub fn order(&self, orders: &[Order]) {
        let text: String = orders.iter().map(|order| order.line()).collect();
        let path = self.folder.path().join("orders");
        // Never seen half-written.
        fs::write(path.with_extension("new"), text).expect("a file in our own folder");
        fs::rename(path.with_extension("new"), path).expect("a file in our own folder");
    }

    /// How long what was written down is: whatever happened before is in the first so many bytes.
    pub fn position(&self) -> u64 {
        fs::metadata(self.log_path()).map_or(0, |log| log.len())
    }

    /// All that was written down.
    pub fn log(&self) -> Vec<u8> {
        fs::read(self.log_path()).unwrap_or_default()
    }

    /// How many calls have failed as ordered.
    pub fn failures(&self) -> usize {
        records(&self.log()).filter(|(record, _)| record.event == Event::Failed).count()
    }

    fn log_path(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}

/// Everything that is written down there, each with where it ends.
pub fn records(log: &[u8]) -> impl Iterator<Item = (Record<'_>, u64)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (record, length) = Record::decode(&log[at..])?;
        at += length;
        Some((record, at as u64))
    })
}
