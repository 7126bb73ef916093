//! The calls as the kernel takes them, past everything that is called the same here.

use std::ffi::{CStr, c_char, c_int, c_long, c_void};

use libc::{AT_FDCWD, SEEK_CUR, mode_t, off_t, size_t, timespec};

macro_rules! ask {
    ($call:ident $(, $argument:expr)*) => {
        // SAFETY: the arguments are those that the caller gave for the very same call.
        unsafe { libc::syscall(libc::$call $(, $argument)*) }
    };
}

pub fn open(path: *const c_char, flags: c_int, mode: mode_t) -> c_long {
    ask!(SYS_openat, AT_FDCWD, path, flags, mode)
}

pub fn close(fd: c_int) {
    ask!(SYS_close, fd);
}

pub fn read(fd: c_int, buffer: &mut [u8]) -> c_long {
    ask!(SYS_read, fd, buffer.as_mut_ptr(), buffer.len())
}

pub fn read_at(fd: c_int, buffer: *mut c_void, count: size_t, at: off_t) -> c_long {
    ask!(SYS_pread64, fd, buffer, count, at)
}

pub fn write(fd: c_int, buffer: *const c_void, count: size_t) -> c_long {
    ask!(SYS_write, fd, buffer, count)
}

pub fn write_at(fd: c_int, buffer: *const c_void, count: size_t, at: off_t) -> c_long {
    ask!(SYS_pwrite64, fd, buffer, count, at)
}

/// How far into the file the next plain write goes.
pub fn place(fd: c_int) -> off_t {
    ask!(SYS_lseek, fd, 0, SEEK_CUR)
}

pub fn truncate(fd: c_int, to: off_t) -> c_long {
    ask!(SYS_ftruncate, fd, to)
}

pub fn sync(fd: c_int) -> c_long {
    ask!(SYS_fsync, fd)
}

pub fn sync_data(fd: c_int) -> c_long {
    ask!(SYS_fdatasync, fd)
}

pub fn unlink(path: *const c_char) -> c_long {
    ask!(SYS_unlinkat, AT_FDCWD, path, 0)
}

pub fn read_link(path: &CStr, buffer: &mut [u8]) -> c_long {
    ask!(SYS_readlinkat, AT_FDCWD, path.as_ptr(), buffer.as_mut_ptr(), buffer.len())
}

pub fn clock(which: c_int, time: *mut timespec) -> c_long {
    ask!(SYS_clock_gettime, which, time)
}

/// What the caller finds as the reason of a failure.
pub fn fail_with(errno: c_int) -> c_long {
    // SAFETY: the place is this thread's own.
    unsafe { *libc::__errno_location() = errno };
    -1
}
