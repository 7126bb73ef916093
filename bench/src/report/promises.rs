//! What is promised, and whether it was held.

use super::summary::{Figures, Summary};
use crate::{
    history::{self, LENGTHS},
    record::Unit,
    scenarios::{cli, growth, idle, rate, start, submit, syncs, viewers, waiters, waiting, wake},
};

const SQLITE: &str = "ours on SQLite";
const POSTGRES: &str = "ours on PostgreSQL";
const NODE: &str = "Node peer";

/// How long a wake may take beside whom.
const WAKE: [(&str, f64); 3] = [("floor", 1.5), ("durable-streams", 1.2), ("Redis", 1.1)];

/// A figure, or one beside another, and how far it may go.
pub struct Promise {
    /// In words
    pub what: String,
    of: Key,
    beside: Option<Key>,
    limit: Limit,
}

/// Which figure.
struct Key {
    scenario: &'static str,
    subject: &'static str,
    figure: &'static str,
    at: u64,
}

/// How far.
#[derive(Clone, Copy)]
pub enum Limit {
    /// So much is still well
    AtMost(f64),
    /// So much it has to be
    AtLeast(f64),
}

/// What was found.
pub struct Found {
    /// By medians
    pub median: f64,
    /// By the better quartiles
    pub quartile: f64,
    /// In what
    pub unit: Unit,
    /// Whether that is a ratio
    pub ratio: bool,
    /// What to say of it
    pub verdict: Verdict,
}

/// Whether it was held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// By medians and by quartiles
    Held,
    /// By one of them
    Unclear,
    /// By neither
    NotHeld,
}

impl Promise {
    fn figure(what: &str, of: Key, limit: Limit) -> Self {
        Self { what: what.to_owned(), of, beside: None, limit }
    }

    fn ratio(what: &str, of: Key, beside: Key, limit: Limit) -> Self {
        Self { what: what.to_owned(), of, beside: Some(beside), limit }
    }

    /// How far it may go, in words.
    pub fn limit(&self) -> (&'static str, f64) {
        match self.limit {
            Limit::AtMost(limit) => ("≤", limit),
            Limit::AtLeast(limit) => ("≥", limit),
        }
    }

    /// What was found; nothing where it was not measured.
    pub fn found(&self, figures: &Figures) -> Option<Found> {
        let of = self.of.find(figures)?;
        let (median, quartile) = match &self.beside {
            None => (of.median, of.quartile),
            Some(key) => {
                let beside = key.find(figures)?;
                (of.median / beside.median, of.quartile / beside.quartile)
            }
        };
        let verdict = match (self.limit.holds(median), self.limit.holds(quartile)) {
            (true, true) => Verdict::Held,
            (false, false) => Verdict::NotHeld,
            (true, false) | (false, true) => Verdict::Unclear,
        };
        Some(Found { median, quartile, unit: of.unit, ratio: self.beside.is_some(), verdict })
    }
}

impl Limit {
    fn holds(self, value: f64) -> bool {
        match self {
            Self::AtMost(limit) => value <= limit,
            Self::AtLeast(limit) => value >= limit,
        }
    }
}

impl Key {
    fn find<'a>(&self, figures: &'a Figures) -> Option<&'a Summary> {
        figures.find(self.scenario, self.subject, self.figure, self.at)
    }
}

