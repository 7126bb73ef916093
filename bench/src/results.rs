//! The results of a run, as `bench run` stores them in `run.json` and `bench report` reads them.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::{machine::Machine, scenarios::Scenario};

/// One run.
#[derive(Serialize, Deserialize)]
pub struct Run {
    /// When it started, in UTC
    pub started: String,
    /// How many seconds it took
    pub seconds: f64,
    /// `short` or `long`
    pub form: String,
    /// How many rounds were measured
    pub rounds: u32,
    /// The seed of the order of cases
    pub seed: u64,
    /// The machine
    pub machine: Machine,
    /// The programs that were measured
    pub programs: Vec<Program>,
    /// The programs that were not there
    pub missing: Vec<MissingProgram>,
    /// The measurements that failed
    pub failures: Vec<String>,
    /// All measured values
    pub samples: Vec<Sample>,
}

/// A program that was measured.
#[derive(Serialize, Deserialize)]
pub struct Program {
    /// Its name in the results
    pub name: String,
    /// Its version
    pub version: String,
}

/// A program that could not be measured.
#[derive(Serialize, Deserialize)]
pub struct MissingProgram {
    /// Its name in the results
    pub name: String,
    /// How to install it
    pub install: String,
}

/// One value of one round.
#[derive(Clone, Serialize, Deserialize)]
pub struct Sample {
    /// The scenario
    pub scenario: Scenario,
    /// The name of the program
    pub subject: String,
    /// What was measured
    pub metric: String,
    /// The size that the scenario varies: debates, arguments, waiters; 0 if it varies none
    pub size: u64,
    /// The unit of the value
    pub unit: Unit,
    /// The number of the round
    pub round: u32,
    /// The value
    pub value: f64,
}

/// The unit of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Unit {
    /// µs
    Microseconds,
    /// ms
    Milliseconds,
    /// Operations a second
    PerSecond,
    /// KiB
    Kibibytes,
    /// MiB
    Mebibytes,
    /// No unit
    Count,
}

impl Unit {
    /// Whether a greater value is better.
    pub fn more_is_better(self) -> bool {
        self == Self::PerSecond
    }
}

impl Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Microseconds => "µs",
            Self::Milliseconds => "ms",
            Self::PerSecond => "/s",
            Self::Kibibytes => "KiB",
            Self::Mebibytes => "MiB",
            Self::Count => "",
        })
    }
}

/// Collects the samples of one scenario in one round.
pub struct Recorder {
    scenario: Scenario,
    round: u32,
    /// The samples so far
    pub samples: Vec<Sample>,
}

impl Recorder {
    /// Without samples.
    pub fn new(scenario: Scenario, round: u32) -> Self {
        Self { scenario, round, samples: Vec::new() }
    }

    /// Adds a sample.
    pub fn add(&mut self, subject: &str, metric: &str, size: u64, unit: Unit, value: f64) {
        self.samples.push(Sample {
            scenario: self.scenario,
            subject: subject.to_owned(),
            metric: metric.to_owned(),
            size,
            unit,
            round: self.round,
            value,
        });
    }
}
