//! The log of all operations on the database files.

use std::{
    env,
    ffi::{CString, c_int},
    os::unix::ffi::OsStringExt,
};

use crate::{log_record::Record, syscalls};

/// The environment variable with the path of the log file, which is appended to. Without it nothing is logged.
pub const LOG: &str = "AWEAVE_INJECTOR_LOG";

/// The log file, opened at the first record.
#[derive(Debug, Default)]
pub struct OperationLog {
    open: Option<c_int>,
}

impl OperationLog {
    /// Appends a record in one write.
    pub fn append(&mut self, record: &Record<'_>) {
        if let Some(fd) = self.open.or_else(open) {
            self.open = Some(fd);
            let bytes = record.encode();
            syscalls::write(fd, bytes.as_ptr().cast(), bytes.len());
        }
    }
}

fn open() -> Option<c_int> {
    let path = CString::new(env::var_os(LOG)?.into_vec()).ok()?;
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND | libc::O_CLOEXEC;
    c_int::try_from(syscalls::open(path.as_ptr(), flags, 0o600)).ok().filter(|fd| *fd >= 0)
}
