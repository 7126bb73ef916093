//! Runs one random scenario at all servers and shrinks it if a server differs from the model.

use std::{
    cell::{Cell, RefCell},
    fmt,
};

use fastrand::Rng;
use futures_util::future::join_all;
use proptest::{
    strategy::Just,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};
use tests::{client::Client, report::report};
use tokio::runtime::Runtime;

use super::{
    coverage::Coverage,
    model_server::Mistake,
    request_builder::Names,
    runner::Runner,
    scenario_steps::{Step, scenarios},
};

/// The maximum number of runs to shrink a scenario.
pub const MAX_SHRINK_STEPS: u32 = 500;

/// How many steps may have to be removed together.
const MAX_REMOVED_TOGETHER: usize = 3;

/// A shrunk scenario in which a server differs from the model or from another server.
#[derive(Debug)]
pub struct Difference {
    /// The difference
    pub what: String,
    /// The steps
    pub scenario: Vec<Step>,
    /// The seed
    pub seed: u64,
}

impl Difference {
    /// Removes steps, one or a few at a time, that the difference does not need.
    fn shrunk(mut self, run: impl Fn(Vec<Step>) -> Result<(), TestError<Vec<Step>>>) -> Self {
        let shorter = |scenario: &[Step]| {
            let all = (1..=MAX_REMOVED_TOGETHER)
                .flat_map(|width| (0..=scenario.len().saturating_sub(width)).map(move |at| (at, width)));
            all.map(|(at, width)| [&scenario[..at], &scenario[scenario.len().min(at + width)..]].concat())
                .find_map(|shorter| run(shorter).err())
        };
        while let Some(TestError::Fail(what, scenario)) = shorter(&self.scenario) {
            self = Self { what: what.to_string(), scenario, ..self };
        }
        self
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "after {} steps of a scenario from AWEAVE_SEED={}:", self.scenario.len(), self.seed)?;
        self.scenario.iter().try_for_each(|step| writeln!(f, "  {:?} {:?}", step.what, step.mutations))?;
        write!(f, "{}", self.what)
    }
}

/// Runs the scenario of this seed and returns what it covered.
///
/// # Errors
/// The scenario if a server differs, shrunk in so many runs; as it was if that is 0.
pub fn run_random(
    seed: u64,
    longest: usize,
    servers: &[Client],
    mistake: Option<Mistake>,
    runtime: &Runtime,
    max_shrink_iters: u32,
) -> Result<Coverage, Box<Difference>> {
    let mut random = Rng::with_seed(seed);
    let mut bytes = [0; 32];
    random.fill(&mut bytes);
    let (random, coverage) = (RefCell::new(random), RefCell::new(Coverage::default()));
    let was_told = Cell::new(false);
    let run_once = |scenario: Vec<Step>| {
        // Each run needs fresh names, since the servers keep what earlier runs stored.
        let names = Names::new(random.borrow_mut().u64(..));
        let covered = runtime.block_on(run_at_all(&scenario, servers, names, mistake)).map_err(|what| {
            // Told at once, since it may take long to shrink the scenario.
            if mistake.is_none() && !was_told.replace(true) {
                report(&format!("AWEAVE_SEED={seed}: {what}"));
            }
            TestCaseError::fail(what)
        })?;
        coverage.replace(covered);
        Ok(())
    };
    let runner = || {
        let config = Config { cases: 1, max_shrink_iters, failure_persistence: None, ..Config::default() };
        TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
    };
    match runner().run(&scenarios(longest), run_once) {
        Ok(()) => Ok(coverage.into_inner()),
        Err(TestError::Fail(what, scenario)) => {
            let found = Difference { what: what.to_string(), scenario, seed };
            let run_again = |scenario| runner().run(&Just(scenario), run_once);
            Err(Box::new(if max_shrink_iters == 0 { found } else { found.shrunk(run_again) }))
        }
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

async fn run_at_all(
    scenario: &[Step],
    servers: &[Client],
    names: Names,
    mistake: Option<Mistake>,
) -> Result<Coverage, String> {
    let runner = |client: &Client| Runner::new(client.clone(), names.clone(), mistake);
    let mut runners: Vec<Runner> = servers.iter().map(runner).collect();
    for step in scenario {
        let results = join_all(runners.iter_mut().map(|runner| runner.run(step))).await;
        let errors = results.into_iter().collect::<Result<Vec<_>, _>>()?;
        if let Some(pair) = errors.windows(2).find(|pair| pair[0] != pair[1]) {
            return Err(format!(
                "one server responded {}
and another     {}",
                pair[0], pair[1]
            ));
        }
    }
    for checked in join_all(runners.iter_mut().map(Runner::check_all_data)).await {
        checked?;
    }
    let mut first = runners.swap_remove(0);
    for debate in &first.builder.model.debates {
        *first.coverage.debates.entry(debate.state.name()).or_default() += 1;
    }
    Ok(first.coverage)
}
