//! Time as this process has it: while it is stopped, as by Ctrl-Z, or frozen with its container, it hears of nothing, and what ended
//! meanwhile is only known afterwards.

use std::time::Duration;

use tokio::time::{self, Instant};

/// How often it is looked at the time.
const STEP: Duration = Duration::from_millis(500);

/// How long a step takes at least where the process was stopped.
const STOPPED: Duration = Duration::from_secs(3);

/// Waits for a step. Returns how long that took, and whether the process was stopped meanwhile.
pub async fn step(at_most: Duration) -> (Duration, bool) {
    let began = Instant::now();
    time::sleep(STEP.min(at_most)).await;
    (began.elapsed(), began.elapsed() >= STOPPED)
}

/// Waits for so long, not counting the time in which the process was stopped.
pub async fn sleep(duration: Duration) {
    let mut left = duration;
    while !left.is_zero() {
        let (took, was_stopped) = step(left).await;
        // After a stop there is always another step, in which what happened meanwhile comes first.
        left = if was_stopped { left } else { left.saturating_sub(took) };
    }
}

/// What a future completes with, if it does within so much time; none else.
pub async fn within<T>(limit: Duration, future: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        done = future => Some(done),
        () = sleep(limit) => None,
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        task,
        time::{advance, timeout},
    };

    use super::*;

    const LIMIT: Duration = Duration::from_secs(6);

    #[tokio::test(start_paused = true)]
    async fn the_time_in_which_the_process_was_stopped_does_not_count() {
        let sleeping = task::spawn(sleep(LIMIT));
        time::sleep(Duration::from_secs(1)).await;
        advance(Duration::from_secs(3600)).await;
        let began = Instant::now();
        sleeping.await.unwrap();
        assert!(began.elapsed() > Duration::from_secs(4) && began.elapsed() < LIMIT, "{:?}", began.elapsed());
        assert_eq!(within(LIMIT, std::future::pending::<()>()).await, None);
        assert!(timeout(Duration::from_millis(10), sleep(Duration::ZERO)).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn what_ended_while_the_process_was_stopped_counts() {
        let ended = async {
            time::sleep(Duration::from_secs(60)).await;
            7
        };
        let answer = task::spawn(within(LIMIT, ended));
        time::sleep(Duration::from_secs(1)).await;
        advance(Duration::from_secs(3600)).await;
        assert_eq!(answer.await.unwrap(), Some(7));
    }
}
