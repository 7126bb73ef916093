//! Where a server under test keeps its debates.

use std::{
    fs,
    path::{Path, PathBuf},
};

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

    /// Writes something else of the same length wherever the database of a stopped server says this.
    pub fn damage(&self, says: &str, instead: &str) {
        assert_eq!(says.len(), instead.len());
        let mut bytes = fs::read(&self.path).expect("the database is there");
        let places: Vec<usize> =
            bytes.windows(says.len()).enumerate().filter(|(_, at)| *at == says.as_bytes()).map(|(at, _)| at).collect();
        assert!(!places.is_empty(), "the database nowhere says {says}");
        for at in places {
            bytes[at..at + says.len()].copy_from_slice(instead.as_bytes());
        }
        fs::write(&self.path, bytes).expect("the database can be written");
    }
}
