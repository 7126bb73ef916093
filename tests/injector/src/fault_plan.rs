//! What is to fail, read from a file before each call, so that a test can change its mind while the server runs.
//!
//! A line `fail CALL ERRNO SKIPPED TIMES` lets a call fail so many times after so many that succeed, counted from when
//! the file was last changed; `die CALL SKIPPED` ends the program in place of such a call; `clock SECONDS` sets the time of
//! day forth or back.

use std::{
    env,
    ffi::{CString, c_int},
    os::unix::ffi::OsStringExt,
    sync::OnceLock,
};

use crate::kernel;

/// The variable that names the file; without it nothing fails.
pub const ORDERS: &str = "AWEAVE_INJECTOR_ORDERS";

/// Longer than any orders.
const LONGEST: usize = 1024;

/// The orders that were read last, and how far they are carried out.
#[derive(Debug, Default)]
pub struct Orders {
    text: Vec<u8>,
    failures: Vec<Failure>,
    clock: i64,
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy)]
pub enum Fate {
    /// It fails with this
    Fails(c_int),
    /// The program ends in place of it
    Dies,
}

#[derive(Debug)]
struct Failure {
    call: String,
    fate: Fate,
    skipped: u64,
    times: u64,
}

impl Orders {
    /// What is to become of this call, if it is not to be carried out.
    pub fn due(&mut self, call: &str) -> Option<Fate> {
        self.look();
        self.failures.iter_mut().find(|failure| failure.call == call)?.due()
    }

    /// How many seconds the time of day is off.
    pub fn clock(&mut self) -> i64 {
        self.look();
        self.clock
    }

    fn look(&mut self) {
        let mut buffer = [0; LONGEST];
        let text = read(&mut buffer).unwrap_or_default();
        if text != self.text {
            *self = parse(text);
        }
    }
}

impl Failure {
    fn due(&mut self) -> Option<Fate> {
        match (self.skipped, self.times) {
            (0, 0) => None,
            (0, _) => {
                self.times -= 1;
                Some(self.fate)
            }
            _ => {
                self.skipped -= 1;
                None
            }
        }
    }
}

fn parse(text: &[u8]) -> Orders {
    let mut orders = Orders { text: text.to_owned(), ..Orders::default() };
    for line in String::from_utf8_lossy(text).lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["fail", call, errno, skipped, times] => orders.failures.extend(failure(call, errno, skipped, times)),
            ["die", call, skipped] => orders.failures.extend(death(call, skipped)),
            ["clock", seconds] => orders.clock = seconds.parse().unwrap_or_default(),
            _ => {}
        }
    }
    orders
}

fn failure(call: &str, errno: &str, skipped: &str, times: &str) -> Option<Failure> {
    let (errno, skipped, times) = (errno.parse().ok()?, skipped.parse().ok()?, times.parse().ok()?);
    Some(Failure { call: call.to_owned(), fate: Fate::Fails(errno), skipped, times })
}

fn death(call: &str, skipped: &str) -> Option<Failure> {
    Some(Failure { call: call.to_owned(), fate: Fate::Dies, skipped: skipped.parse().ok()?, times: 1 })
}

fn read(buffer: &mut [u8]) -> Option<&[u8]> {
    static PATH: OnceLock<Option<CString>> = OnceLock::new();
    let path = PATH.get_or_init(|| CString::new(env::var_os(ORDERS)?.into_vec()).ok()).as_ref()?;
    let fd = c_int::try_from(kernel::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC, 0)).ok()?;
    if fd < 0 {
        return None;
    }
    let length = kernel::read(fd, buffer);
    kernel::close(fd);
    buffer.get(..usize::try_from(length).ok()?)
}
