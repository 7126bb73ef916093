//! What a run may use, counted from its start.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use uuid::Uuid;

use super::{awake, options::Options, part::Part, program::Program};
use crate::{
    client::types::Agent,
    commands::debate::next_command,
    output::{Code, Failure},
};

/// The limits and what was used.
pub struct Limits {
    pub max_tokens: Option<u64>,
    /// In dollars
    pub max_cost: Option<f64>,
    pub max_time: Duration,
    earlier: Duration,
    began: Instant,
    /// How long somebody was waited for, which does not count
    waited: Cell<Duration>,
    /// How many wait now, and since when one does
    waiting: Cell<(usize, Option<Instant>)>,
    tokens: Cell<u64>,
    /// Whether a start used tokens that it did not tell
    has_untold_tokens: Cell<bool>,
    microusd: Cell<u64>,
}

/// Somebody waits while this is there.
pub struct Waiting<'l>(&'l Limits);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let (count, since) = self.0.waiting.get();
        let left = count.saturating_sub(1);
        if let (0, Some(since)) = (left, since) {
            self.0.waited.set(self.0.waited.get() + since.elapsed());
        }
        self.0.waiting.set((left, since.filter(|_| left > 0)));
    }
}

impl Limits {
    /// `earlier` is how long earlier starts of the run took, which only `data.minutes` counts.
    pub fn new(options: &Options, max_time: Duration, earlier: Duration) -> Self {
        Self {
            max_tokens: options.max_tokens,
            max_cost: options.max_cost,
            max_time,
            earlier,
            began: Instant::now(),
            waited: Cell::default(),
            waiting: Cell::default(),
            tokens: Cell::default(),
            has_untold_tokens: Cell::default(),
            microusd: Cell::default(),
        }
    }

    /// How long all starts of the run took, without waits for somebody.
    pub fn total(&self) -> Duration {
        self.earlier + self.elapsed()
    }

    /// How long the run took, without waits for somebody.
    pub fn elapsed(&self) -> Duration {
        let waiting = self.waiting.get().1.map(|since| since.elapsed()).unwrap_or_default();
        self.began.elapsed().saturating_sub(self.waited.get()).saturating_sub(waiting)
    }

    /// How much time is left.
    pub fn left(&self) -> Duration {
        self.max_time.saturating_sub(self.elapsed())
    }

    /// Waits for the server until the minutes end.
    pub async fn within_time<T>(&self, request: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        let ended = || Err(limit_reached(&format!("{}, and the server had not answered", self.took_its_time())));
        awake::within(self.left(), request).await.unwrap_or_else(ended)
    }

    fn took_its_time(&self) -> String {
        // As whoever gave it wrote it: seconds are no exact part of a minute.
        let minutes = (self.max_time.as_secs_f64() / 60.0 * 1e6).round() / 1e6;
        format!("the run has taken its {minutes} {}", if minutes == 1.0 { "minute" } else { "minutes" })
    }

    /// Leaves out the time in which this process is stopped. It never completes.
    pub async fn leave_out_stops(&self) {
        loop {
            let (took, was_stopped) = awake::step(Duration::MAX).await;
            // Where somebody is waited for, that is left out already.
            if was_stopped && self.waiting.get().0 == 0 {
                self.waited.set(self.waited.get() + took);
            }
        }
    }

    /// Does not count the time until what this returns is dropped. Where several wait at once the time is left out once.
    pub fn wait(&self) -> Waiting<'_> {
        let (count, since) = self.waiting.get();
        self.waiting.set((count + 1, since.or_else(|| Some(Instant::now()))));
        Waiting(self)
    }

    /// Counts a start. Cached input is not counted.
    pub fn count(&self, agent: &Agent) {
        let input = agent.input_tokens.unwrap_or_default().saturating_sub(agent.cached_tokens.unwrap_or_default());
        let tokens = input.saturating_add(agent.output_tokens.unwrap_or_default());
        self.tokens.set(self.tokens.get().saturating_add(tokens));
        self.microusd.set(self.microusd.get().saturating_add(agent.cost_microusd.unwrap_or_default()));
    }

    /// A start used more than what is counted of it: it ended before it told its use, or never tells it.
    pub fn count_untold(&self) {
        self.has_untold_tokens.set(true);
    }

    /// What was used, for people.
    pub fn used(&self) -> String {
        let tokens = match (self.has_untold_tokens.get(), self.tokens.get()) {
            (false, tokens) => format!("{tokens} tokens"),
            (true, 0) => "tokens not told".to_owned(),
            (true, tokens) => format!("at least {tokens} tokens"),
        };
        let cost = match self.microusd.get() {
            0 => String::new(),
            _ => format!(", ${:.2}", self.dollars()),
        };
        format!("{tokens}{cost}, {} min", self.elapsed().as_secs() / 60)
    }

    /// The dollars that were told.
    fn dollars(&self) -> f64 {
        self.microusd.get() as f64 / 1e6
    }

    /// The dollars that are left, if they are limited.
    pub fn dollars_left(&self) -> Option<f64> {
        self.max_cost.map(|max| (max - self.dollars()).max(0.0))
    }

    /// Refuses another start at a limit.
    pub fn check(&self) -> Result<(), Failure> {
        let reached = |what: String| Err(limit_reached(&what));
        if let Some(max) = self.max_tokens.filter(|max| self.tokens.get() >= *max) {
            return reached(format!("the run has used {} of {max} tokens", self.tokens.get()));
        }
        if let Some(max) = self.max_cost.filter(|max| self.dollars() >= *max) {
            return reached(format!("the run has cost ${:.2} of --max-cost {max}", self.dollars()));
        }
        if self.left().is_zero() {
            return reached(self.took_its_time());
        }
        Ok(())
    }
}

