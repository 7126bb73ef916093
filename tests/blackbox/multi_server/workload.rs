//! Debates that go on at several servers while everything around them fails, and what must hold all the same.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use fastrand::Rng;
use serde_json::Value;
use tests::{
    request_bodies::{self, with},
    client::Client,
    debate::{Debate, text},
    ids, polling,
    server::{Server, Settings},
    store::{Backend, Store},
};
use tokio::{task::JoinSet, time::sleep};

use crate::state_machine;

/// How late a wake-up may be after the last fault is over.
const LATE: Duration = Duration::from_secs(2);

/// After how long without a wake-up it counts as lost for good.
const LOST: Duration = Duration::from_secs(10);

/// How soon one who got no answer asks again.
const AGAIN: Duration = Duration::from_millis(20);

const DEBATES: usize = 8;

/// Servers, the debates at them, and what is known of both.
pub struct Workload {
    servers: Vec<Server>,
    running: JoinSet<Played>,
    shared: Arc<Shared>,
}

struct Shared {
    clients: Vec<Client>,
    stop: AtomicBool,
    turns: AtomicUsize,
    /// When the last fault was over; none while there is one
    whole_since: Mutex<Option<Instant>>,
    faults: Mutex<Vec<String>>,
    slowest: Mutex<Duration>,
}

/// A debate, and what was acknowledged in it.
struct Played {
    debate: Debate,
    acknowledged: Vec<Value>,
}

/// What a workload came to.
#[derive(Debug)]
pub struct Report {
    /// What should not have been
    pub faults: Vec<String>,
    /// How many arguments were acknowledged and heard of
    pub turns: usize,
    /// The latest of all wake-ups, counted from when all was well
    pub slowest: Duration,
}

impl Workload {
    /// Starts one server at each of these databases, which are one, and debates at all of them.
    pub async fn start(urls: &[String], settings: &Settings, seed: u64) -> Self {
        let mut servers = Vec::new();
        for url in urls {
            let folder = tempfile::TempDir::new().unwrap();
            let store = Store::fresh_on(Backend::Sqlite, folder.path());
            let settings = settings.clone().args(&["--database-url", url]).restartable();
            servers.push(Server::on_store(settings, &store).await);
        }
        let shared = Arc::new(Shared {
            clients: servers.iter().map(Server::client).collect(),
            stop: false.into(),
            turns: 0.into(),
            whole_since: Mutex::new(Some(Instant::now())),
            faults: Mutex::default(),
            slowest: Mutex::default(),
        });
        let mut running = JoinSet::new();
        for number in 0..DEBATES {
            let debate = Debate::create(&shared.clients[number % servers.len()]).await;
            let random = Rng::with_seed(seed.wrapping_add(number as u64));
            running.spawn(play(debate, random, shared.clone()));
        }
        Self { servers, running, shared }
    }

    /// One of the servers, to do something to it.
    pub fn server(&mut self, number: usize) -> &mut Server {
        &mut self.servers[number]
    }

    /// Lets something fail, and counts from its end.
    pub async fn while_failing<T>(&mut self, failing: impl AsyncFnOnce(&mut Self) -> T) -> T {
        *self.shared.whole_since.lock().unwrap() = None;
        let done = failing(self).await;
        *self.shared.whole_since.lock().unwrap() = Some(Instant::now());
        done
    }

    /// Lets the debates go on for so many more turns; gives up where that takes too long.
    pub async fn run_for(&self, turns: usize) {
        let goal = self.shared.turns.load(Ordering::Relaxed) + turns;
        let enough = || {
            let done =
                self.shared.turns.load(Ordering::Relaxed) >= goal || !self.shared.faults.lock().unwrap().is_empty();
            done.then_some(())
        };
        polling::until("the debates go on", enough).await;
    }

