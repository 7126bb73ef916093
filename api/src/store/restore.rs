//! Restores a backup: it replaces the database file in one atomic step.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use tempfile::NamedTempFile;

use super::{
    ClockAndIds,
    backend::{self, Location, NotAFile},
    database_file, debate,
    error::{OpenError, StoreError},
    migrate,
    snapshot::{Snapshot, SnapshotError, TempSuffix},
    verify::Verified,
};

/// The suffixes of logs, which would damage any database but their own.
const LOG_SUFFIXES: [&str; 2] = ["-wal", "-journal"];

/// A completed restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// What the database contains now
    pub verified: Verified,
    /// The path of the former database; none if there was none
    pub former: Option<PathBuf>,
}

/// Why a backup was not restored. The database is unchanged, except after [`RestoreError::Unsynced`].
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The database is not a file.
    #[error(transparent)]
    NotAFile(#[from] NotAFile),
    /// The backup cannot be read.
    #[error("{path} cannot be restored: {source}; name a file that aweave-server backup wrote")]
    Source {
        /// The backup
        path: String,
        /// The error of the system
        source: io::Error,
    },
    /// The file is not a backup.
    #[error("{0} is not a database of aweave-server; name a file that aweave-server backup wrote")]
    Foreign(String),
    /// The backup is the database itself.
    #[error("{0} is the database itself; name a backup of it")]
    Itself(String),
    /// The database cannot be locked, or the backup cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The backup cannot be copied, or is damaged.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The backup cannot be migrated.
    #[error("{path} cannot be migrated to this version: {reason}")]
    Migration {
        /// The backup
        path: String,
        /// The error
        reason: String,
    },
    /// The log beside the database cannot be merged into it.
    #[error(
        "{path} is in use by another program, or its log {log} cannot be merged into it ({reason}); end that program, or, if \
         the database is beyond repair, move both files elsewhere, and try again"
    )]
    UnmergedLog {
        /// The database
        path: String,
        /// The log beside it
        log: String,
        /// The error
        reason: String,
    },
    /// The files cannot be exchanged.
    #[error(
        "{path} cannot be replaced in one step: {source}; move it and the files beside it elsewhere, and try again"
    )]
    Replace {
        /// The database
        path: String,
        /// The error of the system
        source: io::Error,
    },
    /// The backup is in place, but may not survive a crash of the machine.
    #[error(
        "the backup has replaced {path}, but the folder could not be synced to disk: {source}; check the disk, then run \
         aweave-server verify"
    )]
    Unsynced {
        /// The database
        path: String,
        /// The error of the system
        source: io::Error,
    },
}

/// Replaces the database by a copy of the backup, once the copy is migrated and verified. The former database is kept
/// beside it.
///
/// # Errors
/// If the database is not a file or is in use, or if the backup cannot be read, is damaged or comes from a newer version of
/// this program.
pub async fn restore(location: &Location, from: &Path, clock_and_ids: ClockAndIds) -> Result<Restored, RestoreError> {
    let database = location.file()?;
    check_source(from, database)?;
    let _file_lock = backend::lock_file(database)?;
    let snapshot = Snapshot::take(from, database, TempSuffix::Partial).await?;
    migrate_copy(&snapshot, from).await?;
    let verified = snapshot.check().await?;
    merge_log(database).await?;
    let now = (clock_and_ids.now)().format("%Y%m%dT%H%M%S%3fZ");
    let former = database_file::with_suffix(database, &format!(".before-restore-{now}"));
    let former = replace(snapshot.into_file(), database, former)?;
    Ok(Restored { verified, former })
}

fn check_source(from: &Path, database: &Path) -> Result<(), RestoreError> {
    let path = from.display().to_string();
    let identity = |file: &Path| fs::metadata(file).map(|found| (found.dev(), found.ino()));
    match identity(from) {
        Ok(same) if identity(database).is_ok_and(|database| database == same) => Err(RestoreError::Itself(path)),
        Ok(_) => Ok(()),
        Err(source) => Err(RestoreError::Source { path, source }),
    }
}

/// Applies missing migrations, as the backup may come from an older version.
async fn migrate_copy(snapshot: &Snapshot, from: &Path) -> Result<(), RestoreError> {
    let connection = backend::open_exclusive(snapshot.path()).await?;
    if !migrate::has_migrations(&connection).await.map_err(OpenError::from)? {
        return Err(RestoreError::Foreign(from.display().to_string()));
    }
    let migration = |reason: String| RestoreError::Migration { path: from.display().to_string(), reason };
    let location = Location::of_file(snapshot.path());
    migrate::up(&location, &connection).await.map_err(|error| migration(error.to_string()))?;
    debate::backfill_hashes(&connection).await.map_err(|error| migration(StoreError::from(error).to_string()))?;
    Ok(connection.close().await.map_err(OpenError::from)?)
}

/// Merges the log that a crashed server left into the former database, so that the new one does not inherit it. A former
/// database without a log may even be damaged.
async fn merge_log(database: &Path) -> Result<(), RestoreError> {
    let merged = if database.exists() { backend::merge_log(database).await } else { Ok(()) };
    let logs = LOG_SUFFIXES.map(|suffix| database_file::with_suffix(database, suffix));
    let Some(log) = logs.into_iter().find(|log| log.exists()) else { return Ok(()) };
    Err(RestoreError::UnmergedLog {
        path: database.display().to_string(),
        log: log.display().to_string(),
        reason: merged.err().map_or_else(|| "it still exists".to_owned(), |error| error.to_string()),
    })
}

/// Exchanges the file and the database in one step, and renames the former database to `former`. Returns where it is then.
fn replace(file: NamedTempFile, database: &Path, former: PathBuf) -> Result<Option<PathBuf>, RestoreError> {
    let replace_error = |source| RestoreError::Replace { path: database.display().to_string(), source };
    let sync = || {
        database_file::sync_folder_of(database)
            .map_err(|source| RestoreError::Unsynced { path: database.display().to_string(), source })
    };
    if !database.exists() {
        file.persist_noclobber(database).map_err(|error| replace_error(error.error))?;
        return sync().map(|()| None);
    }
    // From here on this path may be that of the former database: it must not be deleted on drop.
    let (_, new) = file.keep().map_err(|error| replace_error(error.error))?;
    if let Err(error) = renameat_with(CWD, &new, CWD, database, RenameFlags::EXCHANGE) {
        // Nothing was exchanged, so this is still the copy.
        let _ = fs::remove_file(&new);
        return Err(replace_error(error.into()));
    }
    // If the rename fails, the former database stays under the temporary name.
    let renamed = renameat_with(CWD, &new, CWD, &former, RenameFlags::NOREPLACE);
    sync().map(|()| Some(if renamed.is_ok() { former } else { new }))
}
