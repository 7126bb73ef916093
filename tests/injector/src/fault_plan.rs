//! The fault plan: which operations fail, read from a file before each call, so that a test can change it while the
//! server runs.
//!
//! `fail OPERATION ERRNO SKIPPED TIMES` lets the first SKIPPED operations succeed and the next TIMES fail, counted from
//! the last change of the file. `crash OPERATION SKIPPED` aborts the program instead. `clock SECONDS` shifts the wall clock.
//! `no-random-numbers` lets the system return none.

use std::{
    env,
    ffi::{CString, c_int},
    os::unix::ffi::OsStringExt,
    sync::OnceLock,
};

use crate::syscalls;

/// The environment variable with the path of the plan. Without it nothing fails.
pub const FAULT_PLAN: &str = "AWEAVE_INJECTOR_FAULT_PLAN";

/// The longest plan, in bytes.
const MAX_LENGTH: usize = 1024;

/// The plan that was read last, and how often each fault still applies.
#[derive(Debug, Default)]
pub struct FaultPlan {
    text: Vec<u8>,
    faults: Vec<Fault>,
    clock_offset: i64,
    has_no_random_numbers: bool,
}

/// What happens instead of an operation.
#[derive(Debug, Clone, Copy)]
pub enum Effect {
    /// It fails with this `errno`
    Error(c_int),
    /// The program aborts
    Crash,
}

#[derive(Debug)]
struct Fault {
    operation: String,
    effect: Effect,
    skipped: u64,
    times: u64,
}

impl FaultPlan {
    /// The effect on this operation; `None` if it is to be carried out.
    pub fn next_effect(&mut self, operation: &str) -> Option<Effect> {
        self.reload();
        self.faults.iter_mut().find(|fault| fault.operation == operation)?.next_effect()
    }

    /// By how many seconds the wall clock is shifted.
    pub fn clock_offset(&mut self) -> i64 {
        self.reload();
        self.clock_offset
    }

    /// Whether the system returns no random numbers.
    pub fn has_no_random_numbers(&mut self) -> bool {
        self.reload();
        self.has_no_random_numbers
    }

    fn reload(&mut self) {
        let mut buffer = [0; MAX_LENGTH];
        let text = read(&mut buffer).unwrap_or_default();
        if text != self.text {
            *self = parse(text);
        }
    }
}

impl Fault {
    fn next_effect(&mut self) -> Option<Effect> {
        match (self.skipped, self.times) {
            (0, 0) => None,
            (0, _) => {
                self.times -= 1;
                Some(self.effect)
            }
            _ => {
                self.skipped -= 1;
                None
            }
        }
    }
}

fn parse(text: &[u8]) -> FaultPlan {
    let mut plan = FaultPlan { text: text.to_owned(), ..FaultPlan::default() };
    for line in String::from_utf8_lossy(text).lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["fail", operation, errno, skipped, times] => plan.faults.extend(failure(operation, errno, skipped, times)),
            ["crash", operation, skipped] => plan.faults.extend(crash(operation, skipped)),
            ["no-random-numbers"] => plan.has_no_random_numbers = true,
            ["clock", seconds] => plan.clock_offset = seconds.parse().unwrap_or_default(),
            _ => {}
        }
    }
    plan
}

fn failure(operation: &str, errno: &str, skipped: &str, times: &str) -> Option<Fault> {
    let (errno, skipped, times) = (errno.parse().ok()?, skipped.parse().ok()?, times.parse().ok()?);
    Some(Fault { operation: operation.to_owned(), effect: Effect::Error(errno), skipped, times })
}

fn crash(operation: &str, skipped: &str) -> Option<Fault> {
    Some(Fault { operation: operation.to_owned(), effect: Effect::Crash, skipped: skipped.parse().ok()?, times: 1 })
}

fn read(buffer: &mut [u8]) -> Option<&[u8]> {
    static PATH: OnceLock<Option<CString>> = OnceLock::new();
    let path = PATH.get_or_init(|| CString::new(env::var_os(FAULT_PLAN)?.into_vec()).ok()).as_ref()?;
    let fd = c_int::try_from(syscalls::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC, 0)).ok()?;
    if fd < 0 {
        return None;
    }
    let length = syscalls::read(fd, buffer);
    syscalls::close(fd);
    buffer.get(..usize::try_from(length).ok()?)
}
