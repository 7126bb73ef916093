//! `bench run`: every case once a round, in an order of its own each time, each on a process of its own.

use std::{
    fs,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use chrono::{SecondsFormat, Utc};
use clap::{Args, builder::PossibleValuesParser};
use tokio::task::spawn_blocking;

use crate::{
    history::{self, Histories},
    machine::Watch,
    peers::{
        self, Peer,
        ours::{OnPostgres, OnSqlite},
    },
    process,
    progress::tell,
    record::{LeftOut, Recorder, Run, Sample, Subject},
    scenarios::{cli, growth, idle, load, rate, start, submit, syncs, viewers, waiters, waiting, wake},
    setup::{self, Form, Setup},
};

const SCENARIOS: [&str; 12] = [
    wake::NAME,
    load::NAME,
    submit::NAME,
    syncs::NAME,
    rate::NAME,
    waiters::NAME,
    viewers::NAME,
    waiting::NAME,
    idle::NAME,
    growth::NAME,
    start::NAME,
    cli::NAME,
];

/// Measure, and keep what was measured in bench/out/run.json
#[derive(Args)]
pub struct Options {
    /// Three rounds, or two if that takes longer than ten minutes; this is what is done unless told otherwise
    #[arg(long, conflicts_with = "long")]
    short: bool,
    /// Nine rounds of longer measurements, for figures to rely on
    #[arg(long)]
    long: bool,
    /// How often each case is measured, however long that takes
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Repeats the order of the cases
    #[arg(long)]
    seed: Option<u64>,
    /// Only these scenarios
    #[arg(long, value_name = "SCENARIO", value_delimiter = ',', value_parser = PossibleValuesParser::new(SCENARIOS))]
    only: Vec<String>,
    /// The folder of aw and aweave-server, release builds [default: target/release]
    #[arg(long, env = "AWEAVE_BIN_DIR", value_name = "FOLDER")]
    binaries: Option<PathBuf>,
    /// The folder of what is compared with, where it is not installed for everybody [default: bench/peers]
    #[arg(long, env = "AWEAVE_BENCH_PEERS", value_name = "FOLDER")]
    peers: Option<PathBuf>,
}

/// One thing to measure.
#[derive(Clone)]
enum Case {
    Wake(Arc<dyn Peer>),
    Load(Arc<dyn Peer>),
    Submit(Arc<dyn Peer>),
    Syncs,
    Rate(PathBuf),
    Waiters,
    Viewers,
    Waiting(Store),
    Idle(Store),
    Growth(Store),
    Start(Store),
    Cli,
}

#[derive(Clone, Copy)]
enum Store {
    Sqlite,
    Postgres,
}

impl Store {
    fn peer(self) -> &'static dyn Peer {
        match self {
            Self::Sqlite => &OnSqlite,
            Self::Postgres => &OnPostgres,
        }
    }

    fn database(self, setup: &Setup) -> Result<Option<String>> {
        match self {
            Self::Sqlite => Ok(None),
            Self::Postgres => setup.postgres_database().map(Some),
        }
    }
}

impl Options {
    /// Measures, and tells whether all could be measured.
    pub async fn run(self) -> Result<bool> {
        ensure!(!cfg!(debug_assertions), "figures of a debug build mean nothing; run: make bench");
        let mut form = if self.long { Form::LONG } else { Form::SHORT };
        form.rounds = self.rounds.unwrap_or(form.rounds);
        process::raise_file_limit()?;
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(0..1_000_000));
        let (began, started) = (Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true), Instant::now());
        tell(format_args!("{} form, {} rounds, seed {seed}", form.name, form.rounds));
        let mut watch = Watch::start().await?;
        let setup = Setup::new(form, self.binaries, self.peers)?;
        let mut plan = Plan::new(&setup, &self.only).await?;
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut samples, mut failures) = (Vec::new(), Vec::new());
        let (mut done, mut longest) = (0, Duration::ZERO);
        for round in 1..=form.rounds {
            // Two there have to be: a single one proves nothing.
            if self.rounds.is_none() && round > 2 && started.elapsed() + longest > form.budget {
                tell("there is no time for another round");
                break;
            }
            let round_started = Instant::now();
            watch.look().await?;
            random.shuffle(&mut plan.cases);
            for (number, case) in (1..).zip(&plan.cases) {
                tell(format_args!("round {round} of {}, {number} of {}: {case}", form.rounds, plan.cases.len()));
                // What the case before left the disk to do, as of files it deleted, is not to be measured with this one.
                spawn_blocking(rustix::fs::sync).await?;
                let mut measured = Vec::new();
                match plan.measure(&setup, case, round, &mut random, &mut measured).await {
                    Ok(()) => samples.append(&mut measured),
                    Err(error) => {
                        let failure = format!("{case}, round {round}: {error:#}");
                        tell(format_args!("failed: {failure}"));
                        failures.push(brief(&failure));
                    }
                }
            }
            (done, longest) = (round, longest.max(round_started.elapsed()));
        }
        let Plan { subjects, left_out, .. } = plan;
        let machine = watch.end(&setup::out())?;
        let seconds = started.elapsed().as_secs_f64();
        let failed = failures.len();
        let form = form.name.to_owned();
        let run = Run { began, seconds, form, rounds: done, seed, machine, subjects, left_out, failures, samples };
        let path = setup::out().join("run.json");
        fs::write(&path, serde_json::to_vec(&run)?).with_context(|| format!("cannot write {}", path.display()))?;
        let took = Duration::from_secs(seconds as u64);
        tell(format_args!("took {took:?}; kept in bench/out/run.json; bench report makes bench/RESULTS.md of it"));
        if failed > 0 {
            tell(format_args!("{failed} measurements failed"));
        }
        Ok(failed == 0)
    }
}

