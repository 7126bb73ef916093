//! A temporary copy of a database file, made from a snapshot.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use sea_orm::DbErr;
use tempfile::{Builder, NamedTempFile};

use super::{
    backend::{self, Location},
    database_file,
    error::{OpenError, StoreError},
    verify::Verified,
    verify::{VerifyError, verify},
};

/// Why a database was not copied.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The database cannot be read, or is damaged.
    #[error("{from} cannot be copied: {reason}")]
    Source {
        /// The database
        from: String,
        /// The error
        reason: Box<VerifyError>,
    },
    /// The copy cannot be written.
    #[error("{from} cannot be copied into {folder}: {reason}; check that there is room, and that you may write there")]
    Target {
        /// The database
        from: String,
        /// The folder of the copy
        folder: String,
        /// The error
        reason: String,
    },
}

/// What follows the temporary name of a copy and of the files that SQLite creates beside it.
const COMPANIONS: [&str; 4] = ["", "-journal", "-wal", "-shm"];

/// The suffix of the temporary file name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TempSuffix {
    /// A leftover of this name can be removed
    Unfinished,
    /// A leftover of this name may be the only copy of a database, and must be kept
    Partial,
}

impl TempSuffix {
    fn as_str(self) -> &'static str {
        match self {
            Self::Unfinished => ".unfinished",
            Self::Partial => ".partial",
        }
    }
}

/// A copy under a temporary name, deleted on drop.
pub(super) struct Snapshot {
    from: String,
    /// Readable by its owner only
    file: NamedTempFile,
    /// Keeps other processes from removing the copy as a leftover
    _folder_lock: File,
}

impl Snapshot {
    /// Copies the database into the folder of `target`, also while a server uses it.
    pub async fn take(from: &Path, target: &Path, suffix: TempSuffix) -> Result<Self, SnapshotError> {
        let folder = database_file::folder(target);
        let unwritable = |reason: String| SnapshotError::Target {
            from: from.display().to_string(),
            folder: folder.display().to_string(),
            reason,
        };
        let source =
            |reason: VerifyError| SnapshotError::Source { from: from.display().to_string(), reason: reason.into() };
        let location = Location::of_file(from);
        let connection = backend::open_to_read(&location).await.map_err(|error| source(error.into()))?;
        // Damaged pages have to be found here: the copy has new ones.
        let damage = backend::damaged_pages(&location, &connection).await.map_err(|error| source(error.into()))?;
        if let Some(damage) = damage.first() {
            return Err(source(StoreError::Unexpected(DbErr::Custom(format!("the file is damaged: {damage}"))).into()));
        }
        let prefix = format!(".{}.", target.file_name().unwrap_or_default().to_string_lossy());
        let folder_lock = lock_folder(folder, &prefix, suffix).map_err(|error| unwritable(error.to_string()))?;
        let file = Builder::new()
            .prefix(&prefix)
            .suffix(suffix.as_str())
            // SQLite would take some relative paths for URIs.
            .tempfile_in(std::path::absolute(folder).map_err(|error| unwritable(error.to_string()))?)
            .map_err(|error| unwritable(error.to_string()))?;
        backend::vacuum_into(&connection, file.path()).await.map_err(|error| unwritable(error.to_string()))?;
        connection.close().await.map_err(|error| source(StoreError::from(error).into()))?;
        Ok(Self { from: from.display().to_string(), file, _folder_lock: folder_lock })
    }

    /// The temporary path.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Verifies the copy and syncs it to disk.
    pub async fn check(&self) -> Result<Verified, SnapshotError> {
        let source = |reason: VerifyError| SnapshotError::Source { from: self.from.clone(), reason: reason.into() };
        let verified = verify(&Location::of_file(self.path())).await.map_err(source)?;
        let synced = self.file.as_file().sync_all();
        synced.map_err(|error| {
            source(OpenError::File { path: self.path().display().to_string(), source: error }.into())
        })?;
        Ok(verified)
    }

    /// The file, to be renamed.
    pub fn into_file(self) -> NamedTempFile {
        self.file
    }
}

/// Locks the folder while a copy is made, and removes the leftovers of killed processes, unless another process makes a copy
/// there right now.
fn lock_folder(folder: &Path, prefix: &str, suffix: TempSuffix) -> io::Result<File> {
    let lock = File::open(folder)?;
    if suffix == TempSuffix::Unfinished && lock.try_lock().is_ok() {
        remove_leftovers(folder, prefix, suffix.as_str())?;
    }
    // If this fails, another process has an exclusive lock, which keeps others from removing leftovers as well.
    let _ = lock.try_lock_shared();
    Ok(lock)
}

fn remove_leftovers(folder: &Path, prefix: &str, suffix: &str) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let after = name.strip_prefix(prefix).and_then(|rest| rest.split_once(suffix)).map(|(_, after)| after);
        if after.is_some_and(|after| COMPANIONS.contains(&after)) && entry.file_type()?.is_file() {
            tracing::info!(file = %entry.path().display(), "removing the leftover of an interrupted backup");
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
