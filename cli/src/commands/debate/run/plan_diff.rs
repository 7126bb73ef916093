//! What changed in the plan, as far as that can be told in time.

use std::{
    borrow::Cow,
    thread,
    time::{Duration, Instant},
};

use similar::TextDiff;
use tokio::{sync::oneshot, time::timeout};

use crate::input::lines::to_compare;

/// How long a diff may take.
const LIMIT: Duration = Duration::from_secs(2);

/// What is told where it takes longer.
const TOO_LONG: &str = "The plan changed in so many places that it takes too long to tell them: read it as a whole.\n";

/// The difference between two texts, in the unified format.
pub async fn between(before: String, after: String) -> String {
    let [before, after] = to_compare([&before, &after]).map(Cow::into_owned);
    within(LIMIT, before, after).await
}

async fn within(limit: Duration, before: String, after: String) -> String {
    let (tell, told) = oneshot::channel();
    // On a thread of its own, for which nobody waits: a signal has to be heard meanwhile.
    thread::spawn(move || {
        let began = Instant::now();
        let diff = TextDiff::configure().timeout(limit).diff_lines(&before, &after);
        // One that was given up is of no use, though it came in time.
        if began.elapsed() >= limit {
            return tell.send(TOO_LONG.to_owned());
        }
        tell.send(diff.unified_diff().header("plan.md as you saw it", "plan.md").to_string())
    });
    match timeout(limit, told).await {
        Ok(Ok(diff)) => diff,
        Ok(Err(_)) | Err(_) => TOO_LONG.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_diff_that_takes_too_long_is_one_line_that_says_so() {
        let diff = between("one\ntwo\n".to_owned(), "one\nthree\n".to_owned()).await;
        assert!(diff.contains("-two\n+three\n"), "{diff}");
        let with_returns = between("one\rtwo\r".to_owned(), "one\rthree\r".to_owned()).await;
        assert_eq!(with_returns, diff);
        let lines = |step: usize| (0..60_000).map(|line| format!("{}\n", line * step % 60_013)).collect::<String>();
        let began = Instant::now();
        assert_eq!(within(Duration::from_millis(100), lines(7), lines(1_201)).await, TOO_LONG);
        assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    }
}
