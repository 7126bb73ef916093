//! What reads and writes take alone, and beside searches that others make without a pause.

use std::time::{Duration, Instant};

use tests::{
    client::Client,
    debate::Debate,
    raw_http,
    request_bodies::{self, with},
    server::Server,
};
use tokio::{
    io::AsyncWriteExt,
    net::TcpStream,
    task::JoinSet,
    time::{self, Interval, MissedTickBehavior},
};

use super::path;

/// How many clients read a debate, or write to one of their own, how often each does, and for how long.
struct Load {
    readers: usize,
    writers: usize,
    pause: Duration,
    lasts: Duration,
}

/// The median and the slowest hundredth.
struct Times {
    p50: Duration,
    p99: Duration,
}

impl Times {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |hundredth: usize| times.get(times.len() * hundredth / 100).copied().unwrap_or_default();
        Self { p50: at(50), p99: at(99) }
    }
}

struct Measured {
    reads: Times,
    writes: Times,
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { reads, writes } = self;
        write!(f, "a read p50 {:?}, p99 {:?}; a write p50 {:?}, p99 {:?}", reads.p50, reads.p99, writes.p50, writes.p99)
    }
}

/// Measures both, and says what came of it. Holds it to what is promised if this is to be exact.
pub async fn told(server: &Server, is_exact: bool) -> String {
    repeated_texts(&server.client()).await;
    let lasts = if is_exact { Duration::from_secs(20) } else { Duration::from_secs(1) };
    let one = Load { readers: 1, writers: 1, pause: Duration::ZERO, lasts };
    let (alone, beside) = alone_and_beside(server, &one, 1, &["zwölf".to_owned(), "there".to_owned()]).await;
    let mut told = format!("\nalone: {alone}\nbeside one search: {beside}");
    let allowed = (alone.writes.p50 * 6 / 5).max(alone.writes.p50 + Duration::from_millis(3));
    assert!(!is_exact || beside.writes.p50 <= allowed, "{told}");

    let same = "a".repeat(200);
    let hostile = [same.clone(), format!("{}b", &same[1..]), "a e".to_owned(), "aaa e".to_owned()];
    let (readers, writers) = if is_exact { (200, 50) } else { (20, 5) };
    let many = Load { readers, writers, pause: Duration::from_millis(200), lasts: lasts * 3 };
    let (alone, beside) = alone_and_beside(server, &many, 16, &hostile).await;
    told += &format!("\n{readers} readers and {writers} writers alone: {alone}\nbeside 16 hostile searches: {beside}");
    let allowed = alone.reads.p99 + if is_exact { Duration::from_millis(100) } else { Duration::from_secs(10) };
    assert!(beside.reads.p99 <= allowed, "{told}");
    told
}

/// Texts in which nearly each place is nearly a match.
async fn repeated_texts(client: &Client) {
    let mut repeated = Debate::create(client).await;
    for number in 0..200 {
        let role = if number % 2 == 0 { "opponent" } else { "proposer" };
        let content = format!("{}b{}", "a".repeat(number), "a".repeat(10_000));
        repeated.write("arguments", &with(request_bodies::claim(role, repeated.newest()), "content", content)).await;
    }
}

async fn alone_and_beside(server: &Server, load: &Load, searches: usize, queries: &[String]) -> (Measured, Measured) {
    let alone = measured(server, load).await;
    let mut searching = JoinSet::new();
    for q in queries.iter().cycle().take(searches) {
        let (client, path) = (server.client(), path(q));
        searching.spawn(async move {
            loop {
                client.get(&path).await.data(200);
            }
        });
    }
    let beside = measured(server, load).await;
    if let Some(Err(ended)) = searching.try_join_next() {
        panic!("a search was not answered: {ended}");
    }
    (alone, beside)
}

async fn measured(server: &Server, load: &Load) -> Measured {
    let read = Debate::create(&server.client()).await;
    let request = server.client().request("GET", &read.path("?limit=10")).header("Connection", &["keep-alive"]).bytes();
    let until = Instant::now() + load.lasts;
    let (mut reading, mut writing) = (JoinSet::new(), JoinSet::new());
    for number in 0..load.readers {
        let (address, request, turns) = (server.address(), request.clone(), turns(load, number, load.readers));
        reading.spawn(async move { reads(raw_http::open(address).await.unwrap(), &request, turns, until).await });
    }
    for number in 0..load.writers {
        let (client, turns) = (server.client(), turns(load, number, load.writers));
        writing.spawn(async move { writes(&client, turns, until).await });
    }
    let reads = reading.join_all().await.concat();
    Measured { reads: Times::of(reads), writes: Times::of(writing.join_all().await.concat()) }
}

/// When a client begins; they come one after another within a pause.
fn turns(load: &Load, number: usize, of: usize) -> Option<Interval> {
    let first = load.pause * u32::try_from(number).unwrap() / u32::try_from(of).unwrap();
    (!load.pause.is_zero()).then(|| {
        let mut turns = time::interval_at(time::Instant::now() + first, load.pause);
        turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
        turns
    })
}

async fn reads(mut stream: TcpStream, request: &[u8], mut turns: Option<Interval>, until: Instant) -> Vec<Duration> {
    let mut times = Vec::new();
    while Instant::now() < until {
        if let Some(turns) = &mut turns {
            turns.tick().await;
        }
        let sent = Instant::now();
        stream.write_all(request).await.unwrap();
        assert_eq!(raw_http::read_response(&mut stream).await.unwrap().status, 200);
        times.push(sent.elapsed());
    }
    times
}

async fn writes(client: &Client, mut turns: Option<Interval>, until: Instant) -> Vec<Duration> {
    let mut debate = Debate::create(client).await;
    let mut times = Vec::new();
    while Instant::now() < until {
        if let Some(turns) = &mut turns {
            turns.tick().await;
        }
        let role = if times.len() % 2 == 0 { "opponent" } else { "proposer" };
        let body = request_bodies::claim(role, debate.newest());
        let sent = Instant::now();
        debate.write("arguments", &body).await;
        times.push(sent.elapsed());
    }
    times
}
