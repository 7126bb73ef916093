//! What the rounds come to.

use crate::{
    record::{Sample, Subject, Unit},
    statistics::{median, quantile},
};

/// All figures, in the order in which they are shown.
pub struct Figures(Vec<Summary>);

/// A figure over all rounds.
pub struct Summary {
    /// The scenario
    pub scenario: String,
    /// What was measured
    pub subject: String,
    /// Which figure
    pub figure: String,
    /// How many of what the scenario varies
    pub at: u64,
    /// In what
    pub unit: Unit,
    /// The middle of the rounds
    pub median: f64,
    /// The better quartile of the rounds: what others' noise leaves alone
    pub quartile: f64,
    /// In how many rounds it was measured
    pub rounds: usize,
}

impl Figures {
    /// Puts the rounds together; the subjects come in their order, then others.
    pub fn of(samples: &[Sample], subjects: &[Subject]) -> Self {
        let place = |name: &str| subjects.iter().position(|subject| subject.name == name).unwrap_or(subjects.len());
        let key = |sample: &Sample| {
            let Sample { scenario, figure, at, subject, .. } = sample.clone();
            (scenario, figure, at, place(&subject), subject)
        };
        let mut samples: Vec<&Sample> = samples.iter().collect();
        samples.sort_by_cached_key(|sample| key(sample));
        let groups = samples.chunk_by(|a, b| key(a) == key(b));
        Self(groups.filter_map(Summary::of).collect())
    }

    /// One of them.
    pub fn find(&self, scenario: &str, subject: &str, figure: &str, at: u64) -> Option<&Summary> {
        self.of_scenario(scenario).find(|one| one.subject == subject && one.figure == figure && one.at == at)
    }

    /// Those of a scenario.
    pub fn of_scenario(&self, scenario: &str) -> impl Iterator<Item = &Summary> {
        self.0.iter().filter(move |one| one.scenario == scenario)
    }
}

impl Summary {
    fn of(rounds: &[&Sample]) -> Option<Self> {
        let first = rounds.first()?;
        let values: Vec<f64> = rounds.iter().map(|sample| sample.value).collect();
        let better = if first.unit.more_is_better() { 0.75 } else { 0.25 };
        Some(Self {
            scenario: first.scenario.clone(),
            subject: first.subject.clone(),
            figure: first.figure.clone(),
            at: first.at,
            unit: first.unit,
            median: median(&values)?,
            quartile: quantile(&values, better)?,
            rounds: values.len(),
        })
    }
}