/// As much as is worth a line on a page that others read, without where it was on this machine.
fn brief(failure: &str) -> String {
    let line = failure.replace(&setup::project().display().to_string(), "…").replace('\n', " ");
    line.chars().take(300).collect()
}

/// What is measured, and what that needs.
struct Plan {
    cases: Vec<Case>,
    subjects: Vec<Subject>,
    left_out: Vec<LeftOut>,
    histories: Option<Histories>,
}

impl Plan {
    async fn new(setup: &Setup, only: &[String]) -> Result<Self> {
        let mut plan = Self { cases: Vec::new(), subjects: Vec::new(), left_out: Vec::new(), histories: None };
        let wanted = |scenario: &str| only.is_empty() || only.iter().any(|name| name == scenario);
        let mut there = Vec::new();
        for peer in peers::all() {
            if plan.has(peer.name(), peer.version(setup)) {
                there.push(peer);
            }
        }
        for peer in there {
            plan.cases.push(Case::Wake(peer.clone()));
            plan.cases.push(Case::Load(peer.clone()));
            if peer.debates() {
                plan.cases.push(Case::Submit(peer));
            }
        }
        if plan
            .has("strace", setup.version_of("strace", &["-V"]).map_err(|_| "apt-get install strace (as root)".into()))
        {
            plan.cases.push(Case::Syncs);
        }
        plan.has(cli::PYTHON, cli::python_version(setup));
        plan.cases.extend([Case::Waiters, Case::Viewers, Case::Cli]);
        let mut stores = vec![Store::Sqlite];
        if setup.postgres_version().is_ok() {
            stores.push(Store::Postgres);
            if wanted(rate::NAME) {
                tell("building the measurement of the store's rate");
                plan.cases.push(Case::Rate(rate::build(setup).await?));
            }
        }
        for store in stores {
            plan.cases.extend([Case::Waiting(store), Case::Idle(store), Case::Growth(store), Case::Start(store)]);
        }
        plan.cases.retain(|case| wanted(case.scenario()));
        if plan.cases.iter().any(Case::needs_histories) {
            plan.histories = Some(Histories::fill(setup).await?);
        }
        Ok(plan)
    }

    /// Notes that something is measured, or that it is not there.
    fn has(&mut self, name: &str, version: Result<String, String>) -> bool {
        let name = name.to_owned();
        match version {
            Ok(version) => self.subjects.push(Subject { name, version }),
            Err(install) => {
                tell(format_args!("left out: {name}; to have it: {install}"));
                self.left_out.push(LeftOut { name, install });
                return false;
            }
        }
        true
    }

    async fn measure(
        &self,
        setup: &Setup,
        case: &Case,
        round: u32,
        random: &mut fastrand::Rng,
        samples: &mut Vec<Sample>,
    ) -> Result<()> {
        let figures = &mut Recorder::new(samples, case.scenario(), round);
        let histories = || self.histories.as_ref().context("histories were filled");
        match case {
            Case::Wake(peer) => wake::measure(setup, peer.as_ref(), figures).await,
            Case::Load(peer) => load::measure(setup, peer.as_ref(), figures).await,
            Case::Submit(peer) => submit::measure(setup, peer.as_ref(), figures).await,
            Case::Syncs => syncs::measure(setup, figures).await,
            Case::Rate(program) => rate::measure(setup, program, figures).await,
            Case::Waiters => waiters::measure(setup, figures).await,
            Case::Viewers => viewers::measure(setup, figures).await,
            Case::Waiting(store) => {
                waiting::measure(setup, store.peer(), store.database(setup)?.as_deref(), figures).await
            }
            Case::Idle(store) => idle::measure(setup, store.peer(), store.database(setup)?.as_deref(), figures).await,
            Case::Growth(Store::Sqlite) => growth::on_sqlite(setup, histories()?, figures).await,
            Case::Growth(Store::Postgres) => growth::on_postgres(setup, histories()?, figures).await,
            Case::Start(store) => {
                let history = histories()?.ours.last().context("a history was filled")?;
                let database = match store {
                    Store::Sqlite => Some(history.sqlite.as_str()),
                    Store::Postgres => history.postgres.as_deref(),
                };
                let database = database.context("the history is in that store")?;
                start::measure(setup, store.peer().name(), database, history::arguments(history.length), figures).await
            }
            Case::Cli => cli::measure(setup, random, figures).await,
        }
    }
}

impl Case {
    fn scenario(&self) -> &'static str {
        match self {
            Self::Wake(_) => wake::NAME,
            Self::Load(_) => load::NAME,
            Self::Submit(_) => submit::NAME,
            Self::Syncs => syncs::NAME,
            Self::Rate(_) => rate::NAME,
            Self::Waiters => waiters::NAME,
            Self::Viewers => viewers::NAME,
            Self::Waiting(_) => waiting::NAME,
            Self::Idle(_) => idle::NAME,
            Self::Growth(_) => growth::NAME,
            Self::Start(_) => start::NAME,
            Self::Cli => cli::NAME,
        }
    }

    fn needs_histories(&self) -> bool {
        matches!(self, Self::Growth(_) | Self::Start(_))
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let of = match self {
            Self::Wake(peer) | Self::Load(peer) | Self::Submit(peer) => peer.name(),
            Self::Waiting(store) | Self::Idle(store) | Self::Growth(store) | Self::Start(store) => store.peer().name(),
            Self::Syncs | Self::Waiters | Self::Viewers => OnSqlite.name(),
            Self::Rate(_) => OnPostgres.name(),
            Self::Cli => "aw",
        };
        write!(f, "{} of {of}", self.scenario())
    }
}
