//! Clients that send or read slowly: the server closes their connections, and serves others meanwhile.

use std::{
    iter,
    time::{Duration, Instant},
};

use rstest::rstest;
use serde_json::Value;
use tests::{
    client::Client,
    debate::Debate,
    ids, issue_changes, os, polling, raw_http, request_bodies,
    server::{Server, Settings},
};
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

/// A connection that takes nothing of its answer for so long is closed.
const UNREAD_TIME: Duration = Duration::from_secs(45);
/// This, and what a busy machine takes to fill what is buffered.
const UNREAD_DEADLINE: Duration = Duration::from_secs(75);

/// More than what the operating system buffers for a connection.
const MORE_THAN_IS_BUFFERED: usize = 16 * 1024 * 1024;

/// The path of the first script that the page of the web app loads; of the page itself if the web app was not built.
async fn script(client: &Client) -> String {
    let page = client.response(&client.request("GET", "/")).await.unwrap().body;
    let page = String::from_utf8_lossy(&page).into_owned();
    let script = page.split('"').find(|text| text.starts_with("/_next/static/") && text.ends_with(".js"));
    script.unwrap_or("/").to_owned()
}

/// All kinds of answers at once, since each takes the whole of the server's time-out.
#[tokio::test]
async fn a_client_that_stops_reading_is_closed() {
    let server = Server::start().await;
    let client = server.client();
    let mut random = fastrand::Rng::new();
    let incompressible: String = iter::repeat_with(|| random.alphanumeric()).take(1024 * 1024).collect();
    let document = client.post("/documents", &request_bodies::document(&incompressible)).await.data(201);
    let document = format!("/documents/{}", document["document"]["id"].as_str().unwrap());
    let mut closing = JoinSet::new();
    for path in ["/openapi.json".to_owned(), "/".to_owned(), script(&client).await, document] {
        for encoding in ["identity", "gzip"] {
            let request = client.request("GET", &path).header("Accept-Encoding", &[encoding]);
            let bytes = client.response(&request).await.unwrap().body.len();
            let request = request.header("Connection", &["keep-alive"]).bytes();
            let mut stream = unread(&server, &request).await;
            let requests = request.repeat(MORE_THAN_IS_BUFFERED / bytes);
            closing.spawn(async move {
                // What is left over is not taken any more.
                let _ = stream.write_all(&requests).await;
                stream
            });
        }
    }
    polling::within(UNREAD_DEADLINE, "the server has closed the connections", || {
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

/// How many clients ask for a debate of 7 MiB and read nothing: a third more than would fit into what they may cost.
const UNREAD: usize = 48;

/// What they may cost together.
const UNREAD_BYTES: u64 = 256 * 1024 * 1024;

/// Clients that pause within a body of 14 MiB.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_that_are_not_finished_cost_a_bounded_amount() {
    const CLIENTS: usize = 24;
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    let body = vec![b' '; 14 * 1024 * 1024];
    let request = server.client().write(&debate.path("/appeal"), body).header("Connection", &["keep-alive"]).bytes();
    let unfinished = request[..request.len() - 1].to_vec();
    let before = os::resident_memory(server.pid());
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        let (unfinished, address) = (unfinished.clone(), server.address());
        clients.spawn(async move {
            let mut stream = raw_http::open(address).await.unwrap();
            // Fails if the server does not take all of it.
            let _ = stream.write_all(&unfinished).await;
            raw_http::read_response(&mut stream).await.map_or(0, |response| response.status)
        });
    }
    let mut most = 0;
    let first = loop {
        most = most.max(os::resident_memory(server.pid()));
        if let Ok(Some(status)) = timeout(Duration::from_millis(20), clients.join_next()).await {
            break status.unwrap();
        }
        if debate.arguments.len() == 1 {
            // What is small needs no room.
            debate.claim("opponent").await;
        }
    };
    let more = most.saturating_sub(before);
    assert!(more <= UNREAD_BYTES, "{} MiB more", more / 1024 / 1024);
    assert_eq!(first, 400, "it paused for too long");
}

/// A debate of 7 MiB.
async fn large_debate(server: &Server) -> Debate {
    let mut debate = Debate::create(&server.client()).await;
    for number in 0..7 {
        let role = if number % 2 == 0 { "opponent" } else { "proposer" };
        let content = "A line of text in a long argument.\n".repeat(1024 * 1024 / 35);
        let claim = request_bodies::with(request_bodies::claim(role, debate.newest()), "content", content);
        debate.write("arguments", &claim).await;
    }
    debate
}

/// A debate whose issues have histories of 7 MiB.
async fn large_histories(server: &Server) -> Debate {
    const ISSUES: usize = 50;
    let note = "\u{1f980}".repeat(1_000);
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", (0..ISSUES).map(|_| issue_changes::raise("low", "No limit")).collect()).await;
    for number in 0..36 {
        let (role, change) = if number % 2 == 0 { ("proposer", "dispute") } else { ("opponent", "reopen") };
        let change = |issue| issue_changes::noted(change, &format!("I{issue}"), &note);
        debate.claim_with(role, (1..=ISSUES).map(change).collect()).await;
    }
    debate
}

/// A client that reads nothing has sent this request.
async fn unread(server: &Server, request: &[u8]) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream = socket.connect(server.address()).await.unwrap();
    stream.write_all(request).await.unwrap();
    stream
}

