//! `bench run`: measures every case once a round, in a new random order each round, each case on processes of its own.

use std::{
    fmt, fs,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use chrono::{SecondsFormat, Utc};
use clap::Args;
use tokio::task::spawn_blocking;

use crate::{
    environment::{self, Environment, Form},
    history::Histories,
    machine::MachineMonitor,
    process,
    progress::report,
    results::{MissingProgram, Program, Recorder, Run, Sample},
    scenarios::{Scenario, cli, growth, idle, start, statements, submit, syncs, viewers, waiters, wake},
    subjects::{
        self, Subject,
        aweave::{self, Aweave, Build, Store},
    },
};

/// Measure, and write the results to bench/out/run.json
#[derive(Args)]
pub struct Options {
    /// Nine rounds of longer measurements instead of at most three short ones
    #[arg(long)]
    long: bool,
    /// How many rounds to measure, however long that takes
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Repeat the order of cases of the run that printed this seed
    #[arg(long)]
    seed: Option<u64>,
    /// Only these scenarios
    #[arg(long, value_name = "SCENARIO", value_delimiter = ',')]
    only: Vec<Scenario>,
    /// The folder with release builds of aw and aweave-server [default: target/release]
    #[arg(long, env = "AWEAVE_BIN_DIR", value_name = "FOLDER")]
    binaries: Option<PathBuf>,
    /// A folder with another build of aw and aweave-server, to measure in the same rounds and compare with
    #[arg(long, value_name = "FOLDER")]
    beside: Option<PathBuf>,
    /// With --beside, leave out all programs but the two builds
    #[arg(long, requires = "beside")]
    builds_only: bool,
    /// The folder of peers that are not installed system-wide [default: bench/peers]
    #[arg(long, env = "AWEAVE_BENCH_PEERS", value_name = "FOLDER")]
    peers: Option<PathBuf>,
}

/// A scenario and what it measures.
struct Case {
    scenario: Scenario,
    target: Target,
}

enum Target {
    /// Any program that stores records durably
    Subject(Arc<dyn Subject>),
    /// One build of the server
    Aweave(Aweave),
    /// The bare SQL statements
    BareStatements,
    /// Every build of the server on a store
    AllBuilds(Store),
    /// The commands
    Commands,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = match &self.target {
            Target::Subject(subject) => subject.name(),
            Target::Aweave(aweave) => aweave.name(),
            Target::BareStatements => submit::BARE_STATEMENTS,
            Target::AllBuilds(Store::Sqlite) => "every build on SQLite",
            Target::AllBuilds(Store::Postgres) => "every build on PostgreSQL",
            Target::Commands => "aw",
        };
        write!(f, "{} of {target}", self.scenario)
    }
}

impl Options {
    /// Measures; returns false if some measurements failed.
    pub async fn run(self) -> Result<bool> {
        ensure!(!cfg!(debug_assertions), "a debug build measures nothing useful; run: make bench");
        let form = if self.long { Form::LONG } else { Form::SHORT };
        let rounds = self.rounds.unwrap_or(form.rounds);
        process::raise_file_limit()?;
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(0..1_000_000));
        let (began, started) = (Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true), Instant::now());
        report(format_args!("{} form, {rounds} rounds, seed {seed}", form.name));
        let mut monitor = MachineMonitor::start().await?;
        let environment = Environment::new(form, self.binaries, self.beside, self.peers)?;
        let mut plan = Plan::new(&environment, &self.only, self.builds_only).await?;
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut samples, mut failures) = (Vec::new(), Vec::new());
        let (mut done, mut longest) = (0, Duration::ZERO);
        for round in 1..=rounds {
            if self.rounds.is_none() && round > 2 && started.elapsed() + longest > form.budget {
                report("there is no time for another round");
                break;
            }
            let round_started = Instant::now();
            monitor.pause().await?;
            random.shuffle(&mut plan.cases);
            for (number, case) in (1..).zip(&plan.cases) {
                report(format_args!("round {round} of {rounds}, {number} of {}: {case}", plan.cases.len()));
                // The disk finishes what the previous case left to it, such as freeing deleted files.
                spawn_blocking(rustix::fs::sync).await?;
                match plan.measure(&environment, case, round, &mut random).await {
                    Ok(mut measured) => samples.append(&mut measured),
                    Err(error) => {
                        let failure = format!("{case}, round {round}: {error:#}");
                        report(format_args!("failed: {failure}"));
                        failures.push(shorten(&failure));
                    }
                }
            }
            (done, longest) = (round, longest.max(round_started.elapsed()));
        }
        let failed = failures.len();
        let run = Run {
            started: began,
            seconds: started.elapsed().as_secs_f64(),
            form: form.name.to_owned(),
            rounds: done,
            seed,
            machine: monitor.finish(&environment::out())?,
            programs: plan.programs,
            missing: plan.missing,
            failures,
            samples,
        };
        let path = environment::out().join("run.json");
        fs::write(&path, serde_json::to_vec(&run)?).with_context(|| format!("cannot write {}", path.display()))?;
        report(format_args!("took {:.0} s; wrote bench/out/run.json, of which bench report makes a page", run.seconds));
        if failed > 0 {
            report(format_args!("{failed} measurements failed"));
        }
        Ok(failed == 0)
    }
}

