//! The libc functions that this library replaces in the program it is preloaded into.

use std::{
    ffi::{c_char, c_int, c_uint, c_void},
    ptr, slice,
};

use libc::{CLOCK_REALTIME, CLOCK_REALTIME_COARSE, mode_t, off_t, size_t, ssize_t, time_t, timespec, timeval};

use crate::{
    database_files,
    log_record::Event,
    state::{self, intercept},
    syscalls,
};

/// The log event of a write of which the kernel took `done` bytes.
///
/// # Safety
/// `buffer` has at least `done` bytes.
unsafe fn written<'a>(at: off_t, buffer: *const c_void, done: usize) -> Option<Event<'a>> {
    // SAFETY: the caller guarantees the length of the buffer.
    let bytes = unsafe { slice::from_raw_parts(buffer.cast(), done) };
    Some(Event::Written { at: at.try_into().ok()?, bytes })
}

fn write_at(fd: c_int, buffer: *const c_void, count: size_t, at: off_t) -> ssize_t {
    let real = || syscalls::write_at(fd, buffer, count, at);
    let done = match database_files::of_descriptor(fd) {
        // SAFETY: the kernel has read `done` bytes from the buffer.
        Some(file) => intercept("write", file, real, |done| unsafe { written(at, buffer, done) }),
        None => real(),
    };
    done as ssize_t
}

fn read_at(fd: c_int, buffer: *mut c_void, count: size_t, at: off_t) -> ssize_t {
    let real = || syscalls::read_at(fd, buffer, count, at);
    let done = match database_files::of_descriptor(fd) {
        Some(file) => intercept("read", file, real, |_| None),
        None => real(),
    };
    done as ssize_t
}

fn truncate(fd: c_int, to: off_t) -> c_int {
    let real = || syscalls::truncate(fd, to);
    let done = match database_files::of_descriptor(fd) {
        Some(file) => intercept("truncate", file, real, |_| Some(Event::Truncated { to: to.try_into().ok()? })),
        None => real(),
    };
    done as c_int
}

fn open_at(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    let real = || syscalls::open(path, flags, mode);
    let done = match database_files::of_path(path) {
        Some(file) => intercept("open", file, real, |_| None),
        None => real(),
    };
    done as c_int
}

/// Replaces libc's `pwrite`.
#[unsafe(no_mangle)]
unsafe extern "C" fn pwrite(fd: c_int, buffer: *const c_void, count: size_t, at: off_t) -> ssize_t {
    write_at(fd, buffer, count, at)
}

/// Replaces libc's `pwrite64`.
#[unsafe(no_mangle)]
unsafe extern "C" fn pwrite64(fd: c_int, buffer: *const c_void, count: size_t, at: off_t) -> ssize_t {
    write_at(fd, buffer, count, at)
}

/// Replaces libc's `write`.
#[unsafe(no_mangle)]
unsafe extern "C" fn write(fd: c_int, buffer: *const c_void, count: size_t) -> ssize_t {
    let real = || syscalls::write(fd, buffer, count);
    let done = match database_files::of_descriptor(fd) {
        Some(file) => {
            let at = syscalls::position(fd);
            // SAFETY: the kernel has read `done` bytes from the buffer.
            intercept("write", file, real, |done| unsafe { written(at, buffer, done) })
        }
        None => real(),
    };
    done as ssize_t
}

/// Replaces libc's `pread`.
#[unsafe(no_mangle)]
unsafe extern "C" fn pread(fd: c_int, buffer: *mut c_void, count: size_t, at: off_t) -> ssize_t {
    read_at(fd, buffer, count, at)
}

/// Replaces libc's `pread64`.
#[unsafe(no_mangle)]
unsafe extern "C" fn pread64(fd: c_int, buffer: *mut c_void, count: size_t, at: off_t) -> ssize_t {
    read_at(fd, buffer, count, at)
}

/// Replaces libc's `ftruncate`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ftruncate(fd: c_int, to: off_t) -> c_int {
    truncate(fd, to)
}

/// Replaces libc's `ftruncate64`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ftruncate64(fd: c_int, to: off_t) -> c_int {
    truncate(fd, to)
}

/// Replaces libc's `fsync`.
#[unsafe(no_mangle)]
unsafe extern "C" fn fsync(fd: c_int) -> c_int {
    let real = || syscalls::sync(fd);
    let done = match database_files::of_descriptor(fd) {
        Some(file) => intercept("sync", file, real, |_| Some(Event::Synced)),
        None => real(),
    };
    done as c_int
}

/// Replaces libc's `fdatasync`.
#[unsafe(no_mangle)]
unsafe extern "C" fn fdatasync(fd: c_int) -> c_int {
    let real = || syscalls::sync_data(fd);
    let done = match database_files::of_descriptor(fd) {
        Some(file) => intercept("sync", file, real, |_| Some(Event::Synced)),
        None => real(),
    };
    done as c_int
}

/// Replaces libc's `unlink`.
#[unsafe(no_mangle)]
unsafe extern "C" fn unlink(path: *const c_char) -> c_int {
    let real = || syscalls::unlink(path);
    let done = match database_files::of_path(path) {
        Some(file) => intercept("unlink", file, real, |_| Some(Event::Unlinked)),
        None => real(),
    };
    done as c_int
}

/// Replaces libc's variadic `open`. The mode is only passed, and only used, when a file is created.
#[unsafe(no_mangle)]
unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    open_at(path, flags, mode)
}

/// Replaces libc's `open64`, see [`open`].
#[unsafe(no_mangle)]
unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    open_at(path, flags, mode)
}

/// Replaces libc's `clock_gettime`.
#[unsafe(no_mangle)]
unsafe extern "C" fn clock_gettime(which: c_int, time: *mut timespec) -> c_int {
    let done = syscalls::clock(which, time);
    if done == 0 && [CLOCK_REALTIME, CLOCK_REALTIME_COARSE].contains(&which) {
        // SAFETY: the kernel has just written the time there.
        unsafe { (*time).tv_sec += state::clock_offset() };
    }
    done as c_int
}

/// Replaces libc's `getrandom`.
#[unsafe(no_mangle)]
unsafe extern "C" fn getrandom(buffer: *mut c_void, count: size_t, flags: c_uint) -> ssize_t {
    let done = if state::has_no_random_numbers() {
        syscalls::fail_with(libc::EIO)
    } else {
        syscalls::random(buffer, count, flags)
    };
    done as ssize_t
}

/// Replaces libc's `gettimeofday`.
#[unsafe(no_mangle)]
unsafe extern "C" fn gettimeofday(time: *mut timeval, _zone: *mut c_void) -> c_int {
    let now = now();
    // SAFETY: the caller passes a valid pointer.
    unsafe { *time = timeval { tv_sec: now.tv_sec, tv_usec: now.tv_nsec / 1_000 } };
    0
}

/// Replaces libc's `time`.
#[unsafe(no_mangle)]
unsafe extern "C" fn time(place: *mut time_t) -> time_t {
    let now = now().tv_sec;
    if !place.is_null() {
        // SAFETY: the caller passes a valid pointer.
        unsafe { *place = now };
    }
    now
}

fn now() -> timespec {
    let mut now = timespec { tv_sec: 0, tv_nsec: 0 };
    syscalls::clock(CLOCK_REALTIME, ptr::from_mut(&mut now));
    now.tv_sec += state::clock_offset();
    now
}