#[rstest]
#[case::of_contexts("", None)]
#[case::of_compressed_contexts("", Some("gzip"))]
#[case::of_pages("/record?format=html", None)]
#[case::of_histories("/issues?history=true", None)]
#[case::of_waits("/wait?role=arbitrator&argument_id=MOTION&timeout=1", None)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_nobody_reads_cost_a_bounded_amount(#[case] path: &str, #[case] encoding: Option<&str>) {
    os::raise_file_limit();
    let server = Server::with(Settings::new().args(&["--max-content-bytes", "1048576"])).await;
    let is_of_histories = path.contains("history");
    let mut debate = if is_of_histories { large_histories(&server).await } else { large_debate(&server).await };
    if path.contains("wait") {
        debate.intervene().await;
    }
    let path = debate.path(&path.replace("MOTION", &debate.arguments[0]));
    let mut request = server.client().request("GET", &path);
    if let Some(encoding) = encoding {
        request = request.header("Accept-Encoding", &[encoding]);
    }
    // What one costs that is read is not counted.
    assert_eq!(server.client().response(&request).await.unwrap().status, 200);
    let before = os::resident_memory(server.pid());
    let began = Instant::now();
    let mut unread_answers = Vec::new();
    for _ in 0..UNREAD {
        unread_answers.push(unread(&server, &request.bytes()).await);
    }
    let answered = async |status: &str| {
        let metrics = server.client().response(&server.client().request("GET", "/metrics")).await.unwrap();
        let metrics = String::from_utf8(metrics.body).unwrap();
        let of_route = |line: &&str| {
            line.starts_with("aweave_http_requests_total")
                && line.contains("/debates/{id}")
                && line.contains("method=\"GET\"")
                && line.contains(&format!("status=\"{status}\""))
        };
        let counts = metrics.lines().filter(of_route).filter_map(|line| line.rsplit_once(' ')?.1.parse::<usize>().ok());
        counts.sum::<usize>()
    };
    let mut most = 0;
    while answered("200").await + answered("503").await < UNREAD + 1 {
        most = most.max(os::resident_memory(server.pid()));
        sleep(Duration::from_millis(20)).await;
    }
    let took = began.elapsed();
    most = most.max(os::resident_memory(server.pid()));
    assert!(most - before <= UNREAD_BYTES, "{} MiB more", (most - before) / 1024 / 1024);
    if encoding.is_none() {
        // Each was answered at once. A new one may find room by now: what nobody reads for long is closed.
        let mut refused = 0;
        for stream in &mut unread_answers {
            let mut start = *b"HTTP/1.1 ...";
            if stream.peek(&mut start).await.is_ok() && start.ends_with(b"503") {
                let answer = raw_http::read_response(stream).await.unwrap();
                let error = &serde_json::from_slice::<Value>(&answer.body).unwrap()["error"];
                assert_eq!(error["code"], "OVERLOADED");
                assert!(error["retry_after"].as_f64().is_some_and(|seconds| seconds > 0.0), "{error}");
                refused += 1;
            }
        }
        // A slow machine makes answers for longer than the first ones keep their room.
        assert!(refused > 0 || took > UNREAD_TIME, "some find no room");
    }
    // What is small needs no room, and what nobody waits for any more gives its room back.
    server.client().get("/debates").await.data(200);
    drop(unread_answers);
    server.wait_for_connections(0).await;
    assert_eq!(server.client().response(&request).await.unwrap().status, 200);
}

