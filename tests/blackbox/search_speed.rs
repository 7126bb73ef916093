//! What a search finds among many arguments, and how long it takes. `AWEAVE_SEARCH=100000` fills as many as is promised for, and holds the
//! searches to the promised time; by default there are few, and nothing is asked of the time.

use std::{
    env,
    time::{Duration, Instant},
};

use fastrand::Rng;
use serde_json::json;
use tests::{
    client::Client,
    debate::{Debate, text},
    random::seed,
    report::report,
    request_bodies::{self, with},
    server::Server,
};
use tokio::{task::JoinSet, time::sleep};

/// The debates that are filled at once.
const DEBATES: usize = 64;

/// How long any search may take.
const LONGEST: Duration = Duration::from_millis(2_500);

/// How long the median search may take where at most 1,000 texts match.
const MEDIAN: Duration = Duration::from_millis(20);

/// Made-up words, of which the first are much more frequent.
fn words(random: &mut Rng) -> Vec<String> {
    let word = |random: &mut Rng| {
        let length = random.usize(2..10);
        std::iter::repeat_with(|| b"etaoinshrdlucmfwypvbgkjqxz"[random.usize(..26).min(random.usize(..26))] as char)
            .take(length)
            .collect()
    };
    (0..5_000).map(|_| word(random)).collect()
}

/// About 1 KiB. One in a hundred has a word that no other has.
fn content(words: &[String], random: &mut Rng, number: usize) -> String {
    let mut text = String::new();
    while text.len() < 1_000 {
        let which = (words.len() as f64).powf(random.f64()) as usize - 1;
        text += &words[which.min(words.len() - 1)];
        text.push(' ');
    }
    if number.is_multiple_of(100) { text + "Zwölfkämpfer" } else { text }
}

async fn fill(client: Client, debate_number: usize, arguments: usize, seed: u64) {
    let mut random = Rng::with_seed(seed);
    let words = words(&mut random);
    let mut random = Rng::with_seed(seed.wrapping_add(1 + debate_number as u64));
    let mut debate = Debate::create(&client).await;
    for number in 1..arguments {
        let role = if number % 2 == 1 { "opponent" } else { "proposer" };
        let body = request_bodies::claim(role, debate.newest());
        debate
            .write(
                "arguments",
                &with(body, "content", json!(content(&words, &mut random, debate_number * arguments + number))),
            )
            .await;
    }
}

#[tokio::test]
async fn a_search_among_many_arguments_finds_all_and_takes_at_most_20_ms() {
    let wanted = env::var("AWEAVE_SEARCH").ok();
    let arguments: usize = wanted.as_ref().map_or(2_000, |count| count.parse().expect("a number"));
    let in_each = arguments / DEBATES;
    let numbers = (0..DEBATES).flat_map(|debate| (1..in_each).map(move |number| debate * in_each + number));
    let marked = numbers.filter(|number| number.is_multiple_of(100)).count() as u64;
    let (server, seed) = (Server::start().await, seed());
    let started = Instant::now();
    let mut filling = JoinSet::new();
    for debate in 0..DEBATES {
        filling.spawn(fill(server.client(), debate, in_each, seed));
    }
    while let Some(filled) = filling.join_next().await {
        filled.expect("it is filled");
    }
    let (filled, started) = (started.elapsed(), Instant::now());
    let client = server.client();
    // Until all texts are in the index, a search looks at some of them one by one.
    while wanted.is_some() && server.verify().1.contains("not yet stored for searching") {
        assert!(started.elapsed() < Duration::from_secs(1_800), "the texts are not stored");
        sleep(Duration::from_secs(1)).await;
    }
    let mut told = format!(
        "{arguments} arguments filled in {filled:?}, their texts stored for searching in {:?}",
        started.elapsed()
    );
    let words = words(&mut Rng::with_seed(seed));
    let common = words.iter().skip(2_000).find(|word| word.len() > 6).expect("a long word");
    for (q, kind) in [
        ("zwölfkämpfer", "argument"),
        ("ZWÖLFKÄMPFER", "argument"),
        (common.as_str(), "argument"),
        ("nowhere at all", "argument"),
        ("motion", "ruling"),
    ] {
        let path =
            format!("/search?q={}&kind={kind}", q.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>());
        let mut times = Vec::new();
        let mut total = 0;
        for _ in 0..41 {
            let sent = Instant::now();
            let found = client.get(&path).await.data(200);
            times.push(sent.elapsed());
            total = found["total"].as_u64().expect("a number");
        }
        times.sort_unstable();
        told += &format!(
            "\n{} of the kind {kind}: {total} hits, p50 {:?}, p90 {:?}",
            text(&json!(q)),
            times[20],
            times[36]
        );
        let expected = match q {
            "zwölfkämpfer" | "ZWÖLFKÄMPFER" => Some(marked),
            "nowhere at all" | "motion" => Some(0),
            _ => None,
        };
        assert!(expected.is_none_or(|expected| total == expected), "{marked} texts are marked: {told}");
        assert!(wanted.is_none() || total > 1_000 || times[20] <= MEDIAN, "{told}");
    }
    for q in ["e", "th", "a z", "the", "there", "e there"] {
        let path = format!("/search?q={}&kind=argument", q.replace(' ', "+"));
        let sent = Instant::now();
        let found = client.get(&path).await.data(200);
        told += &format!("\n{q:?}: {} hits, complete {}, {:?}", found["total"], found["complete"], sent.elapsed());
        assert!(sent.elapsed() < LONGEST, "{told}");
    }
    if wanted.is_some() {
        told += &beside_searches(&server, "one search", &["zwolf", "there"], 1).await;
        let near_miss = format!("{}b", "a".repeat(199));
        told +=
            &beside_searches(&server, "16 hostile searches", &[&"a".repeat(200), &near_miss, "a+e", "aaa+e"], 16).await;
    }
    report(&format!("{told}\nAWEAVE_SEED={seed}"));
}