/// One short line without the paths of this machine, since the page is published.
fn shorten(failure: &str) -> String {
    let line = failure.replace(&environment::project().display().to_string(), "…").replace('\n', " ");
    line.chars().take(300).collect()
}

/// The cases, and what they need.
struct Plan {
    cases: Vec<Case>,
    programs: Vec<Program>,
    missing: Vec<MissingProgram>,
    histories: Option<Histories>,
}

impl Plan {
    async fn new(environment: &Environment, only: &[Scenario], builds_only: bool) -> Result<Self> {
        let mut plan = Self { cases: Vec::new(), programs: Vec::new(), missing: Vec::new(), histories: None };
        let has_postgres = environment.postgres_version().is_ok();
        if !builds_only {
            plan.add_others(environment);
        }
        for aweave in aweave::ALL {
            let is_there = aweave.build == Build::Current || environment.has_former_build();
            if is_there && plan.is_installed(aweave.name(), aweave.version(environment)) {
                plan.add_aweave(aweave);
            }
        }
        plan.add(Scenario::Growth, Target::AllBuilds(Store::Sqlite));
        if has_postgres {
            plan.add(Scenario::Growth, Target::AllBuilds(Store::Postgres));
            if !builds_only {
                plan.add(Scenario::Submit, Target::BareStatements);
            }
        }
        plan.add(Scenario::Cli, Target::Commands);
        plan.cases.retain(|case| only.is_empty() || only.contains(&case.scenario));
        let strace = environment.version_of("strace", &["-V"]).map_err(|_| "apt-get install strace".to_owned());
        if !plan.is_installed("strace", strace) {
            plan.cases.retain(|case| case.scenario != Scenario::Syncs);
        }
        if plan.cases.iter().any(|case| matches!(case.scenario, Scenario::Growth | Scenario::Start)) {
            plan.histories = Some(Histories::fill(environment).await?);
        }
        Ok(plan)
    }

    fn add(&mut self, scenario: Scenario, target: Target) {
        self.cases.push(Case { scenario, target });
    }

    fn add_aweave(&mut self, aweave: Aweave) {
        self.add(Scenario::Wake, Target::Subject(Arc::new(aweave)));
        self.add(Scenario::Submit, Target::Subject(Arc::new(aweave)));
        for scenario in [Scenario::Statements, Scenario::Idle, Scenario::Start] {
            self.add(scenario, Target::Aweave(aweave));
        }
        if aweave.store == Store::Sqlite {
            for scenario in [Scenario::Syncs, Scenario::Waiters, Scenario::Viewers] {
                self.add(scenario, Target::Aweave(aweave));
            }
        }
    }

    /// Adds the lower bound and the peers.
    fn add_others(&mut self, environment: &Environment) {
        for subject in subjects::others() {
            if self.is_installed(subject.name(), subject.version(environment)) {
                self.add(Scenario::Wake, Target::Subject(subject.clone()));
                if subject.is_debate_server() {
                    self.add(Scenario::Submit, Target::Subject(subject));
                }
            }
        }
        self.is_installed(cli::PYTHON, cli::python_version(environment));
    }

    /// Notes the version of a program, or how to install it.
    fn is_installed(&mut self, name: &str, version: Result<String, String>) -> bool {
        let name = name.to_owned();
        match version {
            Ok(version) => self.programs.push(Program { name, version }),
            Err(install) => {
                report(format_args!("not installed: {name}; to install it: {install}"));
                self.missing.push(MissingProgram { name, install });
                return false;
            }
        }
        true
    }

    async fn measure(
        &self,
        environment: &Environment,
        case: &Case,
        round: u32,
        random: &mut fastrand::Rng,
    ) -> Result<Vec<Sample>> {
        let mut recorder = Recorder::new(case.scenario, round);
        let histories = || self.histories.as_ref().context("no histories were filled");
        match &case.target {
            Target::Subject(subject) if case.scenario == Scenario::Wake => {
                wake::measure(environment, subject.as_ref(), &mut recorder).await?;
            }
            Target::Subject(subject) => submit::measure(environment, subject.as_ref(), &mut recorder).await?,
            Target::BareStatements => submit::measure_bare_statements(environment, &mut recorder).await?,
            Target::AllBuilds(store) => growth::measure(environment, *store, histories()?, &mut recorder).await?,
            Target::Commands => cli::measure(environment, random, &mut recorder).await?,
            Target::Aweave(aweave) => match case.scenario {
                Scenario::Syncs => syncs::measure(environment, *aweave, &mut recorder).await?,
                Scenario::Waiters => waiters::measure(environment, *aweave, &mut recorder).await?,
                Scenario::Viewers => viewers::measure(environment, *aweave, &mut recorder).await?,
                Scenario::Statements => statements::measure(environment, *aweave, &mut recorder).await?,
                Scenario::Idle => idle::measure(environment, *aweave, &mut recorder).await?,
                Scenario::Start => {
                    let longest = histories()?.aweave.last().context("no history was filled")?;
                    start::measure(environment, *aweave, longest, &mut recorder).await?;
                }
                Scenario::Wake | Scenario::Submit | Scenario::Growth | Scenario::Cli => {}
            },
        }
        Ok(recorder.samples)
    }
}