/// 200 debates, of which the list is as large as can be.
async fn large_list(server: &Server) {
    let titled = request_bodies::with(request_bodies::creation(), "title", "\u{1f980}".repeat(200));
    for _ in 0..200 {
        Debate::create_with(&server.client(), &request_bodies::with(titled.clone(), "debate_id", ids::fresh())).await;
    }
}

#[rstest]
#[case::of_a_debate(UNREAD)]
#[case::of_the_list(500)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn viewers_that_read_nothing_cost_a_bounded_amount_and_others_are_told_to_come_again(#[case] viewers: usize) {
    os::raise_file_limit();
    let server = Server::with(Settings::new().args(&["--max-content-bytes", "1048576"])).await;
    let path = if viewers == UNREAD {
        format!("/ws?debate_id={}", large_debate(&server).await.id)
    } else {
        large_list(&server).await;
        "/ws?limit=200".to_owned()
    };
    let before = os::resident_memory(server.pid());
    let _viewers = unread_viewers(&server, &path, viewers).await;
    let closed = Viewer::connect(server.address(), &path, &[]).await.closed().await;
    assert_eq!(closed.code, 1013, "{closed:?}");
    assert_eq!(closed.before[0].data["code"], "OVERLOADED", "{closed:?}");
    assert!(closed.before[0].data["retry_after"].as_f64().is_some(), "{closed:?}");
    let more = os::resident_memory(server.pid()) - before;
    assert!(more <= UNREAD_BYTES, "{} MiB more", more / 1024 / 1024);
}

