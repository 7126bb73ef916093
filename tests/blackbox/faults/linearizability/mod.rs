//! Linearizability: several clients read and write one debate concurrently, while responses are lost and servers crash.
//!
//! A history has the start and end of every call. It is linearizable if the calls can be put into a sequence that
//! respects real time and in which the sequential specification gives the same responses. A call without a response may
//! have taken effect at any time after its start, or never. Several servers on one database must be linearizable
//! together. Only a held wait may return late, which changes no sequence, since its response may be of any moment while
//! it is held.

mod checker;
mod checker_tests;
mod client;
mod controls;
mod recorder;
mod sequential_debate;

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use fastrand::Rng;
use tests::{
    client::Client,
    random::{fault_factor, seed},
    report::report,
    server::{Server, Settings},
};
use tokio::{task::JoinSet, time::sleep};

use checker::Specification;
use client::Participant;
use recorder::{History, Recorder};
use sequential_debate::{Answer, Call, Debate};

/// The number of clients of each debate.
const CLIENTS: usize = 4;

/// The number of calls of each client.
const OPERATIONS: usize = 8;

/// The number of debates in parallel.
const AT_ONCE: usize = 16;

/// The number of histories between two crashes.
const BETWEEN: usize = 50;

/// The number of histories: ten thousand in a long run.
fn histories() -> usize {
    if fault_factor() == 1 { 200 } else { 1_000 * fault_factor() }
}

/// Runs clients on one debate and returns the recorded history.
async fn record_history(servers: Arc<[Client]>, seed: u64) -> Result<History, String> {
    let (recorder, mut random) = (Arc::new(Recorder::new()), Rng::with_seed(seed));
    let mut participant =
        || Participant { servers: servers.clone(), recorder: recorder.clone(), random: random.fork() };
    let all: JoinSet<()> = (0..CLIENTS).map(|_| participant().run(OPERATIONS)).collect();
    all.join_all().await;
    participant().read_final_state().await;
    recorder.finish()
}

/// Totals over many histories.
#[derive(Default)]
struct Totals {
    operations: usize,
    stored: usize,
    at_once: usize,
    unknown: usize,
    /// How many operations of unknown outcome turned out to have taken effect
    happened: usize,
    /// The number of arguments that changed issues
    changing: usize,
}

impl Totals {
    fn count(&mut self, history: &History) {
        self.operations += history.len();
        let is_new = |answer: &Answer| matches!(answer, Answer::Stored { replayed: false, .. });
        self.stored +=
            history.iter().filter(|one| one.ended.as_ref().is_some_and(|(_, answer)| is_new(answer))).count();
        let changes_issues = |answer: &Answer| {
            let Answer::Stored { replayed: false, changed, .. } = answer else { return false };
            changed.as_array().is_some_and(|all| !all.is_empty())
        };
        self.changing +=
            history.iter().filter(|one| one.ended.as_ref().is_some_and(|(_, answer)| changes_issues(answer))).count();
        let ended = |number: usize| history[number].ended.as_ref().map(|(at, _)| *at);
        let overlaps = |number: &usize| ended(number - 1).is_none_or(|ended| ended > history[*number].began);
        self.at_once += (1..history.len()).filter(overlaps).count();
        let Some((_, Answer::Context(_, said, _))) = history.last().and_then(|last| last.ended.as_ref()) else {
            return;
        };
        let said: HashSet<&String> = said.iter().collect();
        let open = history.iter().filter(|one| one.ended.is_none());
        for write in open.filter_map(|one| if let Call::Write(write) = &one.call { Some(write) } else { None }) {
            self.unknown += 1;
            self.happened += usize::from(said.contains(&write.content));
        }
    }
}

/// Checks a history and describes it if it is not linearizable.
fn check(history: &History) -> Result<Vec<usize>, String> {
    checker::of(&Debate::default(), history).map_err(|longest| {
        let stands = longest.iter().fold(Debate::default(), |debate, number| debate.apply(&history[*number].call).1);
        let lines: Vec<String> = history.iter().enumerate().map(|(number, one)| format!("{number} {one:?}")).collect();
        format!(
            "no sequence has all operations, the longest is {longest:?}, which leads to {stands:?}, of\n{}",
            lines.join("\n")
        )
    })
}

/// Records this many histories, while the servers are killed in turn, and checks each of them.
pub async fn check_histories(mut servers: Vec<Server>) {
    let (seed, histories, start) = (seed(), histories(), Instant::now());
    let clients: Arc<[Client]> = servers.iter().map(Server::client).collect();
    let (mut random, mut totals) = (Rng::with_seed(seed), Totals::default());
    let (mut playing, mut begun, mut crashes) = (JoinSet::new(), 0, 0);
    for ended in 0..histories {
        while begun < histories && playing.len() < AT_ONCE {
            let number = begun as u64;
            playing.spawn(record_history(clients.clone(), seed.wrapping_add(number)));
            begun += 1;
        }
        if ended % BETWEEN == BETWEEN / 2 {
            sleep(Duration::from_micros(random.u64(..20_000))).await;
            let victim = crashes % servers.len();
            servers[victim].kill();
            servers[victim].restart().await;
            crashes += 1;
        }
        let history = playing.join_next().await.expect("a history is left").unwrap().unwrap();
        totals.count(&history);
        tokio::task::block_in_place(|| check(&history)).unwrap_or_else(|fault| panic!("{fault}"));
    }
    let Totals { operations, stored, at_once, unknown, happened, changing } = totals;
    // Of 650 arguments 60 to 100 change issues.
    assert!(
        happened > 0 && changing > stored / 20 && at_once > operations / 4,
        "too few operations overlapped or had an unknown outcome, so the test proves nothing"
    );
    report(&format!(
        "{histories} histories at {} servers over {crashes} crashes are linearizable: {operations} operations, {at_once} of \
         them concurrent, {stored} arguments stored, {changing} of them with changes of issues, {unknown} writes of unknown outcome of which {happened} happened, in \
         {:?}, AWEAVE_SEED={seed}",
        servers.len(),
        start.elapsed()
    ));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_is_linearizable() {
    check_histories(vec![Server::with(Settings::new().restartable()).await]).await;
}