/// The end of a run since a program's user has no more of what may be used. `told` is how the program says that.
pub fn usage_limit_reached(program: &Program, part: Part, told: &str, debate_id: Uuid) -> Failure {
    let option = part.option();
    let another = if program.name() == "codex" { "claude-code" } else { "codex" };
    let go_on = next_command::of_debate("debate run", debate_id);
    let message = format!("{program} as the {part} is at its usage limit: {}; the debate stays open", told.trim());
    Failure::new(Code::LimitReached, message).with_suggestion(format!(
        "Go on when that is over (with --wait-for-limits a run waits), or now with another program: `{go_on} {option} {another}`. \
         {option} given again is the whole list, and reviews that were made stay"
    ))
}

/// The end of a run at a limit.
pub fn limit_reached(what: &str) -> Failure {
    Failure::new(Code::LimitReached, format!("{what}; the debate stays open"))
        .with_suggestion("Go on with a higher limit, which counts from that start of the run on")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(input: u64, cached: u64, output: u64, cost: u64) -> Agent {
        Agent {
            input_tokens: Some(input),
            cached_tokens: Some(cached),
            output_tokens: Some(output),
            cost_microusd: Some(cost),
            ..Agent::default()
        }
    }

    fn new(max_tokens: Option<u64>, max_cost: Option<f64>, seconds: u64) -> Limits {
        let options = Options { max_tokens, max_cost, ..Options::default() };
        Limits::new(&options, Duration::from_secs(seconds), Duration::from_secs(600))
    }

    #[test]
    fn a_run_ends_at_tokens_cost_or_time_whichever_comes_first() {
        let limits = new(Some(100), Some(0.5), 60);
        limits.count(&agent(1000, 950, 49, 499_999));
        assert!(limits.check().is_ok());
        limits.count(&agent(0, 5, 1, 0));
        assert_eq!(limits.check().unwrap_err().code, "LIMIT_REACHED");
        let limits = new(None, Some(0.5), 60);
        limits.count(&agent(u64::MAX, 0, 1, 400_000));
        assert!((limits.dollars_left().unwrap() - 0.1).abs() < 1e-9);
        limits.count(&agent(0, 0, 0, 100_000));
        let reached = limits.check().unwrap_err().message;
        assert!(reached.starts_with("the run has cost $0.50 of --max-cost 0.5;"), "{reached}");
        let limits = new(None, None, 0);
        assert!(limits.check().unwrap_err().message.contains("minutes"));
    }

    #[test]
    fn tokens_that_a_start_did_not_tell_are_said_to_be_missing() {
        let limits = new(None, None, 60);
        assert_eq!(limits.used(), "0 tokens, 0 min");
        limits.count_untold();
        assert_eq!(limits.used(), "tokens not told, 0 min");
        limits.count(&agent(1000, 900, 50, 20_000));
        assert_eq!(limits.used(), "at least 150 tokens, $0.02, 0 min");
    }

    #[test]
    fn waiting_for_somebody_is_no_time() {
        let limits = new(None, None, 60);
        assert!(limits.left() > Duration::from_secs(59));
        // Several who wait at once are left out once.
        let mut waiting = new(None, None, 60);
        waiting.began -= Duration::from_secs(30);
        waiting.waiting.set((2, Some(waiting.began)));
        let (first, second) = (Waiting(&waiting), Waiting(&waiting));
        drop(first);
        assert!(waiting.elapsed() < Duration::from_secs(1));
        drop(second);
        assert!(waiting.elapsed() < Duration::from_secs(1) && waiting.waiting.get() == (0, None));
        assert!(waiting.waited.get() >= Duration::from_secs(30));
        // What an earlier start of the run took counts in the whole only.
        assert!(limits.total() >= Duration::from_secs(600) && limits.total() < Duration::from_secs(601));
    }
}