/// Viewers that read nothing but what their kernel takes.
async fn unread_viewers(server: &Server, path: &str, number: usize) -> Vec<Viewer> {
    let mut viewers = Vec::new();
    for _ in 0..number {
        viewers.push(Viewer::that_never_reads(server, path).await);
    }
    viewers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_event_that_viewers_do_not_read_costs_a_bounded_amount() {
    let server = Server::with(Settings::new().args(&["--max-content-bytes", "8388608"])).await;
    let mut debate = Debate::create(&server.client()).await;
    let _viewers = unread_viewers(&server, &format!("/ws?debate_id={}", debate.id), UNREAD).await;
    let before = os::resident_memory(server.pid());
    let content = "A line of text in a long argument.\n".repeat(7 * 1024 * 1024 / 35);
    debate
        .write(
            "arguments",
            &request_bodies::with(request_bodies::claim("opponent", debate.newest()), "content", content),
        )
        .await;
    let mut most = 0;
    // All that the server begins to send at once.
    for _ in 0..150 {
        most = most.max(os::resident_memory(server.pid()));
        sleep(Duration::from_millis(20)).await;
    }
    let more = most.saturating_sub(before);
    assert!(more <= UNREAD_BYTES, "{} MiB more", more / 1024 / 1024);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_viewer_that_pauses_gets_everything_in_order() {
    const CLAIMS: u64 = 20;
    let server = Server::with(Settings::new().args(&["--max-content-bytes", "1048576"])).await;
    let mut debate = Debate::create(&server.client()).await;
    let mut viewers = unread_viewers(&server, &format!("/ws?debate_id={}", debate.id), 1).await;
    for number in 0..CLAIMS {
        let role = if number % 2 == 0 { "opponent" } else { "proposer" };
        let claim =
            request_bodies::with(request_bodies::claim(role, debate.newest()), "content", "x".repeat(1024 * 1024));
        debate.write("arguments", &claim).await;
    }
    let mut seqs = Vec::new();
    while seqs.last() != Some(&(CLAIMS + 1)) {
        let event = viewers[0].next().await;
        if event.name == "new_argument" {
            seqs.extend(event.data["seq"].as_u64());
        }
    }
    assert_eq!(seqs, (2..=CLAIMS + 1).collect::<Vec<_>>());
    let last = loop {
        let event = viewers[0].next().await;
        if event.name == "state_changed" {
            break event.data;
        }
    };
    assert_eq!(last["turns"], debate.stored().await["turns"]);
}

#[rstest]
#[case::at_once(10, None)]
#[case::after_one_another(32, Some("gzip"))]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_read_a_debate_of_seven_mebibytes_are_answered(
    #[case] clients: usize,
    #[case] encoding: Option<&str>,
) {
    let server = Server::with(Settings::new().args(&["--max-content-bytes", "1048576"])).await;
    let debate = large_debate(&server).await;
    let mut request = server.client().request("GET", &debate.path(""));
    if let Some(encoding) = encoding {
        request = request.header("Accept-Encoding", &[encoding]);
    }
    let mut reading = JoinSet::new();
    for _ in 0..clients {
        let (client, request) = (server.client(), request.clone());
        reading.spawn(async move { client.response(&request).await.unwrap().status });
    }
    assert_eq!(reading.join_all().await, vec![200; clients]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_reads_a_debate_waits_for_no_record() {
    let server = Server::with(Settings::new().args(&["--max-content-bytes", "1048576"])).await;
    let (large, mut debate) = (large_debate(&server).await, Debate::create(&server.client()).await);
    let content = "Some words. ".repeat(10_000);
    debate
        .write(
            "arguments",
            &request_bodies::with(request_bodies::claim("opponent", debate.newest()), "content", content),
        )
        .await;
    let mut writing = JoinSet::new();
    for _ in 0..4 {
        let (client, page) = (server.client(), large.path("/record?format=html"));
        writing.spawn(async move { client.response(&client.request("GET", &page)).await.unwrap().status });
    }
    server.wait_for_connections(4).await;
    for path in ["", "/issues?history=true"] {
        let request = server.client().request("GET", &debate.path(path)).header("Accept-Encoding", &["gzip"]);
        assert_eq!(server.client().response(&request).await.unwrap().status, 200);
    }
    let written: Vec<u16> = iter::from_fn(|| writing.try_join_next()).map(|status| status.unwrap()).collect();
    assert!(written.len() <= 1, "{} records were written meanwhile", written.len());
    assert_eq!([written, writing.join_all().await].concat(), [200; 4]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_leave_before_their_page_is_written_cost_a_bounded_amount() {
    let server = Server::with(Settings::new().args(&["--max-content-bytes", "1048576"])).await;
    let request = server.client().request("GET", &large_debate(&server).await.path("/record?format=html"));
    assert_eq!(server.client().response(&request).await.unwrap().status, 200);
    let (before, mut most) = (os::resident_memory(server.pid()), 0);
    for _ in 0..UNREAD {
        let stream = unread(&server, &request.bytes()).await;
        sleep(Duration::from_millis(100)).await;
        drop(stream);
        most = most.max(os::resident_memory(server.pid()));
    }
    assert_eq!(server.client().response(&request).await.unwrap().status, 200);
    let more = most.saturating_sub(before);
    assert!(more <= UNREAD_BYTES, "{} MiB more", more / 1024 / 1024);
}
