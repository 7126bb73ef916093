//! Backups of a database that is a file, taken while a server is at work on it.

use std::{io, path::Path};

use super::{
    backend::{Location, NoFile},
    error::OpenError,
    place,
    snapshot::{Ending, Snapshot, SnapshotError},
    verify::Verified,
};

/// What lies beside a database that a server keeps, or that was not left in order.
const IN_USE: [&str; 3] = [".lock", "-wal", "-journal"];

/// A backup that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// What is in it
    pub verified: Verified,
    /// How long the file is
    pub bytes: u64,
}

/// Why no backup was taken. What had the backup's name before is as it was.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database is no file.
    #[error(transparent)]
    NoFile(#[from] NoFile),
    /// The backup would lie where it is not safe.
    #[error("{path} {reason}; name another file for the backup")]
    Place {
        /// The file, or its folder
        path: String,
        /// What is wrong with it
        reason: String,
    },
    /// There is something of that name.
    #[error("{0} is there already; name another file, or let it be replaced with --force")]
    Exists(String),
    /// The name is that of a database.
    #[error("{path} is a database in use, as {beside} is there; name another file for the backup")]
    Database {
        /// The file
        path: String,
        /// What gives it away
        beside: String,
    },
    /// The folder cannot be looked at.
    #[error(transparent)]
    Open(OpenError),
    /// The database cannot be copied.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The file cannot be given its name.
    #[error("{path} cannot be written: {source}; check that there is room, and that you may write there")]
    Write {
        /// The file
        path: String,
        /// Why
        source: io::Error,
    },
}

/// Copies the database, as it is at one moment, into a file of its own, and makes sure of what is in it. The file is there
/// whole or not at all; one that is there already is replaced only by `force`.
///
/// # Errors
/// Where the database is no file, cannot be read or is damaged, or where the backup cannot be written or would lie in a
/// place that the database itself would be refused in.
pub async fn backup(location: &Location, to: &Path, force: bool) -> Result<Backup, BackupError> {
    let database = location.file()?;
    refuse_unfit(to, force)?;
    let snapshot = Snapshot::take(database, to, Ending::Unfinished).await?;
    let verified = snapshot.check().await?;
    let unwritten = |source| BackupError::Write { path: to.display().to_string(), source };
    let file = snapshot.into_file();
    let bytes = file.as_file().metadata().map_err(unwritten)?.len();
    let named = if force { file.persist(to) } else { file.persist_noclobber(to) };
    named.map_err(|error| {
        let exists = error.error.kind() == io::ErrorKind::AlreadyExists;
        if exists { BackupError::Exists(to.display().to_string()) } else { unwritten(error.error) }
    })?;
    place::sync_names(to).map_err(unwritten)?;
    Ok(Backup { verified, bytes })
}

fn refuse_unfit(to: &Path, force: bool) -> Result<(), BackupError> {
    place::check(to).map_err(|error| {
        if let OpenError::Place { path, reason } = error {
            BackupError::Place { path, reason }
        } else {
            BackupError::Open(error)
        }
    })?;
    let path = to.display().to_string();
    if let Some(beside) = IN_USE.map(|ending| place::named(to, ending)).into_iter().find(|beside| beside.exists()) {
        return Err(BackupError::Database { path, beside: beside.display().to_string() });
    }
    if to.exists() && !force { Err(BackupError::Exists(path)) } else { Ok(()) }
}
