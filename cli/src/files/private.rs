//! Files that nobody but this user may change: keys, and what else `aw` keeps in `~/.aweave`.

use std::{
    env,
    fs::DirBuilder,
    io::{self, ErrorKind, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
};

use rustix::process::geteuid;

/// What the names of the folders begin with in which a run starts programs.
pub const START_PREFIX: &str = "aw-run-";

/// The folder in which `aw` keeps what is this user's; none without a home folder. A relative one would be in whatever folder the
/// command is run in.
pub fn aweave_folder() -> Option<PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute())?;
    Some(home.join(".aweave"))
}

/// Makes a folder that only this user may enter, with those above it that are not there.
///
/// # Errors
/// If it cannot be made.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Makes a folder as [`make_folder`] does, and checks that files can be made in it and the disk has room for them.
///
/// # Errors
/// If that is not so.
pub fn make_usable_folder(folder: &Path) -> io::Result<()> {
    make_folder(folder)?;
    tempfile::tempfile_in(folder)?.write_all(b"\n")
}

/// Reads a file whose text is trusted since it is this user's.
///
/// # Errors
/// As for [`super::read_text`], and if another user owns the file or may write it.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let file = super::open(path)?;
    let metadata = file.metadata()?;
    let refused = if metadata.uid() != geteuid().as_raw() {
        "it belongs to another user, who may know and change it".to_owned()
    } else if metadata.mode() & 0o022 != 0 {
        let mode = metadata.mode() & 0o777;
        format!("others may write it (mode {mode:03o}); if nobody did, chmod 600 mends it")
    } else {
        return super::text_of(super::read_to_limit(file, limit)?);
    };
    Err(io::Error::new(ErrorKind::PermissionDenied, refused))
}
