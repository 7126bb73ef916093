//! Clients that take their time: they are hung up on, and nobody else waits for them.

use std::time::{Duration, Instant};

use rstest::rstest;
use tests::{debate::Debate, os, raw_http, request_bodies, server::Server};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
    time::{sleep, timeout},
};

/// Within this time nothing is left of a client that has sent half a head, or nothing.
const SOON: Duration = Duration::from_secs(10);

/// Longer than a head may take, and less than a connection may be silent between requests.
const PAUSE: Duration = Duration::from_secs(9);

const HALF_A_HEAD: &[u8] = b"GET /debates HTTP/1.1\r\nHost: local";

/// How long it takes until the server hangs up.
async fn hung_up_on(stream: &mut TcpStream) -> Duration {
    let (start, mut rest) = (Instant::now(), Vec::new());
    // Whether it says something first, or why it ends, is all the same.
    let ended = timeout(Duration::from_secs(60), stream.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "the connection is still open after {:?}", start.elapsed());
    start.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_thousand_half_sent_heads_are_gone_within_ten_seconds_and_nobody_else_notices() {
    const HALVES: usize = 5_000;
    os::raise_file_limit();
    let server = Server::start().await;
    let debate = Debate::create(&server.client()).await;
    let mut halves = JoinSet::new();
    for _ in 0..HALVES {
        let mut stream = raw_http::open(server.address()).await.unwrap();
        stream.write_all(HALF_A_HEAD).await.unwrap();
        halves.spawn(async move { hung_up_on(&mut stream).await });
    }
    let mut taken = Vec::new();
    let (start, mut gone) = (Instant::now(), Vec::new());
    while gone.len() < HALVES {
        let asked = Instant::now();
        debate.stored().await;
        taken.push(asked.elapsed());
        while let Some(half) = halves.try_join_next() {
            gone.push(half.unwrap());
        }
        assert!(start.elapsed() < 2 * SOON, "{} of {HALVES} are gone", gone.len());
        sleep(Duration::from_millis(5)).await;
    }
    let longest = gone.iter().max().unwrap();
    assert!(*longest < SOON, "one was held for {longest:?}");
    taken.sort();
    let p99 = taken[taken.len() * 99 / 100];
    assert!(p99 < Duration::from_millis(50), "p99 of {} others: {p99:?}", taken.len());
}

#[tokio::test]
async fn a_head_that_comes_byte_by_byte_is_given_up() {
    let server = Server::start().await;
    let stream = raw_http::open(server.address()).await.unwrap();
    let (mut reading, mut writing) = stream.into_split();
    let (start, mut rest) = (Instant::now(), Vec::new());
    let dripping = async {
        for byte in HALF_A_HEAD.iter().cycle() {
            // Once the server has hung up there is nobody to write to.
            let _ = writing.write_all(&[*byte]).await;
            sleep(Duration::from_millis(500)).await;
        }
    };
    tokio::select! {
        _ = timeout(2 * SOON, reading.read_to_end(&mut rest)) => {}
        () = dripping => {}
    }
    assert!(start.elapsed() < SOON, "after {:?}", start.elapsed());
}

#[tokio::test]
async fn a_connection_that_never_asks_anything_is_given_up() {
    let server = Server::start().await;
    let mut stream = raw_http::open(server.address()).await.unwrap();
    let held = hung_up_on(&mut stream).await;
    assert!(held < SOON, "after {held:?}");
}

#[tokio::test]
async fn half_a_head_after_a_whole_request_is_given_up_too() {
    let server = Server::start().await;
    let mut stream = raw_http::open(server.address()).await.unwrap();
    let request = server.client().request("GET", "/health").header("Connection", &["keep-alive"]).bytes();
    stream.write_all(&request).await.unwrap();
    raw_http::read_response(&mut stream).await.unwrap();
    stream.write_all(HALF_A_HEAD).await.unwrap();
    let held = hung_up_on(&mut stream).await;
    assert!(held < SOON, "after {held:?}");
}

#[rstest]
#[case::without_a_body(None)]
#[case::with_a_body(Some("/documents"))]
#[tokio::test]
async fn half_a_head_that_comes_with_the_request_before_is_given_up_too(#[case] write: Option<&str>) {
    let server = Server::start().await;
    let client = server.client();
    let request = write.map_or_else(
        || client.request("GET", "/health"),
        |path| client.write(path, request_bodies::document("Short.").to_string()),
    );
    let request = request.header("Connection", &["keep-alive"]).bytes();
    let mut stream = raw_http::open(server.address()).await.unwrap();
    // It is not the first that is answered.
    for _ in 0..2 {
        stream.write_all(&request).await.unwrap();
        assert!(raw_http::read_response(&mut stream).await.unwrap().status < 300);
    }
    stream.write_all(&[&request[..], HALF_A_HEAD].concat()).await.unwrap();
    raw_http::read_response(&mut stream).await.unwrap();
    let held = hung_up_on(&mut stream).await;
    assert!(held < SOON, "after {held:?}");
}

#[tokio::test]
async fn between_requests_a_connection_may_be_silent_for_longer() {
    let server = Server::start().await;
    let mut stream = raw_http::open(server.address()).await.unwrap();
    let request = server.client().request("GET", "/health").header("Connection", &["keep-alive"]).bytes();
    let write = server.client().write("/documents", request_bodies::document("Short.").to_string());
    let write = write.header("Connection", &["keep-alive"]).bytes();
    for (request, status) in [(&request, 200), (&write, 201), (&request, 200)] {
        stream.write_all(request).await.unwrap();
        assert_eq!(raw_http::read_response(&mut stream).await.unwrap().status, status);
        sleep(PAUSE).await;
    }
    stream.write_all(&request).await.unwrap();
    assert_eq!(raw_http::read_response(&mut stream).await.unwrap().status, 200);
}

#[tokio::test]
async fn a_body_that_stops_half_way_is_refused_and_hung_up_on() {
    let server = Server::start().await;
    let body = request_bodies::creation().to_string();
    let request = server.client().write("/debates", body.as_str()).header("Connection", &["keep-alive"]).bytes();
    let mut stream = raw_http::open(server.address()).await.unwrap();
    stream.write_all(&request[..request.len() - 10]).await.unwrap();
    let start = Instant::now();
    let response = raw_http::read_response(&mut stream).await.unwrap();
    assert_eq!(response.status, 400);
    hung_up_on(&mut stream).await;
    assert!(start.elapsed() < Duration::from_secs(20), "after {:?}", start.elapsed());
    assert_eq!(server.client().get("/debates").await.data(200)["total"], 0);
}

#[tokio::test]
async fn a_body_that_nobody_asked_for_holds_no_connection() {
    let server = Server::start().await;
    for path in ["/health", "/nonsense", "/debates/00000000-0000-4000-8000-000000000000/wait?role=opponent"] {
        let mut stream = raw_http::open(server.address()).await.unwrap();
        let head = server.client().request("POST", path).header("Connection", &["keep-alive"]);
        let head = head.header("Content-Length", &["1000000"]).bytes();
        stream.write_all(&head).await.unwrap();
        let held = hung_up_on(&mut stream).await;
        assert!(held < SOON, "{path}: after {held:?}");
    }
}
