//! Ten thousand held waits.

use std::{
    collections::HashMap,
    io,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tests::{
    client::Client,
    debate::Debate,
    os, polling, raw_http,
    server::{Server, Settings},
};
use tokio::{io::AsyncWriteExt, sync::Semaphore, task::JoinSet};

const DEBATES: usize = 100;

/// The limit of connections being opened, below the listener's backlog.
const MAX_CONNECTING: usize = 200;

/// The number of waits: `AWEAVE_HELD_WAITS`, or as many as file descriptors allow, up to this.
const WAITS: usize = 10_000;

/// File descriptors that a process needs besides its connections.
const OTHER_DESCRIPTORS: u64 = 500;

fn waits() -> usize {
    os::raise_file_limit();
    if let Ok(count) = std::env::var("AWEAVE_HELD_WAITS") {
        return count.parse().expect("AWEAVE_HELD_WAITS is a number");
    }
    let possible = os::file_limit().map_or(WAITS, |limit| limit.saturating_sub(OTHER_DESCRIPTORS) as usize);
    possible.min(WAITS)
}

/// The debate's id and the response to a wait, or an I/O error.
type Ended = (String, Result<Value, String>);

/// Starts waits for the opponent's claim.
async fn hold(client: &Client, debate: &Debate, count: usize, gate: &Arc<Semaphore>, waits: &mut JoinSet<Ended>) {
    let path = debate.path(&format!("/wait?role=proposer&argument_id={}&timeout=60", debate.newest()));
    let request: Arc<[u8]> = client.request("GET", &path).bytes().into();
    for _ in 0..count {
        let (address, request, gate) = (client.address(), Arc::clone(&request), Arc::clone(gate));
        let id = debate.id.clone();
        waits.spawn(async move { (id, wait(address, &request, &gate).await.map_err(|e| e.to_string())) });
    }
}

async fn wait(address: SocketAddr, request: &[u8], gate: &Semaphore) -> io::Result<Value> {
    let permit = gate.acquire().await.expect("the semaphore is not closed");
    let mut stream = raw_http::open(address).await?;
    stream.write_all(request).await?;
    drop(permit);
    let response = raw_http::read_response(&mut stream).await?;
    Ok(serde_json::from_slice(&response.body)?)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_write_per_debate_answers_ten_thousand_held_waits() {
    let count = waits();
    let server = Server::start().await;
    let client = server.client();
    let (mut debates, mut waits) = (Vec::new(), JoinSet::new());
    let gate = Arc::new(Semaphore::new(MAX_CONNECTING));
    for _ in 0..DEBATES {
        let debate = Debate::create(&client).await;
        hold(&client, &debate, count / DEBATES, &gate, &mut waits).await;
        debates.push(debate);
    }
    let count = count / DEBATES * DEBATES;
    server.wait_for_sockets(count).await;
    server.wait_for_connections(count).await;
    assert_eq!(waits.try_join_next().map(|wait| wait.unwrap()), None, "a wait ended before there was a new argument");
    let start = Instant::now();
    for debate in &mut debates {
        debate.claim("opponent").await;
    }
    let mut answered: HashMap<String, usize> = HashMap::new();
    while let Some(wait) = waits.join_next().await {
        let (id, answer) = wait.unwrap();
        let news = answer.unwrap_or_else(|e| panic!("a wait was not answered: {e}"));
        let data = &news["data"];
        assert_eq!((&data["has_new_argument"], &data["argument"]["seq"]), (&json!(true), &json!(2)), "{news}");
        *answered.entry(id).or_default() += 1;
    }
    assert!(start.elapsed() < Duration::from_secs(30), "the last was answered after {:?}", start.elapsed());
    assert_eq!(answered.len(), DEBATES);
    assert!(answered.values().all(|answers| *answers == count / DEBATES), "{answered:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_held_waits_send_no_statements_to_the_database() {
    let settings = Settings::new().env("RUST_LOG", "info,sqlx=debug,sea_orm=debug");
    let server = Server::with(settings).await;
    let client = server.client();
    let (mut debates, mut waits) = (Vec::new(), JoinSet::new());
    let gate = Arc::new(Semaphore::new(MAX_CONNECTING));
    for _ in 0..10 {
        let debate = Debate::create(&client).await;
        hold(&client, &debate, 20, &gate, &mut waits).await;
        debates.push(debate);
    }
    let timer = debates[0].path(&format!("/wait?role=proposer&argument_id={}&timeout=5", debates[0].newest()));
    let mut lines = loop {
        // A wait that times out after the others are idle. Its time-out is the event that ends the observation.
        let (client, path) = (client.clone(), timer.clone());
        let timer = tokio::spawn(async move { client.get(&path).await.data(200) });
        server.wait_for_connections(201).await;
        let lines = settled(&server).await;
        let is_observed = !timer.is_finished();
        assert_eq!(timer.await.unwrap()["has_new_argument"], false);
        server.wait_for_connections(200).await;
        // On a busy machine it may be over before the others are idle.
        if is_observed {
            assert_eq!(statements(&server), lines, "statements while idle");
            break lines;
        }
    };
    for debate in &mut debates {
        debate.claim("opponent").await;
        let what = "a write left a statement in the log, without which the log proves nothing";
        lines = polling::until(what, || Some(statements(&server)).filter(|now| *now > lines)).await;
    }
    let ended = waits.join_all().await;
    let news = ended.iter().filter(|(_, answer)| answer.as_ref().is_ok_and(|a| a["data"]["has_new_argument"] == true));
    assert_eq!((news.count(), ended.len()), (200, 200));
}

/// The number of statements in the log once it has stopped growing.
async fn settled(server: &Server) -> usize {
    let mut last = (0, 0);
    polling::until("the server sends no more statements", || {
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
