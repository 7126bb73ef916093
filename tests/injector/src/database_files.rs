//! Which file is meant.

use std::{
    env,
    ffi::{CStr, CString, c_char, c_int},
    os::unix::ffi::OsStringExt,
    sync::OnceLock,
};

use crate::{kernel, record::File};

/// The variable that names the database, by the path that the kernel knows it by.
const DATABASE: &str = "AWEAVE_INJECTOR_DATABASE";

/// Longer than any path here.
const LONGEST: usize = 4096;

/// Which file of the database is open there, if it is one.
pub fn behind(fd: c_int) -> Option<File> {
    let link = CString::new(format!("/proc/self/fd/{fd}")).ok()?;
    let mut buffer = [0; LONGEST];
    let length = kernel::read_link(&link, &mut buffer);
    called(buffer.get(..usize::try_from(length).ok()?)?)
}

/// Which file of the database has this path, if it is one.
pub fn at(path: *const c_char) -> Option<File> {
    // SAFETY: it was given to a call that takes a path.
    called(unsafe { CStr::from_ptr(path) }.to_bytes())
}

fn called(path: &[u8]) -> Option<File> {
    static WATCHED: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    let database = WATCHED.get_or_init(|| env::var_os(DATABASE).map(OsStringExt::into_vec)).as_ref()?;
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
                1 => Some(File::Above),
                _ => None,
            }
        }
    }
}