    /// Ends the debates and looks at what is stored.
    pub async fn end(mut self) -> Report {
        self.shared.stop.store(true, Ordering::Relaxed);
        while let Some(played) = self.running.join_next().await {
            let Played { debate, acknowledged } = played.unwrap();
            let history = debate.history().await;
            assert_eq!(debate.stored().await["debate"]["state"], state_machine::replay(&history));
            assert_eq!(&history[1..], acknowledged, "lost, doubled or changed");
        }
        let faults = self.shared.faults.lock().unwrap().clone();
        let slowest = *self.shared.slowest.lock().unwrap();
        Report { faults, turns: self.shared.turns.load(Ordering::Relaxed), slowest }
    }
}

/// Each turn: one waits somewhere, the other writes somewhere, and the one who waits hears of it.
async fn play(mut debate: Debate, mut random: Rng, shared: Arc<Shared>) -> Played {
    let mut acknowledged = Vec::new();
    while !shared.stop.load(Ordering::Relaxed) && shared.faults.lock().unwrap().is_empty() {
        let roles = ["opponent", "proposer"];
        let (role, other) = (roles[acknowledged.len() % 2], roles[(acknowledged.len() + 1) % 2]);
        let path = debate.path(&format!("/wait?role={other}&argument_id={}&timeout=60", debate.newest()));
        let waiting = tokio::spawn(hear(path, random.fork(), shared.clone()));
        // Mostly the wait is held by then, and sometimes not.
        sleep(Duration::from_millis(random.u64(..20))).await;
        let content = format!("turn {} {}", acknowledged.len(), ids::fresh());
        let body = with(request_bodies::claim(role, debate.newest()), "content", content);
        let argument = insist(&debate.path("/arguments"), &body, &mut random, &shared).await;
        debate.arguments.push(text(&argument["id"]));
        acknowledged.push(argument);
        match late(waiting, Instant::now(), &shared).await {
            Ok(late) => {
                let mut slowest = shared.slowest.lock().unwrap();
                *slowest = late.max(*slowest);
            }
            Err(fault) => shared.faults.lock().unwrap().push(format!("debate {}: {fault}", debate.id)),
        }
        shared.turns.fetch_add(1, Ordering::Relaxed);
    }
    Played { debate, acknowledged }
}

/// How long after the write, and after all was well, one who waits heard of it.
async fn late(
    waiting: tokio::task::JoinHandle<Instant>,
    acknowledged: Instant,
    shared: &Shared,
) -> Result<Duration, String> {
    let well = || shared.whole_since.lock().unwrap().map(|since| since.max(acknowledged));
    while !waiting.is_finished() {
        if well().is_some_and(|well| well.elapsed() > LOST) {
            waiting.abort();
            return Err(format!("a wake-up was lost: all has been well for {LOST:?}"));
        }
        sleep(Duration::from_millis(1)).await;
    }
    let heard = waiting.await.unwrap();
    let late = well().map_or(Duration::ZERO, |well| heard.saturating_duration_since(well));
    if late > LATE { Err(format!("a wake-up came {late:?} late")) } else { Ok(late) }
}

/// Waits for what is new, wherever somebody answers.
async fn hear(path: String, mut random: Rng, shared: Arc<Shared>) -> Instant {
    loop {
        let client = &shared.clients[random.usize(..shared.clients.len())];
        if let Ok(answer) = client.try_send(&client.request("GET", &path)).await
            && answer.status == 200
            && answer.data(200)["has_new_argument"] == true
        {
            return Instant::now();
        }
        sleep(AGAIN).await;
    }
}

/// Repeats one write with its request id, wherever somebody answers, until somebody says what became of it.
async fn insist(path: &str, body: &Value, random: &mut Rng, shared: &Shared) -> Value {
    loop {
        let client = &shared.clients[random.usize(..shared.clients.len())];
        if let Ok(answer) = client.try_send(&client.write(path, body.to_string())).await
            && answer.status != 503
        {
            return answer.data_of_any_success()["argument"].clone();
        }
        sleep(AGAIN).await;
    }
}
