//! Reads the files that settings name. Everything that the server reads as a whole is read here.

use std::{
    fs::File,
    io::{self, Read},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
};

use rustix::{
    fs::{Mode, OFlags},
    process::geteuid,
};

/// The permissions with which others may write a file.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// The permissions with which others may do anything with a file.
const GROUP_AND_OTHER_BITS: u32 = 0o077;

/// Reads a file with a secret of at most `max_bytes`. Warns where other users can read it; `kind` says what it is.
///
/// # Errors
/// If it is a folder, a pipe or a device, if another user owns it or may write to it, or if it is larger or is not UTF-8.
pub(crate) fn read_secret(kind: &str, path: &Path, max_bytes: u64) -> io::Result<String> {
    // A pipe would be waited for until somebody writes into it.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let found = file.metadata()?;
    let (mode, owner, user) = (found.permissions().mode(), found.uid(), geteuid().as_raw());
    if !found.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    // Root can change any file, and owns those that a system hands to a service.
    if owner != user && owner != 0 {
        return Err(io::Error::other(format!("it belongs to user {owner}, and this server runs as user {user}")));
    }
    if mode & WRITABLE_BY_OTHERS != 0 {
        return Err(io::Error::other("other users can write to it: check what it contains, and run chmod 600 on it"));
    }
    if mode & GROUP_AND_OTHER_BITS != 0 {
        tracing::warn!(path = %path.display(), "other users can read this {kind}: run chmod 600 on it");
    }
    let mut text = String::new();
    file.take(max_bytes + 1).read_to_string(&mut text)?;
    if text.len() as u64 > max_bytes {
        return Err(io::Error::other(format!("it has more than {max_bytes} bytes")));
    }
    Ok(text)
}
