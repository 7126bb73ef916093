//! Thousands of waits and viewers on one debate, some of which never read: their memory stays bounded and is released.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::Value;
use tests::{
    api_response::ApiResponse,
    client::Client,
    debate::{Debate, text},
    os, polling,
    random::fault_factor,
    raw_http,
    report::report,
    request_bodies::{self, with},
    server::Server,
};
use tokio::{io::AsyncWriteExt, net::TcpStream, sync::Semaphore, task::JoinSet, time::sleep};

use crate::websocket::viewer::Viewer;

/// The limit of connections being opened, below the listener's backlog.
const MAX_CONNECTING: usize = 200;

/// The numbers of clients, and how long arguments are written.
struct Clients {
    waiting: usize,
    watching: usize,
    silent: usize,
    lasting: Duration,
    /// The pause between two arguments
    pause: Duration,
}

impl Clients {
    /// A short run has a tenth of a long run's clients.
    fn for_this_run() -> Self {
        if fault_factor() == 1 {
            Self {
                waiting: 1_000,
                watching: 90,
                silent: 10,
                lasting: Duration::from_secs(5),
                pause: Duration::from_millis(100),
            }
        } else {
            Self {
                waiting: 10_000,
                watching: 900,
                silent: 100,
                lasting: Duration::from_secs(60) * fault_factor() as u32,
                pause: Duration::from_secs(2),
            }
        }
    }

    fn connections(&self) -> usize {
        self.waiting + self.watching + self.silent
    }
}

/// The pause before a refused request is repeated.
const RETRY_PAUSE: Duration = Duration::from_millis(500);

/// The maximum memory per waiter or viewer, including the database connections, in bytes.
const MAX_BYTES_PER_CLIENT: u64 = 40 * 1024;

/// By how much the peak memory may grow from the first to the second half, in bytes.
const MAX_GROWTH: u64 = 32 * 1024 * 1024;

/// The maximum number of connections from the server to its database.
const MAX_DATABASE_CONNECTIONS: usize = 16;

/// Sends a wait over a new connection.
async fn send_wait(address: SocketAddr, request: &[u8], gate: &Semaphore) -> TcpStream {
    let _permit = gate.acquire().await.expect("the semaphore is not closed");
    let mut stream = raw_http::open(address).await.unwrap();
    stream.write_all(request).await.unwrap();
    stream
}

/// Repeats waits until the debate is closed and returns the number of responses.
async fn wait(client: Client, debate: Arc<String>, mut seen: String, gate: Arc<Semaphore>) -> usize {
    let mut responses = 0;
    loop {
        let path = format!("/debates/{debate}/wait?role=proposer&argument_id={seen}&timeout=60");
        let mut stream = send_wait(client.address(), &client.request("GET", &path).bytes(), &gate).await;
        let answer = ApiResponse::of(path, &raw_http::read_response(&mut stream).await.unwrap());
        if answer.status == 503 {
            // The database may be too busy to answer this many waits at once.
            answer.refusal("STORE_UNAVAILABLE");
            sleep(RETRY_PAUSE).await;
            continue;
        }
        let data = answer.data(200);
        responses += 1;
        if data["action"] == "debate_closed" {
            return responses;
        }
        if let Some(id) = data["next_argument_id_to_wait"].as_str() {
            seen = id.to_owned();
        }
    }
}

/// A viewer of the debate. Where the database is too busy to tell what is there it is told to come again, and does.
async fn watch(server: &Server, debate: &str) -> Viewer {
    loop {
        let mut viewer = Viewer::connect(server.address(), &format!("/ws?debate_id={debate}"), &[]).await;
        let first = viewer.next().await;
        if first.name == "initial_state" {
            return viewer;
        }
        assert_eq!(first.data["code"], "STORE_UNAVAILABLE", "{first:?}");
        sleep(RETRY_PAUSE).await;
    }
}

/// Writes, and repeats what the database was too busy to store.
async fn write(debate: &mut Debate, verb: &str, body: &Value) {
    let mut answer = debate.attempt(verb, body).await;
    while answer.status == 503 {
        answer.refusal("STORE_UNAVAILABLE");
        sleep(RETRY_PAUSE).await;
        answer = debate.attempt(verb, body).await;
    }
    // 200 is for what was stored though it was answered otherwise.
    let status = if answer.status == 200 { 200 } else { 201 };
    let data = answer.data(status);
    debate.arguments.push(text(&data["argument"]["id"]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_of_waiters_use_bounded_memory_and_release_it() {
    os::raise_file_limit();
    let (server, clients) = (Server::start().await, Clients::for_this_run());
    let mut debate = Debate::create(&server.client()).await;
    let (sockets, memory) = (server.sockets(), os::resident_memory(server.pid()));
    let (gate, id) = (Arc::new(Semaphore::new(MAX_CONNECTING)), Arc::new(debate.id.clone()));
    let (mut waiting, mut watching, mut silent) = (JoinSet::new(), JoinSet::new(), Vec::new());
    for _ in 0..clients.waiting {
        waiting.spawn(wait(server.client(), id.clone(), debate.newest().to_owned(), gate.clone()));
    }
    for _ in 0..clients.watching {
        let mut viewer = watch(&server, &debate.id).await;
        watching.spawn(async move {
            let mut last = 1;
            loop {
                let event = viewer.next().await;
                viewer.received.clear();
                if event.name == "new_argument" {
                    last += 1;
                    assert_eq!(event.data["seq"], last, "arguments are missing or out of order");
                }
                if event.data["state"] == "CLOSED" {
                    return last;
                }
            }
        });
    }
    for _ in 0..clients.silent {
        silent.push(watch(&server, &debate.id).await);
    }
    server.wait_for_connections(clients.connections()).await;
    let full = os::resident_memory(server.pid());
    let each = full.saturating_sub(memory) / clients.connections() as u64;
    assert!(each < MAX_BYTES_PER_CLIENT, "each costs {each} bytes");
    let (start, mut turns, mut most) = (Instant::now(), 0, [full; 2]);
    while start.elapsed() < clients.lasting {
        let (role, content) = (["opponent", "proposer"][turns % 2], "x".repeat(8_000));
        let claim = with(request_bodies::claim(role, debate.newest()), "content", content);
        write(&mut debate, "arguments", &claim).await;
        turns += 1;
        let most = &mut most[usize::from(start.elapsed() > clients.lasting / 2)];
        *most = os::resident_memory(server.pid()).max(*most);
        sleep(clients.pause).await;
    }
    let [first, second] = most;
    assert!(second < first + MAX_GROWTH, "{first} bytes grew to {second} in {turns} turns");
    write(&mut debate, "intervention", &request_bodies::decision()).await;
    write(&mut debate, "ruling", &with(request_bodies::decision(), "close", true)).await;
    let last = debate.arguments.len() as u64;
    for received in watching.join_all().await {
        assert_eq!(received, last, "a viewer missed an argument");
    }
    assert_eq!(waiting.join_all().await.len(), clients.waiting);
    drop(silent);
    server.wait_for_connections(0).await;
    let what = format!("{sockets} open sockets in the server, as before, and those to a database");
    polling::until(&what, || (server.sockets() <= sockets + MAX_DATABASE_CONNECTIONS).then_some(())).await;
    report(&format!(
        "{} waiting, {} watching, {} of them silent: {each} bytes each, {turns} turns in {:?}, \
         {first} bytes at most at first and {second} later",
        clients.waiting,
        clients.watching + clients.silent,
        clients.silent,
        clients.lasting,
    ));
}