/// All that is promised.
pub fn all() -> Vec<Promise> {
    use Limit::{AtLeast, AtMost};
    let key = |scenario, subject, figure, at| Key { scenario, subject, figure, at };
    let wake = |subject, figure| key(wake::NAME, subject, figure, 1);
    let (p50, p99) = ("append to wake, p50", "append to wake, p99");
    let ours = |figure| wake(SQLITE, figure);
    let rate = |subject| key(submit::NAME, subject, "appends", submit::DEBATES as u64);
    let syncs = |at| key(syncs::NAME, SQLITE, "fdatasync a submit", at);
    let waiter = |at| key(waiters::NAME, SQLITE, "a held wait", at);
    let statements = |subject| key(waiting::NAME, subject, "statements a second", 1_000);
    let command = |program, verb| key(cli::NAME, program, verb, 1);
    let [shortest, .., before, longest] = LENGTHS;
    let mut promises: Vec<_> = WAKE
        .into_iter()
        .map(|(beside, limit)| {
            let what = format!("submit to wake, p50, beside {beside}");
            Promise::ratio(&what, ours(p50), wake(beside, p50), AtMost(limit))
        })
        .collect();
    promises.extend([
        Promise::ratio(
            "submit to wake, p99, beside durable-streams",
            ours(p99),
            wake("durable-streams", p99),
            AtMost(2.0),
        ),
        Promise::ratio("submits a second, 64 debates, beside the Node peer", rate(SQLITE), rate(NODE), AtLeast(4.0)),
        Promise::figure("fdatasync a submit, 64 debates", syncs(submit::DEBATES as u64), AtMost(0.1)),
        Promise::figure("fdatasync a submit, one debate", syncs(1), AtMost(1.05)),
        Promise::figure(
            "the store's rate on PostgreSQL, of that of the bare statements",
            key(rate::NAME, "the store on PostgreSQL", "share of the bare statements", 64),
            AtLeast(0.6),
        ),
        Promise::figure("memory of a held wait, of 5,000", waiter(5_000), AtMost(20.0)),
        Promise::figure("memory of a held wait, of 10,000", waiter(10_000), AtMost(20.0)),
        Promise::figure("memory of a viewer, of 1,000", key(viewers::NAME, SQLITE, "a viewer", 1_000), AtMost(8.0)),
        Promise::figure("memory of an idle server", key(idle::NAME, SQLITE, "memory", 0), AtMost(16.0)),
        Promise::figure("statements a second while 1,000 wait, on SQLite", statements(SQLITE), AtMost(0.0)),
        // One more may fall into the time in which they are counted.
        Promise::figure("statements a second while 1,000 wait, on PostgreSQL", statements(POSTGRES), AtMost(1.2)),
        Promise::figure(
            "from start to the first answer, on SQLite",
            key(start::NAME, SQLITE, "until the first answer", history::arguments(longest)),
            AtMost(50.0),
        ),
        Promise::ratio(
            "aw debate generate-id, beside hello",
            command("aw", "generate-id"),
            command("hello", "generate-id"),
            AtMost(2.0),
        ),
    ]);
    for (verb, what) in [("submit", "aw debate submit"), ("get-context", "aw debate get-context")] {
        for (program, limit) in [("least", 2.0), (cli::PYTHON, 0.02)] {
            let what = format!("{what}, beside {program}");
            promises.push(Promise::ratio(&what, command("aw", verb), command(program, verb), AtMost(limit)));
        }
    }
    for (subject, store) in [(SQLITE, "SQLite"), (POSTGRES, "PostgreSQL")] {
        let asked = |figure, at| key(growth::NAME, subject, figure, at);
        for (figure, limit) in [
            ("get-context", 1.2),
            ("submit", 1.2),
            ("list, first page", 1.2),
            ("list by state, first page", 1.2),
            ("search", 3.0),
        ] {
            let what = format!("{figure} on {store}: at 100,000 beside at 100");
            promises.push(Promise::ratio(&what, asked(figure, longest), asked(figure, shortest), AtMost(limit)));
        }
        let deep = "list, deepest page";
        let what = format!("{deep} on {store}: at 100,000 beside at 10,000");
        promises.push(Promise::ratio(&what, asked(deep, longest), asked(deep, before), AtMost(10.0)));
        if subject == SQLITE {
            let what = format!("{deep} at 100,000, beside the Node peer");
            let nodes = key(growth::NAME, NODE, deep, longest);
            promises.push(Promise::ratio(&what, asked(deep, longest), nodes, AtMost(1.0)));
        }
    }
    promises
}

/// What a wake cannot go below, held against what is promised of it.
pub fn bounds() -> Vec<Promise> {
    let mut bounds = Vec::new();
    for bound in ["bare SQLite", "SQLite over HTTP", "SQLite on a thread, over HTTP"] {
        for (beside, limit) in WAKE {
            let p50 = |subject| Key { scenario: wake::NAME, subject, figure: "append to wake, p50", at: 1 };
            let what = format!("{bound}, beside {beside}");
            bounds.push(Promise::ratio(&what, p50(bound), p50(beside), Limit::AtMost(limit)));
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Sample;

    fn figures(ours: &[f64], floor: &[f64]) -> Figures {
        let rounds = |subject: &'static str, values: &[f64]| {
            (1..).zip(values.to_vec()).map(move |(round, value)| Sample {
                scenario: wake::NAME.into(),
                subject: subject.into(),
                figure: "append to wake, p50".into(),
                at: 1,
                unit: Unit::Microseconds,
                round,
                value,
            })
        };
        Figures::of(&rounds(SQLITE, ours).chain(rounds("floor", floor)).collect::<Vec<_>>(), &[])
    }

    fn verdict(figures: &Figures) -> Option<Verdict> {
        all()[0].found(figures).map(|found| found.verdict)
    }

    #[test]
    fn a_promise_is_held_only_where_medians_and_quartiles_say_so() {
        let floor = [100.0, 100.0, 100.0];
        assert_eq!(verdict(&figures(&[140.0, 145.0, 900.0], &floor)), Some(Verdict::Held));
        assert_eq!(verdict(&figures(&[140.0, 155.0, 900.0], &floor)), Some(Verdict::Unclear));
        assert_eq!(verdict(&figures(&[151.0, 155.0, 160.0], &floor)), Some(Verdict::NotHeld));
        assert_eq!(verdict(&figures(&[140.0], &[])), None);
    }
}
