//! Servers that are killed while what was written is stored for searching.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use fastrand::Rng;
use tests::{
    client::Client,
    debate::{Debate, text},
    polling,
    random::{fault_factor, seed},
    report::report,
    request_bodies::{self, with},
    server::{Server, Settings},
};
use tokio::{sync::Semaphore, task::JoinSet, time::sleep};

const WRITERS: usize = 8;

/// How many arguments are written between two crashes.
const BETWEEN: usize = 64;

/// What all arguments have, of 10 KiB.
const FOUND: &str = "/search?kind=argument&q=wanted";

/// How many arguments the writers may write, and how many they have written.
struct Progress {
    allowed: Semaphore,
    written: AtomicUsize,
}

/// Writes arguments one after another. What was not acknowledged is sent again.
async fn write(client: Client, progress: Arc<Progress>, seed: u64) {
    let mut random = Rng::with_seed(seed);
    let mut debate = Debate::create(&client).await;
    loop {
        // It is closed at the end.
        let Ok(allowed) = progress.allowed.acquire().await else { return };
        allowed.forget();
        let role = if debate.arguments.len() % 2 == 1 { "opponent" } else { "proposer" };
        let letters: String = std::iter::repeat_with(|| random.lowercase()).take(10_000).collect();
        let body = with(request_bodies::claim(role, debate.newest()), "content", format!("wanted {letters}"));
        let request = client.write(&debate.path("/arguments"), body.to_string());
        let stored = loop {
            match client.try_send(&request).await {
                Ok(answer) => break answer.data_of_any_success(),
                Err(_) => sleep(Duration::from_millis(10)).await,
            }
        };
        debate.arguments.push(text(&stored["argument"]["id"]));
        progress.written.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn crashes_while_texts_are_stored_for_searching_lose_none() {
    let (seed, crashes) = (seed(), 5 * fault_factor());
    let mut random = Rng::with_seed(seed);
    let mut server = Server::with(Settings::new().restartable()).await;
    let progress = Arc::new(Progress { allowed: Semaphore::new(0), written: AtomicUsize::new(0) });
    let mut writing = JoinSet::new();
    for number in 0..WRITERS {
        writing.spawn(write(server.client(), progress.clone(), seed.wrapping_add(number as u64)));
    }
    let written = || progress.written.load(Ordering::SeqCst);
    let reached = async |number: usize| polling::until("it is written", || (written() >= number).then_some(())).await;
    let mut unstored = 0;
    for crash in 1..=crashes {
        progress.allowed.add_permits(BETWEEN);
        reached(crash * BETWEEN - random.usize(..BETWEEN)).await;
        // A random moment of storing what was written.
        sleep(Duration::from_millis(random.u64(..600))).await;
        let acknowledged = written() as u64;
        server.kill();
        unstored += usize::from(server.verify().1.contains("not yet stored for searching"));
        server.restart().await;
        let found = server.client().get(FOUND).await.data(200);
        assert!(found["complete"] == true && found["total"].as_u64() >= Some(acknowledged), "{acknowledged}: {found}");
    }
    reached(crashes * BETWEEN).await;
    progress.allowed.close();
    writing.join_all().await;
    let found = server.client().get(FOUND).await.data(200);
    assert_eq!(found["total"], crashes * BETWEEN);
    server.wait_until_searchable(polling::DEADLINE).await;
    let stored = server.client().get(FOUND).await.data(200);
    assert_eq!(stored, found);
    let (fine, said) = server.verify();
    assert!(fine, "{said}");
    assert!(unstored > 0, "no crash came while texts were to be stored, so the test proves nothing");
    report(&format!("{crashes} crashes, {unstored} of them while texts were to be stored, AWEAVE_SEED={seed}"));
}
