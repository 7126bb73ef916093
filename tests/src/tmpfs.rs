//! Small file systems, where this machine lets a test make them.

use std::{path::Path, process::Command};

use tempfile::TempDir;

/// A file system of its own that keeps so much and no more, gone with this.
pub struct Mount {
    folder: TempDir,
}

impl Mount {
    /// One of so many KiB.
    ///
    /// # Errors
    /// Why there can be none.
    pub fn of(kibibytes: usize) -> Result<Self, String> {
        let folder = TempDir::new().expect("a temporary folder");
        let size = format!("size={kibibytes}k,mode=700");
        let output =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "aweave-test"]).arg(folder.path()).output();
        match output {
            Ok(output) if output.status.success() => Ok(Self { folder }),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
            Err(error) => Err(format!("mount: {error}")),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        // Whoever still has a file open there keeps what is in it, and nobody else finds it.
        let _ = Command::new("umount").arg("--lazy").arg(self.folder.path()).status();
    }
}
