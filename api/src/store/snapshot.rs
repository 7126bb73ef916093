//! A file with all that a database held at one moment.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use tempfile::{Builder, NamedTempFile};

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

/// What follows on the name of a copy: nothing, or what SQLite has beside it.
const BESIDE: [&str; 4] = ["", "-journal", "-wal", "-shm"];

/// How the name ends that a copy has for now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// One that nobody needs who did not make it
    Unfinished,
    /// One that may have become the only name of a database, which nothing may remove
    Partial,
}

impl Ending {
    fn as_str(self) -> &'static str {
        match self {
            Self::Unfinished => ".unfinished",
            Self::Partial => ".partial",
        }
    }
}

/// A copy that has no name of its own yet, and is gone when it is given up.
pub(super) struct Snapshot {
    from: String,
    /// Readable by its owner only
    file: NamedTempFile,
    /// Keeps others from taking it for left over
    _at_work: File,
}

impl Snapshot {
    /// Copies the database, also while a server writes to it, into the folder of `target`.
    pub async fn take(from: &Path, target: &Path, ending: Ending) -> Result<Self, SnapshotError> {
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
        let prefix = format!(".{}.", target.file_name().unwrap_or_default().to_string_lossy());
        let at_work = at_work(folder, &prefix, ending).map_err(|error| unwritable(error.to_string()))?;
        let file = Builder::new()
            .prefix(&prefix)
            .suffix(ending.as_str())
            // What SQLite is told has to be a plain path, never a URI.
            .tempfile_in(std::path::absolute(folder).map_err(|error| unwritable(error.to_string()))?)
            .map_err(|error| unwritable(error.to_string()))?;
        backend::copy_into(&connection, file.path()).await.map_err(|error| unwritable(error.to_string()))?;
        connection.close().await.map_err(|error| source(StoreError::from(error).into()))?;
        Ok(Self { from: from.display().to_string(), file, _at_work: at_work })
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

/// Marks the folder as one in which somebody makes a copy, for as long as this lives, and removes what is left of those
/// who were killed at it. Where others are at work there, that is left to the next.
fn at_work(folder: &Path, prefix: &str, ending: Ending) -> io::Result<File> {
    let mark = File::open(folder)?;
    if ending == Ending::Unfinished && mark.try_lock().is_ok() {
        remove_leftovers(folder, prefix, ending.as_str())?;
    }
    // Whoever has it for himself, such as a script around this, keeps those away who would remove something.
    let _ = mark.try_lock_shared();
    Ok(mark)
}

fn remove_leftovers(folder: &Path, prefix: &str, ending: &str) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let after = name.strip_prefix(prefix).and_then(|rest| rest.split_once(ending)).map(|(_, after)| after);
        if after.is_some_and(|after| BESIDE.contains(&after)) && entry.file_type()?.is_file() {
            tracing::info!(file = %entry.path().display(), "what an interrupted backup left is removed");
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
