//! One thing at a time: what is done to the files, and that it is written down, in the same order.

use std::{
    ffi::c_long,
    process,
    sync::{Mutex, PoisonError},
};

use crate::{
    kernel,
    log::Log,
    orders::{Fate, Orders},
    record::{Event, File, Record},
};

struct State {
    orders: Orders,
    log: Log,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn with<T>(done: impl FnOnce(&mut State) -> T) -> T {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    done(state.get_or_insert_with(|| State { orders: Orders::default(), log: Log::default() }))
}

/// Does `real` to a file of the database, unless it is to fail, and writes down what `event` makes of its result.
pub fn carry_out<'a>(
    call: &str,
    file: File,
    real: impl FnOnce() -> c_long,
    event: impl FnOnce(usize) -> Option<Event<'a>>,
) -> c_long {
    with(|state| {
        if let Some(fate) = state.orders.due(call) {
            state.log.add(&Record { file, event: Event::Failed });
            match fate {
                Fate::Fails(errno) => return kernel::fail_with(errno),
                Fate::Dies => process::abort(),
            }
        }
        let done = real();
        if let Ok(done) = usize::try_from(done)
            && file != File::Index
            && let Some(event) = event(done)
        {
            state.log.add(&Record { file, event });
        }
        done
    })
}

/// How many seconds the time of day is off.
pub fn clock() -> i64 {
    with(|state| state.orders.clock())
}
