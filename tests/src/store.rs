//! Where a server under test keeps its debates.

use std::path::{Path, PathBuf};

/// One server's database, with the folder it may write to.
pub struct Store {
    path: PathBuf,
}

impl Store {
    /// An empty store below `folder`, gone together with it.
    pub fn fresh(folder: &Path) -> Self {
        Self { path: folder.join("data").join("debate.db") }
    }

    /// The environment that points a server at it.
    pub fn env(&self) -> Vec<(String, String)> {
        vec![("DEBATE_DB_PATH".to_owned(), self.path.to_str().expect("temporary folders have plain names").to_owned())]
    }

    /// The database file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
