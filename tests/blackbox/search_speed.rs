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
use tokio::task::JoinSet;

/// The debates that are filled at once.
const DEBATES: usize = 64;

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
    while client.get("/search?q=zzzz").await.envelope()["success"] != true {
        assert!(started.elapsed() < Duration::from_secs(900), "the texts are not stored");
    }
    let mut told = format!("{arguments} arguments filled in {filled:?}, their texts stored in {:?}", started.elapsed());
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
    report(&format!("{told}\nAWEAVE_SEED={seed}"));
}
