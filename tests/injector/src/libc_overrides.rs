//! The calls that a program makes of libc and that end up here instead.

use std::{
    ffi::{c_char, c_int, c_void},
    ptr, slice,
};

use libc::{CLOCK_REALTIME, CLOCK_REALTIME_COARSE, mode_t, off_t, size_t, ssize_t, time_t, timespec, timeval};

use crate::{
    files, kernel,
    record::Event,
    state::{self, carry_out},
};

/// What was written, of which the kernel took `done` bytes.
///
/// # Safety
/// `buffer` has at least so many bytes.
unsafe fn written<'a>(at: off_t, buffer: *const c_void, done: usize) -> Option<Event<'a>> {
    // SAFETY: the caller promises it.
    let bytes = unsafe { slice::from_raw_parts(buffer.cast(), done) };
    Some(Event::Written { at: at.try_into().ok()?, bytes })
}

fn write_at(fd: c_int, buffer: *const c_void, count: size_t, at: off_t) -> ssize_t {
    let real = || kernel::write_at(fd, buffer, count, at);
    let done = match files::behind(fd) {
        // SAFETY: the kernel has taken so many bytes from there.
        Some(file) => carry_out("write", file, real, |done| unsafe { written(at, buffer, done) }),
        None => real(),
    };
    done as ssize_t
}

fn read_at(fd: c_int, buffer: *mut c_void, count: size_t, at: off_t) -> ssize_t {
    let real = || kernel::read_at(fd, buffer, count, at);
    let done = match files::behind(fd) {
        Some(file) => carry_out("read", file, real, |_| None),
        None => real(),
    };
    done as ssize_t
}

fn truncate(fd: c_int, to: off_t) -> c_int {
    let real = || kernel::truncate(fd, to);
    let done = match files::behind(fd) {
        Some(file) => carry_out("truncate", file, real, |_| Some(Event::Truncated { to: to.try_into().ok()? })),
        None => real(),
    };
    done as c_int
}

fn open_at(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    let real = || kernel::open(path, flags, mode);
    let done = match files::at(path) {
        Some(file) => carry_out("open", file, real, |_| None),
        None => real(),
    };
    done as c_int
}

/// Stands for libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn pwrite(fd: c_int, buffer: *const c_void, count: size_t, at: off_t) -> ssize_t {
    write_at(fd, buffer, count, at)
}

/// Stands for libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn pwrite64(fd: c_int, buffer: *const c_void, count: size_t, at: off_t) -> ssize_t {
    write_at(fd, buffer, count, at)
}

/// Stands for libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn write(fd: c_int, buffer: *const c_void, count: size_t) -> ssize_t {
    let real = || kernel::write(fd, buffer, count);
    let done = match files::behind(fd) {
        Some(file) => {
            let at = kernel::place(fd);
            // SAFETY: the kernel has taken so many bytes from there.
            carry_out("write", file, real, |done| unsafe { written(at, buffer, done) })
        }
        None => real(),
    };
    done as ssize_t
}

/// Stands for libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn pread(fd: c_int, buffer: *mut c_void, count: size_t, at: off_t) -> ssize_t {
    read_at(fd, buffer, count, at)
}

/// Stands for libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn pread64(fd: c_int, buffer: *mut c_void, count: size_t, at: off_t) -> ssize_t {
    read_at(fd, buffer, count, at)
}

/// Stands for libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn ftruncate(fd: c_int, to: off_t) -> c_int {
    truncate(fd, to)
}

/// Stands for libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn ftruncate64(fd: c_int, to: off_t) -> c_int {
    truncate(fd, to)
}

/// Stands for libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn fsync(fd: c_int) -> c_int {
    let real = || kernel::sync(fd);
    let done = match files::behind(fd) {
        Some(file) => carry_out("sync", file, real, |_| Some(Event::Synced)),
        None => real(),
    };
    done as c_int
}

/// Stands for libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn fdatasync(fd: c_int) -> c_int {
    let real = || kernel::sync_data(fd);
    let done = match files::behind(fd) {
        Some(file) => carry_out("sync", file, real, |_| Some(Event::Synced)),
        None => real(),
    };
    done as c_int
}

/// Stands for libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn unlink(path: *const c_char) -> c_int {
    let real = || kernel::unlink(path);
    let done = match files::at(path) {
        Some(file) => carry_out("unlink", file, real, |_| Some(Event::Unlinked)),
        None => real(),
    };
    done as c_int
}

/// Stands for libc's, which takes the mode only where it makes a file; there is none in its place otherwise, nor used.
#[unsafe(no_mangle)]
unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    open_at(path, flags, mode)
}

/// Stands for libc's, as above.
#[unsafe(no_mangle)]
unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    open_at(path, flags, mode)
}

/// Stands for libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn clock_gettime(which: c_int, time: *mut timespec) -> c_int {
    let done = kernel::clock(which, time);
    if done == 0 && [CLOCK_REALTIME, CLOCK_REALTIME_COARSE].contains(&which) {
        // SAFETY: the kernel has just written there.
        unsafe { (*time).tv_sec += state::clock() };
    }
    done as c_int
}

/// Stands for libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn gettimeofday(time: *mut timeval, _zone: *mut c_void) -> c_int {
    let now = now();
    // SAFETY: the caller gives a place for it.
    unsafe { *time = timeval { tv_sec: now.tv_sec, tv_usec: now.tv_nsec / 1_000 } };
    0
}

/// Stands for libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn time(place: *mut time_t) -> time_t {
    let now = now().tv_sec;
    if !place.is_null() {
        // SAFETY: the caller gives a place for it.
        unsafe { *place = now };
    }
    now
}

fn now() -> timespec {
    let mut now = timespec { tv_sec: 0, tv_nsec: 0 };
    kernel::clock(CLOCK_REALTIME, ptr::from_mut(&mut now));
    now.tv_sec += state::clock();
    now
}
