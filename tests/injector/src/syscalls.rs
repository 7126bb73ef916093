//! Direct system calls, which bypass the replaced libc functions.

use std::ffi::{CStr, c_char, c_int, c_long, c_uint, c_void};

use libc::{AT_FDCWD, SEEK_CUR, mode_t, off_t, size_t, timespec};

macro_rules! syscall {
    ($call:ident $(, $argument:expr)*) => {
        // SAFETY: the arguments are those that the program passed to the same libc function.
        unsafe { libc::syscall(libc::$call $(, $argument)*) }
    };
}

pub fn open(path: *const c_char, flags: c_int, mode: mode_t) -> c_long {
    syscall!(SYS_openat, AT_FDCWD, path, flags, mode)
}

pub fn close(fd: c_int) {
    syscall!(SYS_close, fd);
}

pub fn read(fd: c_int, buffer: &mut [u8]) -> c_long {
    syscall!(SYS_read, fd, buffer.as_mut_ptr(), buffer.len())
}

pub fn read_at(fd: c_int, buffer: *mut c_void, count: size_t, at: off_t) -> c_long {
    syscall!(SYS_pread64, fd, buffer, count, at)
}

pub fn write(fd: c_int, buffer: *const c_void, count: size_t) -> c_long {
    syscall!(SYS_write, fd, buffer, count)
}

pub fn write_at(fd: c_int, buffer: *const c_void, count: size_t, at: off_t) -> c_long {
    syscall!(SYS_pwrite64, fd, buffer, count, at)
}

/// The current file offset.
pub fn position(fd: c_int) -> off_t {
    syscall!(SYS_lseek, fd, 0, SEEK_CUR)
}

pub fn truncate(fd: c_int, to: off_t) -> c_long {
    syscall!(SYS_ftruncate, fd, to)
}

pub fn sync(fd: c_int) -> c_long {
    syscall!(SYS_fsync, fd)
}

pub fn sync_data(fd: c_int) -> c_long {
    syscall!(SYS_fdatasync, fd)
}

pub fn unlink(path: *const c_char) -> c_long {
    syscall!(SYS_unlinkat, AT_FDCWD, path, 0)
}

pub fn read_link(path: &CStr, buffer: &mut [u8]) -> c_long {
    syscall!(SYS_readlinkat, AT_FDCWD, path.as_ptr(), buffer.as_mut_ptr(), buffer.len())
}

pub fn random(buffer: *mut c_void, count: size_t, flags: c_uint) -> c_long {
    syscall!(SYS_getrandom, buffer, count, flags)
}

pub fn clock(which: c_int, time: *mut timespec) -> c_long {
    syscall!(SYS_clock_gettime, which, time)
}

/// Sets `errno` and returns -1.
pub fn fail_with(errno: c_int) -> c_long {
    // SAFETY: `errno` belongs to this thread.
    unsafe { *libc::__errno_location() = errno };
    -1
}
