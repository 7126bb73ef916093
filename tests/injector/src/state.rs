//! Serialises file operations, so that the log has them in the order in which they took effect.

use std::{
    ffi::c_long,
    process,
    sync::{Mutex, PoisonError},
};

use crate::{
    fault_plan::{Effect, FaultPlan},
    log_record::{Event, File, Record},
    operation_log::OperationLog,
    syscalls,
};

struct State {
    plan: FaultPlan,
    log: OperationLog,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn with<T>(done: impl FnOnce(&mut State) -> T) -> T {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    done(state.get_or_insert_with(|| State { plan: FaultPlan::default(), log: OperationLog::default() }))
}

/// Runs `real` on a database file unless the fault plan lets it fail, and logs the event that `event` makes of its result.
pub fn intercept<'a>(
    operation: &str,
    file: File,
    real: impl FnOnce() -> c_long,
    event: impl FnOnce(usize) -> Option<Event<'a>>,
) -> c_long {
    with(|state| {
        if let Some(effect) = state.plan.next_effect(operation) {
            state.log.append(&Record { file, event: Event::Failed });
            match effect {
                Effect::Error(errno) => return syscalls::fail_with(errno),
                Effect::Crash => process::abort(),
            }
        }
        let done = real();
        if let Ok(done) = usize::try_from(done)
            && file != File::Index
            && let Some(event) = event(done)
        {
            state.log.append(&Record { file, event });
        }
        done
    })
}

/// Whether the system returns no random numbers.
pub fn has_no_random_numbers() -> bool {
    with(|state| state.plan.has_no_random_numbers())
}

/// By how many seconds the wall clock is shifted.
pub fn clock_offset() -> i64 {
    with(|state| state.plan.clock_offset())
}
