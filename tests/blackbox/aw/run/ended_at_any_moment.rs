//! Runs that a signal ends at random moments: nothing is left of them, and they go on to the end.
//!
//! `AWEAVE_FAULTS=20` ends 200, `AWEAVE_SEED` repeats the random choices.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    time::{Duration, Instant},
};

use fastrand::Rng;
use serde_json::Value;
use tests::{
    cli::Run,
    debate::text,
    ids, polling,
    random::{fault_factor, seed},
    report::report,
};

use super::{User, WHOLE, kinds, scripted};

/// How many runs are ended where `AWEAVE_FAULTS` is 1.
const RUNS: usize = 10;

/// The signals, by their names for `kill`, with the status of a command that one of them ended.
const SIGNALS: [(&str, i32); 5] = [("KILL", 137), ("HUP", 129), ("INT", 130), ("QUIT", 131), ("TERM", 143)];

/// What a whole run with two reviewers starts.
const STARTS: [&str; 7] = [
    "proposer-1",
    "reviewer-1-ada",
    "reviewer-1-bob",
    "opponent-1-ada",
    "proposer-2",
    "reader-2-bob",
    "opponent-2-ada",
];

/// A user whose runs have two reviewers.
struct World {
    user: User,
    /// The run, as it is started at first
    words: Vec<String>,
    debate: String,
}

impl World {
    async fn new() -> Self {
        let user = User::new().await;
        let debate = ids::fresh();
        let opponents = ["ada", "bob"].map(|name| scripted("lingers", name));
        let more = ["--task", "x", "--debate-id", &debate, "--opponent", &opponents[0], "--opponent", &opponents[1]];
        let words = user.words("lingers", &more).into_iter().map(str::to_owned).collect();
        Self { user, words, debate }
    }

    fn words(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }

    /// The processes that the run started, itself among them: they have the name of this world's log in their environment.
    fn processes(&self) -> Vec<String> {
        let mark = format!("AGENT_LOG={}", self.user.log.path().display());
        let is_ours = |folder: &Path| {
            let variables = fs::read(folder.join("environ")).unwrap_or_default();
            variables.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
        };
        let entries = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        let command_line = |folder: &Path| fs::read(folder.join("cmdline")).unwrap_or_default();
        let ours = entries.filter(|folder| is_ours(folder));
        ours.map(|folder| String::from_utf8_lossy(&command_line(&folder)).replace('\0', " ")).collect()
    }

    fn work_folders(&self) -> Vec<String> {
        self.user.work_folders()
    }

    /// How often each start was repeated, where it was.
    fn repeated(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for start in self.user.starts() {
            assert!(STARTS.iter().any(|known| start == *known), "{start} is no start of such a run");
            *counts.entry(start).or_default() += 1;
        }
        counts.into_iter().filter(|(_, count)| *count > 1).collect()
    }
}

/// Goes on after a run that a signal ended. One that does not say how is started anew; it kept nothing yet, unless it was killed.
async fn go_on(world: &World, ended: &Run) -> Run {
    let told = serde_json::from_str::<Value>(&ended.stdout).unwrap_or_default();
    let going_on = format!("aw debate run --debate-id {}", world.debate);
    if told["metadata"]["next"] == going_on {
        return world.user.agent.run(&["debate", "run", "--debate-id", &world.debate]).await;
    }
    let kept = world.user.agent.home().join(".aweave/runs").join(&world.debate).join("run.json");
    assert!(told["error"]["code"] != "INTERRUPTED" || !kept.exists(), "{ended:?}");
    world.user.agent.run(&world.words()).await
}

#[tokio::test]
async fn a_run_that_a_signal_ends_at_any_moment_leaves_nothing_and_goes_on_to_the_end() {
    let mut random = Rng::with_seed(seed());
    // From its beginning to its end, however busy the machine is.
    let world = World::new().await;
    let began = Instant::now();
    world.user.agent.run(&world.words()).await.data();
    let mut whole = u64::try_from(began.elapsed().as_millis()).unwrap();
    assert_eq!((world.processes(), world.work_folders()), (vec![], vec![]));
    let (mut over, mut repeats, mut left_folders) = (0, 0, 0);
    let runs = RUNS * fault_factor();
    for number in 0..runs {
        let (name, status) = SIGNALS[number % SIGNALS.len()];
        let world = World::new().await;
        let running = world.user.agent.spawn(&world.words());
        let moment = random.u64(0..whole);
        tokio::time::sleep(Duration::from_millis(moment)).await;
        let told = format!("SIG{name} after {moment} ms of {whole}");
        world.user.agent.shell(&format!("kill -{name} {}", running.pid())).await;
        let ended = running.finish_or_die().await;
        let is_over = ended.exit == 0;
        over += usize::from(is_over);
        if is_over {
            // The machine is less busy than it was: most runs shall be ended before they are over.
            whole = whole.midpoint(moment).max(1);
        }
        assert!(is_over || ended.exit == status, "{told}: {ended:?}");
        if name == "KILL" {
            polling::until("everything is ended", || world.processes().is_empty().then_some(())).await;
            left_folders += world.work_folders().len();
        } else {
            assert_eq!((world.processes(), world.work_folders()), (vec![], vec![]), "{told}: {ended:?}");
        }
        if !is_over && !ended.stdout.is_empty() {
            ended.failure(status, "INTERRUPTED");
        }
        let run = go_on(&world, &ended).await;
        let data = run.data();
        assert_eq!(data["debate_state"], "CLOSED", "{told}");
        assert_eq!((world.processes(), world.work_folders()), (vec![], vec![]), "{told}: {run:?}");
        assert_eq!(kinds(&world.user.history(&world.debate).await), WHOLE, "{told}");
        let plan = text(&data["plan"]["document_id"]);
        let versions = world.user.client.get(&format!("/documents/{plan}/versions")).await.data(200);
        assert_eq!(versions["total"], 2, "{told}: {versions}");
        let repeated = world.repeated();
        // Only two reviewers run at once.
        let is_pass = repeated.keys().all(|start| start.starts_with("reviewer"));
        assert!(repeated.len() <= 1 || is_pass, "{told}: {repeated:?}");
        assert!(repeated.values().all(|count| *count == 2), "{told}: {repeated:?}");
        repeats += repeated.len();
    }
    report(&format!(
        "{runs} runs with two reviewers ended by signals: {over} had closed before, {repeats} starts were repeated, \
         {left_folders} folders were removed after SIGKILL when the run went on"
    ));
}
