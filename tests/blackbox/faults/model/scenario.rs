//! One story, told by every server there is, and the shortest one that is told differently.

use std::{cell::RefCell, fmt};

use fastrand::Rng;
use futures_util::future::join_all;
use proptest::{
    strategy::Just,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};
use tests::client::Client;
use tokio::runtime::Runtime;

use super::{
    contract::Mistake,
    moves::{Step, stories},
    scene::Names,
    tally::Tally,
    teller::Teller,
};

/// How often a story that is told differently may be told again to shorten it.
const SHORTENED: u32 = 500;

/// How many steps may have to be left out together, as the first makes up for the last.
const TOGETHER: usize = 3;

/// A story that is told differently, as short as could be found.
#[derive(Debug)]
pub struct Difference {
    /// What is different
    pub what: String,
    /// The story
    pub story: Vec<Step>,
    /// What it came from
    pub seed: u64,
}

impl Difference {
    /// Without what can be left out now that each step is as simple as can be: one, or some that belong together.
    fn shortened(mut self, tell: impl Fn(Vec<Step>) -> Result<(), TestError<Vec<Step>>>) -> Self {
        let shorter = |story: &[Step]| {
            let all =
                (1..=TOGETHER).flat_map(|width| (0..=story.len().saturating_sub(width)).map(move |at| (at, width)));
            all.map(|(at, width)| [&story[..at], &story[story.len().min(at + width)..]].concat())
                .find_map(|shorter| tell(shorter).err())
        };
        while let Some(TestError::Fail(what, story)) = shorter(&self.story) {
            self = Self { what: what.to_string(), story, ..self };
        }
        self
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "after {} steps of a story from AWEAVE_SEED={}:", self.story.len(), self.seed)?;
        self.story.iter().try_for_each(|step| writeln!(f, "  {:?} {:?}", step.what, step.twists))?;
        write!(f, "{}", self.what)
    }
}

/// Has the story of at most so many steps told that comes from that number, and gives what was seen in it.
///
/// # Errors
/// Where it is told differently, in its shortest form.
pub fn tell_any(
    seed: u64,
    longest: usize,
    servers: &[Client],
    mistake: Option<Mistake>,
    runtime: &Runtime,
) -> Result<Tally, Box<Difference>> {
    let mut random = Rng::with_seed(seed);
    let mut bytes = [0; 32];
    random.fill(&mut bytes);
    let (random, tally) = (RefCell::new(random), RefCell::new(Tally::default()));
    let told = |story: Vec<Step>| {
        // Told again it is another story, with names of its own.
        let names = Names::new(random.borrow_mut().u64(..));
        let seen = runtime.block_on(tell(&story, servers, names, mistake)).map_err(TestCaseError::fail)?;
        tally.replace(seen);
        Ok(())
    };
    let runner = || {
        let config = Config { cases: 1, max_shrink_iters: SHORTENED, failure_persistence: None, ..Config::default() };
        TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
    };
    match runner().run(&stories(longest), told) {
        Ok(()) => Ok(tally.into_inner()),
        Err(TestError::Fail(what, story)) => {
            let found = Difference { what: what.to_string(), story, seed };
            Err(Box::new(found.shortened(|story| runner().run(&Just(story), told))))
        }
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

async fn tell(story: &[Step], servers: &[Client], names: Names, mistake: Option<Mistake>) -> Result<Tally, String> {
    let teller = |client: &Client| Teller::new(client.clone(), names.clone(), mistake);
    let mut tellers: Vec<Teller> = servers.iter().map(teller).collect();
    for step in story {
        let told = join_all(tellers.iter_mut().map(|teller| teller.tell(step))).await;
        let words = told.into_iter().collect::<Result<Vec<_>, _>>()?;
        if let Some(pair) = words.windows(2).find(|pair| pair[0] != pair[1]) {
            return Err(format!("one server says  {}\nand another says {}", pair[0], pair[1]));
        }
    }
    for swept in join_all(tellers.iter_mut().map(Teller::sweep)).await {
        swept?;
    }
    let mut first = tellers.swap_remove(0);
    for debate in &first.scene.contract.debates {
        *first.tally.debates.entry(debate.state.name()).or_default() += 1;
    }
    Ok(first.tally)
}
