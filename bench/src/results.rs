//! What was measured, as it is kept from `bench run` to `bench report`.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::machine::Machine;

/// One run.
#[derive(Serialize, Deserialize)]
pub struct Run {
    /// When it began, in UTC
    pub began: String,
    /// How many seconds it took
    pub seconds: f64,
    /// Short or long
    pub form: String,
    /// How often each case was measured
    pub rounds: u32,
    /// Repeats the order of cases
    pub seed: u64,
    /// Where
    pub machine: Machine,
    /// What was measured, with versions
    pub subjects: Vec<Subject>,
    /// What could not be measured
    pub left_out: Vec<LeftOut>,
    /// What went wrong
    pub failures: Vec<String>,
    /// All figures
    pub samples: Vec<Sample>,
}

/// Something that was measured.
#[derive(Serialize, Deserialize)]
pub struct Subject {
    /// What it is called among the figures
    pub name: String,
    /// Which version
    pub version: String,
}

/// Something that was not measured.
#[derive(Serialize, Deserialize)]
pub struct LeftOut {
    /// What it would be called
    pub name: String,
    /// The command that installs it
    pub install: String,
}

/// One figure of one round.
#[derive(Clone, Serialize, Deserialize)]
pub struct Sample {
    /// The scenario
    pub scenario: String,
    /// What was measured
    pub subject: String,
    /// Which figure
    pub figure: String,
    /// How many of what the scenario varies: debates at once, arguments, waiters
    pub at: u64,
    /// In what
    pub unit: Unit,
    /// In which round
    pub round: u32,
    /// The figure
    pub value: f64,
}

/// What a figure is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Unit {
    /// µs
    Microseconds,
    /// ms
    Milliseconds,
    /// How many a second: the more the better
    PerSecond,
    /// KiB
    Kibibytes,
    /// MiB
    Mebibytes,
    /// How many
    Count,
    /// What part of something: the more the better
    Share,
}

impl Unit {
    /// Whether more of it is better.
    pub fn more_is_better(self) -> bool {
        match self {
            Self::PerSecond | Self::Share => true,
            Self::Microseconds | Self::Milliseconds | Self::Kibibytes | Self::Mebibytes | Self::Count => false,
        }
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
            Self::Count | Self::Share => "",
        })
    }
}

/// Takes down the figures of one case in one round.
pub struct Recorder<'a> {
    samples: &'a mut Vec<Sample>,
    scenario: &'static str,
    round: u32,
}

impl<'a> Recorder<'a> {
    /// For a scenario in a round.
    pub fn new(samples: &'a mut Vec<Sample>, scenario: &'static str, round: u32) -> Self {
        Self { samples, scenario, round }
    }

    /// Takes down a figure.
    pub fn add(&mut self, subject: &str, figure: &str, at: u64, unit: Unit, value: f64) {
        self.samples.push(Sample {
            scenario: self.scenario.to_owned(),
            subject: subject.to_owned(),
            figure: figure.to_owned(),
            at,
            unit,
            round: self.round,
            value,
        });
    }
}
