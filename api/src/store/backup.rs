//! Backs up a database file, also while a server uses it.

use std::{io, path::Path};

use super::{
    backend::{Location, NotAFile},
    database_file,
    error::OpenError,
    snapshot::{Snapshot, SnapshotError, TempSuffix},
    verify::Verified,
};

/// The suffixes of the files beside a database that is in use or was not closed cleanly.
const IN_USE_SUFFIXES: [&str; 3] = [".lock", "-wal", "-journal"];

/// A completed backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// What the backup contains
    pub verified: Verified,
    /// The size of the file, in bytes
    pub bytes: u64,
}

/// Why no backup was made. An existing file of that name is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database is not a file.
    #[error(transparent)]
    NotAFile(#[from] NotAFile),
    /// The backup would be in an unsafe place.
    #[error("{path} {reason}; name another file for the backup")]
    UnsafePlace {
        /// The file or its folder
        path: String,
        /// What is wrong with it
        reason: String,
    },
    /// The file exists.
    #[error("{0} already exists; name another file, or replace it with --force")]
    Exists(String),
    /// The file is a database in use.
    #[error("{path} is a database in use, as {companion} exists; name another file for the backup")]
    InUse {
        /// The file
        path: String,
        /// The file beside it that shows the use
        companion: String,
    },
    /// The folder cannot be read.
    #[error(transparent)]
    Open(OpenError),
    /// The database cannot be copied.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The file cannot be written or renamed.
    #[error("{path} cannot be written: {source}; check that there is room, and that you may write there")]
    Write {
        /// The file
        path: String,
        /// The error of the system
        source: io::Error,
    },
}

/// Copies a snapshot of the database into a new file and verifies it. The file appears only once it is complete; an existing
/// one is replaced only with `force`.
///
/// # Errors
/// If the database is not a file, cannot be read or is damaged, or if the backup cannot be written or would be where a
/// database file is refused.
pub async fn backup(location: &Location, to: &Path, force: bool) -> Result<Backup, BackupError> {
    let database = location.file()?;
    check_target(to, force)?;
    let snapshot = Snapshot::take(database, to, TempSuffix::Unfinished).await?;
    let verified = snapshot.check().await?;
    let write_error = |source| BackupError::Write { path: to.display().to_string(), source };
    let file = snapshot.into_file();
    let bytes = file.as_file().metadata().map_err(write_error)?.len();
    let renamed = if force { file.persist(to) } else { file.persist_noclobber(to) };
    renamed.map_err(|error| {
        let exists = error.error.kind() == io::ErrorKind::AlreadyExists;
        if exists { BackupError::Exists(to.display().to_string()) } else { write_error(error.error) }
    })?;
    database_file::sync_folder_of(to).map_err(write_error)?;
    Ok(Backup { verified, bytes })
}

fn check_target(to: &Path, force: bool) -> Result<(), BackupError> {
    database_file::check(to).map_err(|error| {
        if let OpenError::UnsafePlace { path, reason } = error {
            BackupError::UnsafePlace { path, reason }
        } else {
            BackupError::Open(error)
        }
    })?;
    let path = to.display().to_string();
    let companions = IN_USE_SUFFIXES.map(|suffix| database_file::with_suffix(to, suffix));
    if let Some(companion) = companions.into_iter().find(|companion| companion.exists()) {
        return Err(BackupError::InUse { path, companion: companion.display().to_string() });
    }
    if to.exists() && !force { Err(BackupError::Exists(path)) } else { Ok(()) }
}
