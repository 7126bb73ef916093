//! Clients that send or read slowly: the server closes their connections, and serves others meanwhile.

use std::time::Duration;

use rstest::rstest;
use tests::{debate::Debate, os, raw_http, request_bodies, server::Server};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    task::JoinSet,
    time::{sleep, timeout},
};

use crate::websocket::viewer::Viewer;

/// How long the server may take to close a connection; its own time-outs are 30 s for a head and 45 s for a write.
const CLOSE_DEADLINE: Duration = Duration::from_secs(60);

/// Longer than the server waits for a request's head.
const LONGER_THAN_A_HEAD_MAY_TAKE: u32 = 35;

const HALF_A_HEAD: &[u8] = b"GET /debates HTTP/1.1\r\nHost: local";

/// Waits until the server closes the connection, reading whatever it sends before that.
async fn closed(stream: &mut (impl AsyncReadExt + Unpin)) {
    let mut rest = Vec::new();
    // A reset is as good as a regular end.
    let ended = timeout(CLOSE_DEADLINE, stream.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "the connection is still open after {CLOSE_DEADLINE:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn others_are_served_while_five_thousand_heads_are_half_sent() {
    const COUNT: usize = 5_000;
    os::raise_file_limit();
    let server = Server::start().await;
    let mut half_sent = Vec::new();
    for _ in 0..COUNT {
        let mut stream = raw_http::open(server.address()).await.unwrap();
        stream.write_all(HALF_A_HEAD).await.unwrap();
        half_sent.push(stream);
    }
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    assert_eq!(debate.stored().await["debate"]["last_seq"], 2);
    server.wait_for_connections(COUNT).await;
}

/// All cases at once, since each takes the whole of the server's time-out.
#[tokio::test]
async fn a_connection_without_a_whole_head_is_closed() {
    let server = Server::start().await;
    let whole = server.client().request("GET", "/health").header("Connection", &["keep-alive"]).bytes();
    let write = server.client().write("/documents", request_bodies::document("Short.").to_string());
    let write = write.header("Connection", &["keep-alive"]).bytes();
    let sent = [
        vec![],
        HALF_A_HEAD.to_vec(),
        whole.clone(),
        [&whole, HALF_A_HEAD].concat(),
        [&whole[..], &whole, HALF_A_HEAD].concat(),
        [&write, HALF_A_HEAD].concat(),
    ];
    let mut closing = JoinSet::new();
    for bytes in sent {
        let mut stream = raw_http::open(server.address()).await.unwrap();
        stream.write_all(&bytes).await.unwrap();
        closing.spawn(async move { closed(&mut stream).await });
    }
    let mut stream = raw_http::open(server.address()).await.unwrap();
    stream.write_all(&whole).await.unwrap();
    assert_eq!(raw_http::read_response(&mut stream).await.unwrap().status, 200);
    stream.write_all(HALF_A_HEAD).await.unwrap();
    closing.spawn(async move { closed(&mut stream).await });
    closing.spawn(closed_while_sending_byte_by_byte(raw_http::open(server.address()).await.unwrap()));
    closing.join_all().await;
}

async fn closed_while_sending_byte_by_byte(stream: TcpStream) {
    let (mut reading, mut writing) = stream.into_split();
    let sending = async {
        for byte in HALF_A_HEAD.iter().cycle() {
            // Fails once the server has closed the connection.
            let _ = writing.write_all(&[*byte]).await;
            sleep(Duration::from_millis(500)).await;
        }
    };
    tokio::select! {
        () = closed(&mut reading) => {}
        () = sending => {}
    }
}

#[tokio::test]
async fn a_client_that_stops_reading_is_closed() {
    let server = Server::start().await;
    let document =
        server.client().post("/documents", &request_bodies::document(&"x".repeat(1024 * 1024))).await.data(201);
    let path = format!("/documents/{}", document["document"]["id"].as_str().unwrap());
    server.wait_for_connections(0).await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream: TcpStream = socket.connect(server.address()).await.unwrap();
    // Together the responses are longer than what the operating system buffers for a connection.
    let read = server.client().request("GET", &path).header("Connection", &["keep-alive"]).bytes();
    stream.write_all(&read.repeat(16)).await.unwrap();
    server.wait_for_connections(1).await;
    tests::polling::within(2 * CLOSE_DEADLINE, "the server has closed the connection", || {
        (os::open_connections(server.address().port()) == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn held_waits_and_websockets_outlast_the_time_of_a_head() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let wait = format!("role=proposer&timeout={LONGER_THAN_A_HEAD_MAY_TAKE}");
    assert_eq!(debate.wait(&wait).await.data(200)["has_new_argument"], false);
    debate.claim("opponent").await;
    loop {
        let event = viewer.next().await;
        if event.name == "new_argument" {
            return assert_eq!(event.data["seq"], 2);
        }
    }
}

#[tokio::test]
async fn a_body_that_stops_half_way_is_refused_and_its_connection_closed() {
    let server = Server::start().await;
    let body = request_bodies::creation().to_string();
    let request = server.client().write("/debates", body.as_str()).header("Connection", &["keep-alive"]).bytes();
    let mut stream = raw_http::open(server.address()).await.unwrap();
    stream.write_all(&request[..request.len() - 10]).await.unwrap();
    assert_eq!(raw_http::read_response(&mut stream).await.unwrap().status, 400);
    closed(&mut stream).await;
    assert_eq!(server.client().get("/debates").await.data(200)["total"], 0);
}

#[rstest]
#[case::of_a_route("/health")]
#[case::of_no_route("/nonsense")]
#[case::of_a_wait("/debates/00000000-0000-4000-8000-000000000000/wait?role=opponent")]
#[tokio::test]
async fn a_connection_whose_body_nobody_reads_is_closed(#[case] path: &str) {
    let server = Server::start().await;
    let mut stream = raw_http::open(server.address()).await.unwrap();
    let head = server.client().request("POST", path).header("Connection", &["keep-alive"]);
    stream.write_all(&head.header("Content-Length", &["1000000"]).bytes()).await.unwrap();
    closed(&mut stream).await;
}
