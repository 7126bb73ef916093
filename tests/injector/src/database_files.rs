//! Recognises the files of the database by path or file descriptor.

use std::{
    env,
    ffi::{CStr, CString, c_char, c_int},
    os::unix::ffi::OsStringExt,
    sync::OnceLock,
};

use crate::{log_record::File, syscalls};

/// The environment variable with the canonical path of the database.
const DATABASE: &str = "AWEAVE_INJECTOR_DATABASE";

/// The buffer size for a path, in bytes.
const MAX_PATH: usize = 4096;

/// The database file that a descriptor refers to, if any.
pub fn of_descriptor(fd: c_int) -> Option<File> {
    let link = CString::new(format!("/proc/self/fd/{fd}")).ok()?;
    let mut buffer = [0; MAX_PATH];
    let length = syscalls::read_link(&link, &mut buffer);
    of_bytes(buffer.get(..usize::try_from(length).ok()?)?)
}

/// The database file with this path, if any.
pub fn of_path(path: *const c_char) -> Option<File> {
    // SAFETY: the program passed it as a path.
    of_bytes(unsafe { CStr::from_ptr(path) }.to_bytes())
}

fn of_bytes(path: &[u8]) -> Option<File> {
    static DATABASE_PATH: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    let database = DATABASE_PATH.get_or_init(|| env::var_os(DATABASE).map(OsStringExt::into_vec)).as_ref()?;
    match path.strip_prefix(database.as_slice()) {
        Some(b"") => Some(File::Database),
        Some(b"-wal") => Some(File::Log),
        Some(b"-journal") => Some(File::Journal),
        Some(b"-shm") => Some(File::Index),
        Some(_) => None,
        None => {
            let below = database.strip_prefix(path)?.strip_prefix(b"/")?;
            match below.iter().filter(|byte| **byte == b'/').count() {
                0 => Some(File::Folder),
                1 => Some(File::ParentFolder),
                _ => None,
            }
        }
    }
}
