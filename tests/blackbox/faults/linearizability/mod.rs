//! Several clients write to one debate and read from it at once, while answers are lost and servers die.
//!
//! A history is what they asked and were told, each with when it began and when the answer was there. It is in order
//! where one sequence of all that was answered, in which nothing comes before it was asked or after it was told, gives
//! the same answers by the contract's rules for one at a time; what nobody answered may have happened at any time after
//! it was asked, or never. Several servers on one database promise the same: what is acknowledged by one is known to all.
//! Only a wait that is held may be told late, which is no other order, as its answer may be of any moment that it is held.

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
    random::{fault_factor, seed}, report::report,
    client::Client,
    server::{Server, Settings},
};
use tokio::{task::JoinSet, time::sleep};

use client::Participant;
use sequential_debate::{Answer, Call, Debate};
use recorder::{History, Recorder};
use checker::Specification;

/// Clients of each debate.
const CLIENTS: usize = 4;

/// What each of them asks for.
const OPERATIONS: usize = 8;

/// Debates at a time.
const AT_ONCE: usize = 16;

/// Histories between two crashes.
const BETWEEN: usize = 50;

/// How many histories are made: ten thousand where it may take long.
fn histories() -> usize {
    if fault_factor() == 1 { 200 } else { 1_000 * fault_factor() }
}

/// Lets clients loose on one debate, at any of the servers, and writes down what comes of it.
async fn record_history(servers: Arc<[Client]>, seed: u64) -> Result<History, String> {
    let (recorder, mut random) = (Arc::new(Recorder::new()), Rng::with_seed(seed));
    let mut participant =
        || Participant { servers: servers.clone(), recorder: recorder.clone(), random: random.fork() };
    let all: JoinSet<()> = (0..CLIENTS).map(|_| participant().run(OPERATIONS)).collect();
    all.join_all().await;
    participant().read_final_state().await;
    recorder.end()
}

/// What many histories came to.
#[derive(Default)]
struct Totals {
    operations: usize,
    stored: usize,
    at_once: usize,
    unknown: usize,
    /// Of those of unknown outcome the ones that are seen to have happened
    happened: usize,
}

impl Totals {
    fn count(&mut self, history: &History) {
        self.operations += history.len();
        let is_new = |answer: &Answer| matches!(answer, Answer::Stored { replayed: false, .. });
        self.stored +=
            history.iter().filter(|one| one.ended.as_ref().is_some_and(|(_, answer)| is_new(answer))).count();
        let ended = |number: usize| history[number].ended.as_ref().map(|(at, _)| *at);
        let overlaps = |number: &usize| ended(number - 1).is_none_or(|ended| ended > history[*number].began);
        self.at_once += (1..history.len()).filter(overlaps).count();
        let Some((_, Answer::Context(_, said))) = history.last().and_then(|last| last.ended.as_ref()) else { return };
        let said: HashSet<&String> = said.iter().collect();
        let open = history.iter().filter(|one| one.ended.is_none());
        for write in open.filter_map(|one| if let Call::Write(write) = &one.call { Some(write) } else { None }) {
            self.unknown += 1;
            self.happened += usize::from(said.contains(&write.content));
        }
    }
}

/// Whether a history is in order, and what is known of it otherwise.
fn check(history: &History) -> Result<Vec<usize>, String> {
    checker::of(&Debate::default(), history).map_err(|longest| {
        let stands = longest.iter().fold(Debate::default(), |debate, number| debate.apply(&history[*number].call).1);
        let lines: Vec<String> = history.iter().enumerate().map(|(number, one)| format!("{number} {one:?}")).collect();
        format!("no order of all, the longest is {longest:?}, which leads to {stands:?}, of\n{}", lines.join("\n"))
    })
}

/// Lets so many histories come about at these servers, which are killed in turn, and finds each of them in order.
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
        let history = playing.join_next().await.expect("there is one left").unwrap().unwrap();
        totals.count(&history);
        tokio::task::block_in_place(|| check(&history)).unwrap_or_else(|fault| panic!("{fault}"));
    }
    let Totals { operations, stored, at_once, unknown, happened } = totals;
    assert!(happened > 0 && at_once > operations / 4, "too little was lost, or done at once: nothing was tested");
    report(&format!(
        "{histories} histories at {} servers over {crashes} crashes are in order: {operations} operations, {at_once} of \
         them at once, {stored} arguments stored, {unknown} writes of unknown outcome of which {happened} happened, in \
         {:?}, AWEAVE_SEED={seed}",
        servers.len(),
        start.elapsed()
    ));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_clients_do_at_once_could_have_been_done_one_after_another() {
    check_histories(vec![Server::with(Settings::new().restartable()).await]).await;
}
