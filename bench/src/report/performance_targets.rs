//! What is promised, and whether the results keep it.

use super::summary::{Summaries, Summary};
use crate::{
    history::{self, LENGTHS},
    results::Unit,
    scenarios::{Scenario, cli, statements, submit, viewers},
    subjects::{
        aweave::{POSTGRES, SQLITE},
        node,
    },
};

/// A metric, or its ratio to another one, and its limit.
pub struct Promise {
    /// What is promised, for the report
    pub description: String,
    metric: Metric,
    divisor: Option<Metric>,
    limit: Limit,
}

/// What identifies a [`Summary`].
#[derive(Clone, Copy)]
struct Metric {
    scenario: Scenario,
    subject: &'static str,
    name: &'static str,
    size: u64,
}

/// The limit of a promise.
#[derive(Clone, Copy)]
pub enum Limit {
    /// Greater values break the promise
    AtMost(f64),
    /// Smaller values break the promise
    AtLeast(f64),
}

/// The measured values of a promise.
pub struct Measured {
    /// Of medians
    pub median: f64,
    /// Of better quartiles
    pub quartile: f64,
    /// The unit of both, `None` if they are ratios
    pub unit: Option<Unit>,
    /// Whether they keep the promise
    pub verdict: Verdict,
}

/// Whether a promise was kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// By medians and by better quartiles
    Kept,
    /// By one of them
    Unclear,
    /// By neither
    Broken,
}

impl Promise {
    fn value(description: &str, metric: Metric, limit: Limit) -> Self {
        Self { description: description.to_owned(), metric, divisor: None, limit }
    }

    fn ratio(description: &str, metric: Metric, divisor: Metric, limit: Limit) -> Self {
        Self { description: description.to_owned(), metric, divisor: Some(divisor), limit }
    }

    /// The sign and the value of the limit.
    pub fn limit(&self) -> (&'static str, f64) {
        match self.limit {
            Limit::AtMost(limit) => ("≤", limit),
            Limit::AtLeast(limit) => ("≥", limit),
        }
    }

    /// The measured values; `None` if something was not measured.
    pub fn measured(&self, summaries: &Summaries) -> Option<Measured> {
        let of = self.metric.find(summaries)?;
        let (median, quartile, unit) = match &self.divisor {
            None => (of.median, of.quartile, Some(of.unit)),
            Some(divisor) => {
                let divisor = divisor.find(summaries)?;
                (of.median / divisor.median, of.quartile / divisor.quartile, None)
            }
        };
        let verdict = match (self.limit.allows(median), self.limit.allows(quartile)) {
            (true, true) => Verdict::Kept,
            (false, false) => Verdict::Broken,
            (true, false) | (false, true) => Verdict::Unclear,
        };
        Some(Measured { median, quartile, unit, verdict })
    }
}

impl Limit {
    fn allows(self, value: f64) -> bool {
        match self {
            Self::AtMost(limit) => value <= limit,
            Self::AtLeast(limit) => value >= limit,
        }
    }
}

impl Metric {
    fn find<'a>(&self, summaries: &'a Summaries) -> Option<&'a Summary> {
        summaries.find(self.scenario, self.subject, self.name, self.size)
    }
}

/// All promises.
pub fn all() -> Vec<Promise> {
    [wakes(), submits(), memory_and_rest(), commands(), growth(SQLITE, "SQLite"), growth(POSTGRES, "PostgreSQL")]
        .into_iter()
        .flatten()
        .collect()
}

fn wakes() -> Vec<Promise> {
    let wake = |subject, name| Metric { scenario: Scenario::Wake, subject, name, size: 0 };
    let (p50, p99) = ("append to wake, p50", "append to wake, p99");
    let beside = |description, name, peer, limit| {
        Promise::ratio(description, wake(SQLITE, name), wake(peer, name), Limit::AtMost(limit))
    };
    vec![
        beside("submit to wake, p50, beside the lower bound", p50, "lower bound", 1.5),
        beside("submit to wake, p50, beside durable-streams", p50, "durable-streams", 1.2),
        beside("submit to wake, p99, beside durable-streams", p99, "durable-streams", 2.0),
    ]
}

fn submits() -> Vec<Promise> {
    let debates = submit::DEBATES as u64;
    let rate = |subject| Metric { scenario: Scenario::Submit, subject, name: "submits", size: debates };
    let syncs = |size| Metric { scenario: Scenario::Syncs, subject: SQLITE, name: "fdatasync a submit", size };
    vec![
        Promise::ratio(
            "submits a second, 64 debates, beside the Node peer",
            rate(SQLITE),
            rate(node::NAME),
            Limit::AtLeast(4.0),
        ),
        Promise::value("fdatasync a submit, 64 debates", syncs(debates), Limit::AtMost(0.1)),
        Promise::value("fdatasync a submit, one debate", syncs(1), Limit::AtMost(1.05)),
        Promise::ratio(
            "submits a second on PostgreSQL, 64 debates, beside the bare statements",
            rate(POSTGRES),
            rate(submit::BARE_STATEMENTS),
            Limit::AtLeast(0.6),
        ),
    ]
}

