//! Where everything is written down that was done.

use std::{
    env,
    ffi::{CString, c_int},
    os::unix::ffi::OsStringExt,
};

use crate::{kernel, record::Record};

/// The variable that names the file to write it to, at its end; without it nothing is written down.
pub const LOG: &str = "AWEAVE_INJECTOR_LOG";

/// The file, once it is open.
#[derive(Debug, Default)]
pub struct Log {
    open: Option<c_int>,
}

impl Log {
    /// Writes one thing down, in one piece.
    pub fn add(&mut self, record: &Record<'_>) {
        if let Some(fd) = self.open.or_else(open) {
            self.open = Some(fd);
            let kept = record.encode();
            kernel::write(fd, kept.as_ptr().cast(), kept.len());
        }
    }
}

fn open() -> Option<c_int> {
    let path = CString::new(env::var_os(LOG)?.into_vec()).ok()?;
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND | libc::O_CLOEXEC;
    c_int::try_from(kernel::open(path.as_ptr(), flags, 0o600)).ok().filter(|fd| *fd >= 0)
}
