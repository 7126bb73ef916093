//! Small file systems for tests of a full disk. Mounting them needs privileges.

use std::{path::Path, process::Command};

use tempfile::TempDir;

/// A mounted tmpfs of limited size, which is unmounted on drop.
pub struct Tmpfs {
    folder: TempDir,
}

impl Tmpfs {
    /// Mounts a tmpfs of this size.
    ///
    /// # Errors
    /// The reason why it could not be mounted.
    pub fn of_kibibytes(kibibytes: usize) -> Result<Self, String> {
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

    /// The mount point.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Tmpfs {
    fn drop(&mut self) {
        // A lazy unmount works although the server may still have files open there.
        let _ = Command::new("umount").arg("--lazy").arg(self.folder.path()).status();
    }
}
