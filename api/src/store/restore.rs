//! Puts a backup in the place of the database, in one step: whatever happens, one of both is there, whole.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use tempfile::NamedTempFile;

use super::{
    Sources,
    backend::{self, Location, NoFile},
    debate,
    error::{OpenError, StoreError},
    migrate, place,
    snapshot::{Ending, Snapshot, SnapshotError},
    verify::Verified,
};

/// Logs that belong to one database, and would damage another that came into its place.
const LOGS: [&str; 2] = ["-wal", "-journal"];

/// A backup that was put in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// What is in it
    pub verified: Verified,
    /// Where the database is that was there before
    pub former: Option<PathBuf>,
}

/// Why a backup was not put in place. But for [`RestoreError::Unconfirmed`] the database is the one that it was.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The database is no file.
    #[error(transparent)]
    NoFile(#[from] NoFile),
    /// There is no backup to read.
    #[error("{path} cannot be restored: {source}; name a file that aweave-server backup wrote")]
    Source {
        /// The backup
        path: String,
        /// Why
        source: io::Error,
    },
    /// What is named is no backup.
    #[error("{0} is no database of aweave-server; name a file that aweave-server backup wrote")]
    Foreign(String),
    /// The backup is the database.
    #[error("{0} is the database itself; name a backup of it")]
    Itself(String),
    /// The database cannot be put aside.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The backup cannot be copied, or is damaged.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The backup cannot be brought up to date.
    #[error("{path} cannot be brought up to date: {reason}")]
    Outdated {
        /// The backup
        path: String,
        /// Why
        reason: String,
    },
    /// What a server left beside the database cannot be brought into it.
    #[error(
        "{path} is in use by another program, or {log} cannot be brought into it ({reason}); end that program, or, if the \
         database is beyond repair, move both files elsewhere, and try again"
    )]
    Unsettled {
        /// The database
        path: String,
        /// The log beside it
        log: String,
        /// Why
        reason: String,
    },
    /// The files cannot be renamed.
    #[error(
        "{path} cannot be replaced in one step: {source}; move it elsewhere, make sure that nothing else of its name is \
         left, and try again"
    )]
    Replace {
        /// The database
        path: String,
        /// Why
        source: io::Error,
    },
    /// The backup is in place, though not for sure.
    #[error(
        "the backup is in the place of {path}, but the disk does not confirm it: {source}; look at the disk, then run \
         aweave-server verify"
    )]
    Unconfirmed {
        /// The database
        path: String,
        /// Why
        source: io::Error,
    },
}

/// Puts a copy of a backup in the place of the database, once all of it is found in order, and keeps the former database
/// beside it.
///
/// # Errors
/// Where the database is no file, is held by a server or used by another program, or where the backup cannot be read, is
/// damaged or comes from a newer version of this program.
pub async fn restore(location: &Location, from: &Path, sources: Sources) -> Result<Restored, RestoreError> {
    let database = location.file()?;
    refuse_unfit(from, database)?;
    let _hold = backend::hold(database)?;
    let snapshot = Snapshot::take(from, database, Ending::Partial).await?;
    bring_up_to_date(&snapshot, from).await?;
    let verified = snapshot.check().await?;
    settle(database).await?;
    let former = place::named(database, &format!(".before-restore-{}", (sources.now)().format("%Y%m%dT%H%M%S%3fZ")));
    let former = replace(snapshot.into_file(), database, former)?;
    Ok(Restored { verified, former })
}

fn refuse_unfit(from: &Path, database: &Path) -> Result<(), RestoreError> {
    let path = from.display().to_string();
    let identity = |file: &Path| fs::metadata(file).map(|found| (found.dev(), found.ino()));
    match identity(from) {
        Ok(same) if identity(database).is_ok_and(|database| database == same) => Err(RestoreError::Itself(path)),
        Ok(_) => Ok(()),
        Err(source) => Err(RestoreError::Source { path, source }),
    }
}

/// Brings a copy up to the schema of this program, as backups may be older.
async fn bring_up_to_date(snapshot: &Snapshot, from: &Path) -> Result<(), RestoreError> {
    let connection = backend::open_alone(snapshot.path()).await?;
    if !migrate::has_begun(&connection).await.map_err(OpenError::from)? {
        return Err(RestoreError::Foreign(from.display().to_string()));
    }
    let outdated = |reason: String| RestoreError::Outdated { path: from.display().to_string(), reason };
    let location = Location::of_file(snapshot.path());
    migrate::up(&location, &connection).await.map_err(|error| outdated(error.to_string()))?;
    debate::seal(&connection).await.map_err(|error| outdated(StoreError::from(error).to_string()))?;
    Ok(connection.close().await.map_err(OpenError::from)?)
}

/// Brings the logs that a server left behind into the former database, so that none is left for the new one. A database
/// without logs is what it is, also where it is damaged.
async fn settle(database: &Path) -> Result<(), RestoreError> {
    let settled = if database.exists() { backend::settle(database).await } else { Ok(()) };
    let Some(log) = LOGS.map(|ending| place::named(database, ending)).into_iter().find(|log| log.exists()) else {
        return Ok(());
    };
    Err(RestoreError::Unsettled {
        path: database.display().to_string(),
        log: log.display().to_string(),
        reason: settled.err().map_or_else(|| "it is still there".to_owned(), |error| error.to_string()),
    })
}

/// Gives the file the database's name in one step, and the database that of `former`; tells where that is then.
fn replace(file: NamedTempFile, database: &Path, former: PathBuf) -> Result<Option<PathBuf>, RestoreError> {
    let unreplaced = |source| RestoreError::Replace { path: database.display().to_string(), source };
    let confirm = || {
        place::sync_names(database)
            .map_err(|source| RestoreError::Unconfirmed { path: database.display().to_string(), source })
    };
    if !database.exists() {
        file.persist_noclobber(database).map_err(|error| unreplaced(error.error))?;
        return confirm().map(|()| None);
    }
    // From here on this name may be that of the former database, which nothing may remove.
    let (_, new) = file.keep().map_err(|error| unreplaced(error.error))?;
    if let Err(error) = renameat_with(CWD, &new, CWD, database, RenameFlags::EXCHANGE) {
        // Still the copy, which nobody needs.
        let _ = fs::remove_file(&new);
        return Err(unreplaced(error.into()));
    }
    // Where it cannot have that name, it keeps the one that it has.
    let renamed = renameat_with(CWD, &new, CWD, &former, RenameFlags::NOREPLACE);
    confirm().map(|()| Some(if renamed.is_ok() { former } else { new }))
}
