//! Very many waits at once, and what they cost while nothing happens.

use std::{collections::HashMap, sync::Arc, time::Duration};

use tests::{
    client::Client,
    debate::Debate,
    machine, patience,
    server::{Server, Settings},
    wire,
};
use tokio::{
    io::AsyncWriteExt,
    sync::Semaphore,
    task::JoinSet,
    time::{sleep, timeout},
};

const DEBATES: usize = 100;

/// How many connections may be half open: fewer than a listener's queue takes.
const DIALLING: usize = 200;

/// How many waits are held: `AWEAVE_HELD_WAITS`, or as many as the machine has descriptors for, up to this.
const WAITS: usize = 10_000;

/// Descriptors that a process needs besides its connections.
const SPARE: u64 = 500;

fn waits() -> usize {
    machine::raise_file_limit();
    if let Ok(told) = std::env::var("AWEAVE_HELD_WAITS") {
        return told.parse().expect("AWEAVE_HELD_WAITS is a number");
    }
    let possible = machine::file_limit().map_or(WAITS, |limit| limit.saturating_sub(SPARE) as usize);
    possible.min(WAITS)
}

/// Starts the waits of a debate's proposer; each gives the id of the argument that ended it.
async fn hold(
    client: &Client,
    debate: &Debate,
    count: usize,
    gate: &Arc<Semaphore>,
    waits: &mut JoinSet<(String, u64)>,
) {
    let path = debate.path(&format!("/wait?role=proposer&argument_id={}&timeout=60", debate.newest()));
    let request: Arc<[u8]> = client.request("GET", &path).bytes().into();
    for _ in 0..count {
        let (address, request, gate) = (client.address(), Arc::clone(&request), Arc::clone(gate));
        let id = debate.id.clone();
        waits.spawn(async move {
            let dialling = gate.acquire().await.expect("the gate stays");
            let mut stream = wire::open(address).await.expect("the server accepts");
            stream.write_all(&request).await.expect("the server reads");
            drop(dialling);
            let response = wire::read_response(&mut stream).await.expect("the wait is answered");
            let body: serde_json::Value = serde_json::from_slice(&response.body).expect("JSON");
            assert_eq!(response.status, 200, "{body}");
            assert_eq!(body["data"]["has_new_argument"], true, "{body}");
            (id, body["data"]["argument"]["seq"].as_u64().expect("a number"))
        });
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_held_waits_are_all_answered_by_one_write_to_each_debate() {
    let count = waits();
    let server = Server::start().await;
    let client = server.client();
    let before = server.sockets();
    let (mut debates, mut waits) = (Vec::new(), JoinSet::new());
    let gate = Arc::new(Semaphore::new(DIALLING));
    for _ in 0..DEBATES {
        let debate = Debate::create(&client).await;
        hold(&client, &debate, count / DEBATES, &gate, &mut waits).await;
        debates.push(debate);
    }
    server.has_sockets(before + count / DEBATES * DEBATES).await;
    assert_eq!(waits.try_join_next().map(|wait| wait.unwrap()), None, "a wait ended before there was news");
    for debate in &mut debates {
        debate.claim("opponent").await;
    }
    let mut answered: HashMap<String, usize> = HashMap::new();
    let all = async {
        while let Some(wait) = waits.join_next().await {
            let (id, seq) = wait.unwrap();
            assert_eq!(seq, 2);
            *answered.entry(id).or_default() += 1;
        }
    };
    timeout(Duration::from_secs(30), all).await.expect("every wait is woken by the write, none by its time-out");
    assert_eq!(answered.len(), DEBATES);
    assert!(answered.values().all(|answers| *answers == count / DEBATES), "{answered:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_nothing_happens_held_waits_ask_the_store_nothing() {
    let settings = Settings::new().env("RUST_LOG", "info,sqlx=debug,sea_orm=debug");
    let server = Server::with(settings).await;
    let client = server.client();
    let (mut debates, mut waits) = (Vec::new(), JoinSet::new());
    let gate = Arc::new(Semaphore::new(DIALLING));
    for _ in 0..10 {
        let debate = Debate::create(&client).await;
        hold(&client, &debate, 20, &gate, &mut waits).await;
        debates.push(debate);
    }
    server.holds(200).await;
    let mut lines = settled(&server).await;
    sleep(Duration::from_secs(2)).await;
    assert_eq!(statements(&server), lines, "statements while idle");
    for debate in &mut debates {
        debate.claim("opponent").await;
        let now = statements(&server);
        assert!(now > lines, "a write left no statement in the log, so the log proves nothing");
        lines = now;
    }
    assert_eq!(waits.join_all().await.len(), 200);
}

/// The number of statements in the log, once it has stopped growing after the waits arrived.
async fn settled(server: &Server) -> usize {
    let mut last = (0, 0);
    patience::until("the server falls silent", || {
        let now = statements(server);
        last = if now == last.0 { (now, last.1 + 1) } else { (now, 0) };
        (last.1 >= 30).then_some(now)
    })
    .await
}

fn statements(server: &Server) -> usize {
    let log = server.log();
    ["SELECT", "INSERT", "UPDATE", "BEGIN", "COMMIT"].iter().map(|verb| log.matches(verb).count()).sum()
}
