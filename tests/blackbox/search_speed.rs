//! What a search finds among many arguments, how long it takes, and what it costs others. `AWEAVE_SEARCH=100000` fills as many as is
//! promised for, and holds searches, and reads and writes beside them, to the promised times; by default there are few, and
//! nothing is asked of the times but that others go on.

mod beside_searches;

use std::{
    env,
    time::{Duration, Instant},
};

use fastrand::Rng;
use serde_json::json;
use tests::{
    client::Client,
    debate::Debate,
    random::seed,
    raw_http::percent_encoded,
    report::report,
    request_bodies::{self, with},
    server::Server,
    store::Backend,
};
use tokio::task::JoinSet;

/// The debates that are filled at once.
const DEBATES: usize = 64;

/// One argument of so many has the words that no other has.
const MARKED: usize = 100;

/// The debates with a burst of arguments.
const BURST_DEBATES: usize = 32;

/// The word that only the arguments of a burst have.
const BURST_WORD: &str = "Sammelsurium";

/// How long it takes until the texts of a burst, of 5 MiB in all, are stored for searching. PostgreSQL takes half a second of a core for
/// the trigrams of a MiB.
const SOON: Duration = Duration::from_millis(1_500);
const SOON_ON_POSTGRES: Duration = Duration::from_secs(5);

/// How long it may take with all texts.
const LONGEST_FILL: Duration = Duration::from_secs(1_800);

/// How long any search may take.
const LONGEST: Duration = Duration::from_millis(2_500);

/// How long the median search may take where at most 1,000 texts match.
const MEDIAN: Duration = Duration::from_millis(20);

/// How many arguments are asked for, if any number is.
fn wanted() -> Option<usize> {
    env::var("AWEAVE_SEARCH").ok().map(|count| count.parse().expect("AWEAVE_SEARCH is a number"))
}

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

/// About 1 KiB.
fn content(words: &[String], random: &mut Rng, number: usize) -> String {
    let mut text = String::new();
    while text.len() < 1_000 {
        let which = (words.len() as f64).powf(random.f64()) as usize - 1;
        text += &words[which.min(words.len() - 1)];
        text.push(' ');
    }
    if number.is_multiple_of(MARKED) { text + "Zwölfkämpfer nymph x7 ж" } else { text }
}

async fn fill(client: Client, debate_number: usize, arguments: usize, seed: u64) {
    let mut random = Rng::with_seed(seed);
    let words = words(&mut random);
    let mut random = Rng::with_seed(seed.wrapping_add(1 + debate_number as u64));
    let mut debate = Debate::create(&client).await;
    for number in 1..arguments {
        let role = if number % 2 == 1 { "opponent" } else { "proposer" };
        let body = request_bodies::claim(role, debate.newest());
        let content = content(&words, &mut random, debate_number * arguments + number);
        debate.write("arguments", &with(body, "content", content)).await;
    }
}

/// Writes arguments of 10 KiB at once and tells how long the slowest of them took, how long it took from the last one until a search
/// found all of them, and until all could be found without looking at each.
async fn burst(server: &Server, arguments: usize) -> [Duration; 3] {
    let mut random = Rng::with_seed(arguments as u64);
    let words = words(&mut random);
    let mut writing = JoinSet::new();
    for _ in 0..BURST_DEBATES {
        let mut debate = Debate::create(&server.client()).await;
        let texts: Vec<String> = (0..arguments / BURST_DEBATES)
            .map(|_| (0..10).map(|_| content(&words, &mut random, 1)).chain([BURST_WORD.to_owned()]).collect())
            .collect();
        writing.spawn(async move {
            let mut slowest = Duration::ZERO;
            for (number, content) in texts.into_iter().enumerate() {
                let role = if number % 2 == 0 { "opponent" } else { "proposer" };
                let body = with(request_bodies::claim(role, debate.newest()), "content", content);
                let sent = Instant::now();
                debate.write("arguments", &body).await;
                slowest = slowest.max(sent.elapsed());
            }
            slowest
        });
    }
    let slowest = writing.join_all().await.into_iter().max().unwrap_or_default();
    let written = Instant::now();
    let found = server.client().get(&path(BURST_WORD)).await.data(200);
    assert_eq!((&found["total"], &found["complete"]), (&json!(arguments), &json!(true)), "all are found at once");
    let found = written.elapsed();
    server.wait_until_searchable(LONGEST_FILL).await;
    [slowest, found, written.elapsed()]
}

/// The path of a search for arguments.
fn path(q: &str) -> String {
    format!("/search?kind=argument&q={}", percent_encoded(q))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_among_many_arguments_finds_all_takes_at_most_20_ms_and_holds_nobody_up() {
    let wanted = wanted();
    let in_each = wanted.unwrap_or(2_000) / DEBATES;
    let numbers = (0..DEBATES).flat_map(|debate| (1..in_each).map(move |number| debate * in_each + number));
    let marked = numbers.filter(|number| number.is_multiple_of(MARKED)).count() as u64;
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
    // Until all texts are in the table, a search looks at some of them one by one.
    server.wait_until_searchable(LONGEST_FILL).await;
    let mut told = format!(
        "{} arguments filled in {filled:?}, all texts stored for searching {:?} later",
        in_each * DEBATES,
        started.elapsed()
    );
    let client = server.client();
    let words = words(&mut Rng::with_seed(seed));
    let common = words.iter().skip(2_000).find(|word| word.len() > 6).expect("a long word");
    // Of words of one and two letters only so many texts are looked at.
    let all_are_looked_at = in_each * DEBATES <= 10_000;
    for (q, expected) in [
        ("zwölfkämpfer", Some(marked)),
        ("ZWÖLFKÄMPFER", Some(marked)),
        ("nymph", Some(marked)),
        ("\"nymph x7\"", Some(marked)),
        ("x7 ж nymph", Some(marked)),
        ("x7", all_are_looked_at.then_some(marked)),
        ("ж", all_are_looked_at.then_some(marked)),
        ("nowhere at all", Some(0)),
        (common.as_str(), None),
        ("e", None),
        ("th", None),
        ("a z", None),
        ("the", None),
        ("there", None),
        ("e there", None),
    ] {
        let mut times = Vec::new();
        let mut found = json!(null);
        for _ in 0..41 {
            let sent = Instant::now();
            found = client.get(&path(q)).await.data(200);
            times.push(sent.elapsed());
        }
        times.sort_unstable();
        let total = found["total"].as_u64().expect("a number");
        told +=
            &format!("\n{q}: {total} hits, complete {}, p50 {:?}, p90 {:?}", found["complete"], times[20], times[36]);
        assert!(expected.is_none_or(|expected| total == expected), "{marked} texts are marked: {told}");
        assert!(wanted.is_none() || total > 1_000 || times[20] <= MEDIAN, "{told}");
        assert!(wanted.is_none() || times[40] < LONGEST, "{told}");
    }
    let of_burst = if wanted.is_some() { 512 } else { 64 };
    let [slowest, found, stored] = burst(&server, of_burst).await;
    told += &format!(
        "\n{of_burst} arguments of 10 KiB at once: the slowest took {slowest:?}, all are found {found:?} and stored for searching {stored:?} later"
    );
    told += &beside_searches::told(&server, wanted.is_some()).await;
    let soon = match Backend::of_this_binary() {
        Backend::Sqlite => SOON,
        Backend::Postgres => SOON_ON_POSTGRES,
    };
    assert!(wanted.is_none() || stored <= soon, "{told}");
    report(&format!("{told}\nAWEAVE_SEED={seed}"));
}
