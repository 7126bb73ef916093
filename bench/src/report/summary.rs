//! The samples of all rounds, summed up.

use crate::{
    results::{Program, Sample, Unit},
    scenarios::Scenario,
    statistics::{median, quantile},
};

/// All summaries, in the order of the report.
pub struct Summaries(Vec<Summary>);

/// A metric of a program over all rounds.
pub struct Summary {
    /// The scenario
    pub scenario: Scenario,
    /// The name of the program
    pub subject: String,
    /// What was measured
    pub metric: String,
    /// The size that the scenario varies
    pub size: u64,
    /// The unit of the values
    pub unit: Unit,
    /// The median of the rounds
    pub median: f64,
    /// The better quartile of the rounds, which disturbances of the machine affect less
    pub quartile: f64,
    /// How many rounds there are
    pub rounds: usize,
}

impl Summaries {
    /// Sums up the samples. Programs come in the given order, others after them.
    pub fn new(samples: &[Sample], programs: &[Program]) -> Self {
        let position = |name: &str| programs.iter().position(|program| program.name == name).unwrap_or(programs.len());
        let key = |sample: &Sample| {
            let Sample { scenario, metric, size, subject, .. } = sample.clone();
            (scenario, metric, size, position(&subject), subject)
        };
        let mut samples: Vec<&Sample> = samples.iter().collect();
        samples.sort_by_cached_key(|sample| key(sample));
        let groups = samples.chunk_by(|a, b| key(a) == key(b));
        Self(groups.filter_map(Summary::new).collect())
    }

    /// One of them.
    pub fn find(&self, scenario: Scenario, subject: &str, metric: &str, size: u64) -> Option<&Summary> {
        self.of(scenario).find(|one| one.subject == subject && one.metric == metric && one.size == size)
    }

    /// Those of a scenario.
    pub fn of(&self, scenario: Scenario) -> impl Iterator<Item = &Summary> {
        self.0.iter().filter(move |one| one.scenario == scenario)
    }

    /// All of them.
    pub fn all(&self) -> &[Summary] {
        &self.0
    }
}

impl Summary {
    fn new(samples: &[&Sample]) -> Option<Self> {
        let first = samples.first()?;
        let values: Vec<f64> = samples.iter().map(|sample| sample.value).collect();
        let better = if first.unit.more_is_better() { 0.75 } else { 0.25 };
        Some(Self {
            scenario: first.scenario,
            subject: first.subject.clone(),
            metric: first.metric.clone(),
            size: first.size,
            unit: first.unit,
            median: median(&values)?,
            quartile: quantile(&values, better)?,
            rounds: values.len(),
        })
    }
}