fn memory_and_rest() -> Vec<Promise> {
    let metric = |scenario, subject, name, size| Metric { scenario, subject, name, size };
    let wait = |size| metric(Scenario::Waiters, SQLITE, "memory of a held wait", size);
    let viewer = metric(Scenario::Viewers, SQLITE, "memory of a viewer", viewers::VIEWERS as u64);
    let rate = |subject| metric(Scenario::Statements, subject, "statements a second", statements::WAITERS as u64);
    let [.., longest] = LENGTHS;
    let start = metric(Scenario::Start, SQLITE, "until the first response", history::arguments(longest));
    vec![
        Promise::value("memory of a held wait, of 5,000", wait(5_000), Limit::AtMost(20.0)),
        Promise::value("memory of a held wait, of 10,000", wait(10_000), Limit::AtMost(20.0)),
        Promise::value("memory of a viewer, of 1,000", viewer, Limit::AtMost(8.0)),
        Promise::value("memory of an idle server", metric(Scenario::Idle, SQLITE, "memory", 0), Limit::AtMost(16.0)),
        Promise::value("statements a second while 1,000 wait, on SQLite", rate(SQLITE), Limit::AtMost(0.0)),
        // One statement more than once a second may fall into the measured time.
        Promise::value("statements a second while 1,000 wait, on PostgreSQL", rate(POSTGRES), Limit::AtMost(1.2)),
        Promise::value("from start to the first response, on SQLite", start, Limit::AtMost(50.0)),
    ]
}

fn commands() -> Vec<Promise> {
    let command = |subject, name| Metric { scenario: Scenario::Cli, subject, name, size: 0 };
    let beside = |verb, program, limit| {
        let description = format!("aw debate {verb}, beside {program}");
        Promise::ratio(&description, command("aw", verb), command(program, verb), Limit::AtMost(limit))
    };
    vec![
        beside("generate-id", "hello", 2.0),
        beside("submit", "one request", 2.0),
        beside("submit", cli::PYTHON, 0.02),
        beside("get-context", "one request", 2.0),
        beside("get-context", cli::PYTHON, 0.02),
    ]
}

fn growth(subject: &'static str, store: &str) -> Vec<Promise> {
    let metric = |subject, name, size| Metric { scenario: Scenario::Growth, subject, name, size };
    let [shortest, middle, longest] = LENGTHS;
    let limits = [
        ("get-context", 1.2),
        ("submit", 1.2),
        ("list, first page", 1.2),
        ("list by state, first page", 1.2),
        ("search", 3.0),
    ];
    let mut promises: Vec<_> = limits
        .into_iter()
        .map(|(name, limit)| {
            let description = format!("{name} on {store}: at 100,000 beside at 100");
            let (long, short) = (metric(subject, name, longest), metric(subject, name, shortest));
            Promise::ratio(&description, long, short, Limit::AtMost(limit))
        })
        .collect();
    let deepest = "list, deepest page";
    let (long, shorter) = (metric(subject, deepest, longest), metric(subject, deepest, middle));
    let description = format!("{deepest} on {store}: at 100,000 beside at 10,000");
    promises.push(Promise::ratio(&description, long, shorter, Limit::AtMost(10.0)));
    if subject == SQLITE {
        let description = format!("{deepest} at 100,000, beside the Node peer");
        let node = metric(node::NAME, deepest, longest);
        promises.push(Promise::ratio(&description, long, node, Limit::AtMost(1.0)));
    }
    promises
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Sample;

    fn summaries(ours: &[f64], lower_bound: &[f64]) -> Summaries {
        let samples = |subject: &'static str, values: &[f64]| {
            (1..).zip(values.to_vec()).map(move |(round, value)| Sample {
                scenario: Scenario::Wake,
                subject: subject.into(),
                metric: "append to wake, p50".into(),
                size: 0,
                unit: Unit::Microseconds,
                round,
                value,
            })
        };
        Summaries::new(&samples(SQLITE, ours).chain(samples("lower bound", lower_bound)).collect::<Vec<_>>(), &[])
    }

    fn verdict(summaries: &Summaries) -> Option<Verdict> {
        all()[0].measured(summaries).map(|measured| measured.verdict)
    }

    #[test]
    fn a_promise_is_kept_only_if_medians_and_quartiles_keep_it() {
        let lower_bound = [100.0, 100.0, 100.0];
        assert_eq!(verdict(&summaries(&[140.0, 145.0, 900.0], &lower_bound)), Some(Verdict::Kept));
        assert_eq!(verdict(&summaries(&[140.0, 155.0, 900.0], &lower_bound)), Some(Verdict::Unclear));
        assert_eq!(verdict(&summaries(&[151.0, 155.0, 160.0], &lower_bound)), Some(Verdict::Broken));
        assert_eq!(verdict(&summaries(&[140.0], &[])), None);
    }
}