/// How long each of two measurements goes on, with nothing and with searches beside it.
const MEASURED: Duration = Duration::from_secs(10);

/// What reading a debate and writing to it take, alone and while some search without a pause.
async fn beside_searches(server: &Server, what: &str, queries: &[&str], searches: usize) -> String {
    let client = server.client();
    let mut repeated = Debate::create(&client).await;
    for number in 0..200 {
        let role = if number % 2 == 0 { "opponent" } else { "proposer" };
        let content = format!("{}b{}", "a".repeat(number), "a".repeat(10_000));
        repeated.write("arguments", &with(request_bodies::claim(role, repeated.newest()), "content", content)).await;
    }
    let alone = reads_and_writes(server).await;
    let mut searching = JoinSet::new();
    for number in 0..searches {
        let (client, path) = (server.client(), format!("/search?kind=argument&q={}", queries[number % queries.len()]));
        searching.spawn(async move {
            loop {
                client.get(&path).await.data(200);
            }
        });
    }
    let beside = reads_and_writes(server).await;
    searching.abort_all();
    format!("\nalone: {alone}\nbeside {what}: {beside}")
}

/// The median and the slowest hundredth of reads of a debate and of writes to it, for a while.
async fn reads_and_writes(server: &Server) -> String {
    let (reader, writer) = (server.client(), server.client());
    let mut debate = Debate::create(&writer).await;
    let (path, until) = (format!("/debates/{}?limit=10", debate.id), Instant::now() + MEASURED);
    let reading = async {
        let mut times = Vec::new();
        while Instant::now() < until {
            let sent = Instant::now();
            reader.get(&path).await.data(200);
            times.push(sent.elapsed());
        }
        times
    };
    let writing = async {
        let mut times = Vec::new();
        while Instant::now() < until {
            let role = if times.len() % 2 == 0 { "opponent" } else { "proposer" };
            let body = request_bodies::claim(role, debate.newest());
            let sent = Instant::now();
            debate.write("arguments", &body).await;
            times.push(sent.elapsed());
        }
        times
    };
    let (mut reads, mut writes) = tokio::join!(reading, writing);
    let mut told = String::new();
    for (name, times) in [("read", &mut reads), ("write", &mut writes)] {
        times.sort_unstable();
        told += &format!("{name} p50 {:?}, p99 {:?}; ", times[times.len() / 2], times[times.len() * 99 / 100]);
    }
    told
}
