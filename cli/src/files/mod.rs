//! How `aw` opens files. Whoever chooses a path may have put a pipe, a device or an endless file there, and a project that
//! was cloned may have links in it. `clippy.toml` bans the functions that would open one unseen.

mod below;
mod lock;
pub mod private;

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read},
    path::Path,
};

use rustix::fs::{Mode, OFlags, open as open_descriptor};

pub use self::{
    below::{open_below, resolve_below},
    lock::{Lock, lock_within},
};

/// The most that is read of a file. It only bounds memory; the server has much lower limits of its own.
pub const MAX_BYTES: u64 = 64 << 20;

/// Comes before the text in files of some editors.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Opens a plain file to read it.
///
/// # Errors
/// If it cannot be opened, or if it is a folder, a pipe, a socket or a device.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, OFlags::RDONLY, Mode::empty())
}

/// Opens a plain file as `flags` say. A new one gets the mode `mode`.
///
/// # Errors
/// As for [`open`].
pub fn open_with(path: &Path, flags: OFlags, mode: Mode) -> io::Result<File> {
    // Opening a pipe or a device may already do something to it.
    if let Ok(metadata) = fs::metadata(path) {
        check_plain(&metadata)?;
    }
    // What came to the path meanwhile must not block.
    let flags = flags | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(open_descriptor(path, flags, mode)?);
    check_plain(&file.metadata()?)?;
    Ok(file)
}

fn check_plain(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() { Ok(()) } else { Err(io::Error::new(ErrorKind::InvalidInput, "it is not a plain file")) }
}

/// Reads a whole plain file.
///
/// # Errors
/// As for [`open`], or [`ErrorKind::FileTooLarge`] if it has more than `limit` bytes.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_to_limit(open(path)?, limit)
}

/// Reads a whole plain file with a text in UTF-8.
///
/// # Errors
/// As for [`read`], or [`ErrorKind::InvalidData`] if it is no such text.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    text_of(read(path, limit)?)
}

fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error.utf8_error()))
}

/// Reads to the end.
///
/// # Errors
/// If reading fails, or [`ErrorKind::FileTooLarge`] if there are more than `limit` bytes.
pub fn read_to_limit(source: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {limit} bytes")));
    }
    Ok(bytes)
}

/// Opens a folder.
///
/// # Errors
/// If it cannot be opened, or is none.
pub fn open_folder(folder: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(open_descriptor(folder, flags, Mode::empty())?.into())
}

#[cfg(test)]
mod tests {
    use std::{os::unix::fs::symlink, path::PathBuf};

    use rustix::fs::{CWD, mkfifoat};

    use super::*;

    #[test]
    fn only_plain_files_are_opened_and_nothing_blocks() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("plain"), "text").unwrap();
        mkfifoat(CWD, at("pipe"), Mode::RUSR | Mode::WUSR).unwrap();
        symlink("pipe", at("link")).unwrap();
        symlink("plain", at("alias")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        for name in ["plain", "alias"] {
            assert_eq!(read_text(&at(name), 4).unwrap(), "text");
        }
        let devices = ["/dev/zero", "/dev/null", "/dev/tty"].map(PathBuf::from);
        for path in ["pipe", "link", "socket", "."].map(at).iter().chain(&devices) {
            for flags in [OFlags::RDONLY, OFlags::WRONLY] {
                assert_eq!(
                    open_with(path, flags, Mode::empty()).unwrap_err().kind(),
                    ErrorKind::InvalidInput,
                    "{path:?}"
                );
            }
        }
        assert_eq!(open(&at("missing")).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn a_file_is_read_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(read(&path, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read_to_limit(io::repeat(b'a'), 1000).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }
}
