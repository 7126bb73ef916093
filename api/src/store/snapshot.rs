//! A file with all that a database held at one moment.

use std::path::Path;

use tempfile::NamedTempFile;

use super::{
    backend::{self, Location},
    error::{OpenError, StoreError},
    place,
    verify::{Verified, VerifyError, verify},
};

/// Why there is no copy of a database.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The database cannot be read, or is damaged.
    #[error("{from} cannot be copied: {reason}")]
    Source {
        /// The database
        from: String,
        /// Why
        reason: VerifyError,
    },
    /// The copy cannot be written.
    #[error("{from} cannot be copied into {folder}: {reason}; check that there is room, and that you may write there")]
    Target {
        /// The database
        from: String,
        /// Where the copy was to be
        folder: String,
        /// Why
        reason: String,
    },
}

/// A copy that has no name of its own yet, and is gone when it is given up.
pub(super) struct Snapshot {
    from: String,
    /// Readable by its owner only
    file: NamedTempFile,
}

impl Snapshot {
    /// Copies the database, also while a server writes to it, into the folder of `target`.
    pub async fn take(from: &Path, target: &Path) -> Result<Self, SnapshotError> {
        let folder = place::folder(target);
        let unwritable = |reason: String| SnapshotError::Target {
            from: from.display().to_string(),
            folder: folder.display().to_string(),
            reason,
        };
        let source = |reason: VerifyError| SnapshotError::Source { from: from.display().to_string(), reason };
        let location = Location::of_file(from);
        let connection = backend::open_to_read(&location).await.map_err(|error| source(error.into()))?;
        // A copy would not show what is damaged below the rows: it would be without it.
        backend::check_pages(&location, &connection).await.map_err(|error| source(error.into()))?;
        let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = tempfile::Builder::new()
            .prefix(&format!(".{name}."))
            .suffix(".partial")
            // What SQLite is told has to be a plain path, never a URI.
            .tempfile_in(std::path::absolute(folder).map_err(|error| unwritable(error.to_string()))?)
            .map_err(|error| unwritable(error.to_string()))?;
        backend::copy_into(&connection, file.path()).await.map_err(|error| unwritable(error.to_string()))?;
        connection.close().await.map_err(|error| source(StoreError::from(error).into()))?;
        Ok(Self { from: from.display().to_string(), file })
    }

    /// Where it is for now.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Makes sure that all of it is in order, and on the disk for good.
    pub async fn check(&self) -> Result<Verified, SnapshotError> {
        let source = |reason: VerifyError| SnapshotError::Source { from: self.from.clone(), reason };
        let verified = verify(&Location::of_file(self.path())).await.map_err(source)?;
        let synced = self.file.as_file().sync_all();
        synced.map_err(|error| {
            source(OpenError::File { path: self.path().display().to_string(), source: error }.into())
        })?;
        Ok(verified)
    }

    /// The file, to be given a name.
    pub fn into_file(self) -> NamedTempFile {
        self.file
    }
}
