//! Long polls: a wait asks again and again until there is news, and ends with its time, a signal, or its reader.

use std::{
    cell::{Cell, RefCell},
    convert::Infallible,
    time::Duration,
};

use serde_json::json;
use tokio::time::{Instant, sleep, timeout};

use crate::{
    cancellation::Cancelled,
    client::{Client, Response, compatibility::MAX_WAIT_SECONDS, retry::RetryLimit},
    output::{exit_status::ExitStatus, failure::Failure, invocation::Invocation, terminal},
    shell_or_mcp::Caller,
};

/// How long the server is asked to hold one request.
const LONG_POLL: Duration = Duration::from_secs(MAX_WAIT_SECONDS);

/// How much longer than the requested hold time a request may take before the server counts as unavailable.
pub const GRACE: Duration = Duration::from_secs(5);

/// Less time than this before the deadline is not worth another request.
const MIN_POLL: Duration = Duration::from_millis(50);

/// Tolerance for clocks that differ: an answer this much before the end of the hold time counts as held.
const HOLD_TOLERANCE: Duration = Duration::from_millis(500);

/// How long to wait after an answer that came early: the server is stopping, or has nothing but what was seen.
pub const EARLY_DELAY: Duration = Duration::from_secs(1);

/// When the first progress message comes; some agent hosts end commands that print nothing.
const FIRST_HEARTBEAT: Duration = Duration::from_secs(60);

/// Interval of the later progress messages.
const HEARTBEAT: Duration = Duration::from_secs(120);

/// How long a wait with this `--timeout` lasts, when it ends, and a client that tries so long.
pub fn begin(seconds: Option<u32>, caller: Caller) -> Result<(Duration, Instant, Client), Failure> {
    let max_wait = seconds.map_or_else(|| caller.default_wait(), |seconds| Ok(Duration::from_secs(seconds.into())))?;
    let deadline = Instant::now() + max_wait;
    let client = Client::with_timeout(LONG_POLL + GRACE)?.with_retries(RetryLimit::Until(deadline));
    Ok((max_wait, deadline, client))
}

/// Does a part of a wait, unless the wait is cancelled before.
pub async fn unless_cancelled<T>(
    caller: Caller,
    max_wait: Duration,
    part: impl Future<Output = T>,
) -> Result<T, Cancelled> {
    tokio::select! {
        // In this order, so that signal handlers are installed before the first request.
        biased;
        reason = caller.cancelled() => Err(reason),
        done = part => Ok(done),
        never = caller.heartbeat(heartbeat(Some(max_wait))) => match never {},
    }
}

/// Adds the command that repeats a wait, if the failure is one of the server or the network.
pub fn with_retry_command(failure: Failure, command: Invocation) -> Failure {
    if failure.exit_status() != ExitStatus::Server {
        return failure;
    }
    failure.with_data(json!({"retry_command": command.shown()})).with_next(command)
}

/// Polls until there is news; none came if the deadline has passed. Keeps the last answer in `last_answer`. `poll` asks the
/// server to hold its answer for as many seconds as it is told, and tries again while the server is unavailable.
///
/// Every poll asks for what comes after the same argument, so nothing is missed.
pub async fn poll_until_news<T>(
    client: &Client,
    poll: impl AsyncFn(&dyn Fn() -> u32) -> Result<Response<T>, Failure>,
    is_news: impl Fn(&T) -> bool,
    deadline: Instant,
    last_answer: &RefCell<Option<Response<T>>>,
) -> Result<Option<Response<T>>, Failure> {
    let left = || deadline.saturating_duration_since(Instant::now());
    let held_until = Cell::new(Instant::now());
    let seconds = || {
        let seconds = left().min(LONG_POLL).as_secs_f64().ceil() as u32;
        held_until.set(Instant::now() + Duration::from_secs(seconds.into()));
        seconds
    };
    loop {
        let answer = timeout(left() + GRACE, poll(&seconds)).await;
        let response = answer.unwrap_or_else(|_| Err(*client.unavailable("it takes too long").failure))?;
        if is_news(&response.parsed) {
            return Ok(Some(response));
        }
        last_answer.replace(Some(response));
        if left() <= MIN_POLL {
            return Ok(None);
        }
        if Instant::now() + HOLD_TOLERANCE < held_until.get() {
            sleep(EARLY_DELAY.min(left())).await;
        }
    }
}

/// Prints a progress message in regular intervals. `max_wait` is how long the command may take.
pub async fn heartbeat(max_wait: Option<Duration>) -> Infallible {
    let limit = max_wait.map_or_else(String::new, |max_wait| format!(" of {} s", max_wait.as_secs()));
    let (mut waited, mut next) = (Duration::ZERO, FIRST_HEARTBEAT);
    loop {
        sleep(next).await;
        waited += next;
        next = HEARTBEAT;
        terminal::note(format_args!("still waiting, {} s{limit}", waited.as_secs()));
    }
}
