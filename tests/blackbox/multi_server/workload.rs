//! Debates at several servers while faults are injected, and what must hold afterwards.

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
    client::Client,
    debate::{Debate, text},
    ids, polling,
    request_bodies::{self, with},
    server::{Server, Settings},
    store::{Backend, Store},
};
use tokio::{task::JoinSet, time::sleep};

use crate::state_machine;

/// The time without faults after which a wake-up counts as lost. On a busy machine it may come two seconds after the fault.
const LOST: Duration = Duration::from_secs(10);

/// The pause before a request is repeated.
const RETRY_PAUSE: Duration = Duration::from_millis(20);

const DEBATES: usize = 8;

/// Servers and the debates that run on them.
pub struct Workload {
    servers: Vec<Server>,
    running: JoinSet<Played>,
    shared: Arc<Shared>,
}

struct Shared {
    clients: Vec<Client>,
    stop: AtomicBool,
    turns: AtomicUsize,
    /// The end of the last fault; `None` during a fault
    whole_since: Mutex<Option<Instant>>,
    faults: Mutex<Vec<String>>,
    slowest: Mutex<Duration>,
}

/// A debate and its acknowledged arguments.
struct Played {
    debate: Debate,
    acknowledged: Vec<Value>,
}

/// The result of a workload.
#[derive(Debug)]
pub struct Report {
    /// Violations
    pub faults: Vec<String>,
    /// The number of acknowledged arguments that reached their waiter
    pub turns: usize,
    /// The longest delay of a wake-up, counted from the end of the last fault
    pub slowest: Duration,
}

impl Workload {
    /// Starts one server per URL, all for the same database, and debates on all of them.
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

    /// One of the servers.
    pub fn server(&mut self, number: usize) -> &mut Server {
        &mut self.servers[number]
    }

    /// Runs a fault and notes when it is over.
    pub async fn while_failing<T>(&mut self, failing: impl AsyncFnOnce(&mut Self) -> T) -> T {
        *self.shared.whole_since.lock().unwrap() = None;
        let done = failing(self).await;
        *self.shared.whole_since.lock().unwrap() = Some(Instant::now());
        done
    }

    /// Waits for this many more turns or for a violation.
    pub async fn run_for(&self, turns: usize) {
        let goal = self.shared.turns.load(Ordering::Relaxed) + turns;
        let enough = || {
            let done =
                self.shared.turns.load(Ordering::Relaxed) >= goal || !self.shared.faults.lock().unwrap().is_empty();
            done.then_some(())
        };
        polling::until("the debates go on", enough).await;
    }

    /// Ends the debates and checks what is stored.
    pub async fn end(mut self) -> Report {
        self.shared.stop.store(true, Ordering::Relaxed);
        while let Some(played) = self.running.join_next().await {
            let Played { debate, acknowledged } = played.unwrap();
            let history = debate.history().await;
            assert_eq!(debate.stored().await["debate"]["state"], state_machine::replay(&history));
            assert_eq!(&history[1..], acknowledged, "an acknowledged argument is lost, stored twice or changed");
        }
        let faults = self.shared.faults.lock().unwrap().clone();
        let slowest = *self.shared.slowest.lock().unwrap();
        Report { faults, turns: self.shared.turns.load(Ordering::Relaxed), slowest }
    }
}

/// In each turn one side waits at a random server, and the other writes at a random server.
async fn play(mut debate: Debate, mut random: Rng, shared: Arc<Shared>) -> Played {
    let mut acknowledged = Vec::new();
    while !shared.stop.load(Ordering::Relaxed) && shared.faults.lock().unwrap().is_empty() {
        let roles = ["opponent", "proposer"];
        let (role, other) = (roles[acknowledged.len() % 2], roles[(acknowledged.len() + 1) % 2]);
        let path = debate.path(&format!("/wait?role={other}&argument_id={}&timeout=60", debate.newest()));
        let waiting = tokio::spawn(hear(path, random.fork(), shared.clone()));
        // Most writes come after the wait is held, some before.
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

/// The delay of a wake-up after the write and the last fault.
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
    Ok(well().map_or(Duration::ZERO, |well| heard.saturating_duration_since(well)))
}

/// Repeats a wait at random servers until it returns a new argument.
async fn hear(path: String, mut random: Rng, shared: Arc<Shared>) -> Instant {
    loop {
        let client = &shared.clients[random.usize(..shared.clients.len())];
        if let Ok(answer) = client.try_send(&client.request("GET", &path)).await
            && answer.status == 200
            && answer.data(200)["has_new_argument"] == true
        {
            return Instant::now();
        }
        sleep(RETRY_PAUSE).await;
    }
}

/// Repeats a write under its request id at random servers until it is acknowledged.
async fn insist(path: &str, body: &Value, random: &mut Rng, shared: &Shared) -> Value {
    loop {
        let client = &shared.clients[random.usize(..shared.clients.len())];
        if let Ok(answer) = client.try_send(&client.write(path, body.to_string())).await
            && answer.status != 503
        {
            return answer.data_of_any_success()["argument"].clone();
        }
        sleep(RETRY_PAUSE).await;
    }
}
