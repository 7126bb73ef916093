//! Random malformed requests and WebSocket messages: the server refuses them or closes the connection, and never fails.
//!
//! `AWEAVE_FUZZ` sets the number of cases. `AWEAVE_FUZZ_SEED` repeats a run: the same seed produces the same bytes
//! except for ids chosen by the server.

use std::{env, ops::Range, time::Duration};

use fastrand::Rng;
use serde_json::{Value, json};
use tests::{
    debate::Debate,
    raw_http, request_bodies,
    server::{Server, Settings},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    task::JoinSet,
    time::timeout,
};
use uuid::Builder;

use crate::{state_machine, websocket::viewer::handshake};

/// The default number of requests and of WebSocket connections.
const CASES: u64 = 1_500;

/// The number of cases in parallel.
const AT_ONCE: usize = 16;

/// How long to wait for a response to a request that need not be answered, since it may be incomplete.
const OPTIONAL_RESPONSE_TIMEOUT: Duration = Duration::from_millis(300);

/// Strings that parsers often mishandle.
const ODD_STRINGS: [&str; 28] = [
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\0",
    "\r\n",
    "\r\n\r\n",
    "%00",
    "%",
    "..",
    "//",
    "null",
    "-1",
    "1e999",
    "\u{feff}",
    "\u{202e}",
    "\\ud800",
    "\\u0000",
    "18446744073709551616",
    "chunked",
    "Host: evil.example\r\n",
    "Content-Length: 5\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Upgrade: websocket\r\n",
];

/// An allowed host name, so that the requests do not depend on the server's port.
const HOST: &str = "fuzz.example";

/// A placeholder for the id of the target argument. It is replaced after the mutation, since the server chooses the id.
const TARGET: &str = "7a5e0000-0000-4000-8000-00000000a5e7";

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a whole number")))
}

/// Mutates a few places of `bytes` within `range`.
fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>, range: Range<usize>) {
    let (start, mut end) = (range.start, range.end);
    for _ in 0..rng.usize(1..5) {
        let at = rng.usize(start..=end);
        let stretch = at..rng.usize(at..=end.min(at + 20));
        let before = bytes.len();
        match rng.u8(0..6) {
            0 if at < end => bytes[at] ^= 1 << rng.u8(0..8),
            1 => drop(bytes.splice(at..at, rng.choice(ODD_STRINGS).unwrap_or_default().bytes())),
            2 => drop(bytes.splice(stretch, [])),
            3 => {
                let copy = bytes[stretch].to_vec();
                drop(bytes.splice(at..at, copy.repeat(rng.usize(1..200))));
            }
            4 => drop(bytes.splice(stretch, std::iter::repeat_with(|| rng.u8(..)).take(8))),
            _ => drop(
                bytes.splice(at..at, rng.choice(["[", "{\"a\":", "\\u00"]).unwrap_or_default().repeat(200).bytes()),
            ),
        }
        end = (end + bytes.len()).saturating_sub(before).max(start);
    }
}

/// A new id that depends only on the seed.
fn id(rng: &mut Rng) -> String {
    Builder::from_random_bytes(rng.u128(..).to_be_bytes()).into_uuid().to_string()
}

/// The body with ids that depend only on the seed.
fn seeded(rng: &mut Rng, mut body: Value) -> Value {
    for field in ["debate_id", "client_request_id"] {
        if body.get(field).is_some() {
            body[field] = id(rng).into();
        }
    }
    body
}

/// A request with a mutated body or a mutated head. One with only a mutated body must be answered.
fn request(rng: &mut Rng, debate: &str) -> (Vec<u8>, bool) {
    let path = |rest: &str| format!("/debates/{debate}{rest}");
    let document = json!({"summary": "s", "content": "c", "metadata": {"a": [1, {"b": null}]}});
    let (method, path, body) = match rng.u8(0..13) {
        0 => ("POST", "/debates".to_owned(), Some(request_bodies::creation())),
        1 => ("POST", path("/arguments"), Some(request_bodies::claim("opponent", TARGET))),
        2 => (
            "POST",
            path("/appeal"),
            Some(request_bodies::with(request_bodies::answer_to(TARGET), "options", json!([{"label": "a"}]))),
        ),
        3 => ("POST", path("/resolution"), Some(request_bodies::answer_to(TARGET))),
        4 => ("POST", path("/ruling"), Some(request_bodies::decision())),
        5 => ("POST", path("/intervention"), Some(request_bodies::decision())),
        6 => ("POST", "/documents".to_owned(), Some(document)),
        7 => ("POST", "/sign-in".to_owned(), Some(json!({"code": "a"}))),
        8 => ("GET", path("/wait?role=proposer&timeout=0"), None),
        11 => ("GET", format!("/wait?role=arbitrator&timeout=0&debate_id={debate}&debate_id={debate}"), None),
        9 => ("GET", "/debates?q=a&limit=1&offset=0&state=CLOSED".to_owned(), None),
        10 => ("GET", path("?limit=1&before_seq=2"), None),
        _ => ("GET", "/documents?q=a".to_owned(), None),
    };
    let body = body.map(|body| seeded(rng, body).to_string().into_bytes());
    let of_body = body.is_some() && rng.u8(0..4) > 0;
    let mut body = body.unwrap_or_default();
    if of_body {
        let all = 0..body.len();
        mutate(rng, &mut body, all);
    }
    let length = body.len();
    let mut bytes = format!(
        "{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n"
    )
    .into_bytes();
    if !of_body {
        let head = 0..bytes.len();
        mutate(rng, &mut bytes, head);
    }
    bytes.extend(body);
    (bytes, of_body)
}

/// The request with the placeholder replaced.
fn with_target(mut bytes: Vec<u8>, target: &str) -> Vec<u8> {
    while let Some(at) = bytes.windows(TARGET.len()).position(|stretch| stretch == TARGET.as_bytes()) {
        drop(bytes.splice(at..at + TARGET.len(), target.bytes()));
    }
    bytes
}

/// A few WebSocket frames. Most of the mutations are in the messages, not in the frame headers.
fn frames(rng: &mut Rng, debate: &str) -> Vec<u8> {
    let mut all = Vec::new();
    for _ in 0..rng.usize(1..6) {
        let event = rng.choice(["submit_ruling", "submit_intervention", "nonsense"]).unwrap_or_default();
        let data = json!({"debate_id": debate, "content": "c", "close": false, "request_id": "r"});
        let mut message = json!({"event": event, "data": data}).to_string().into_bytes();
        let whole = 0..message.len();
        mutate(rng, &mut message, whole);
        let mut frame = vec![if rng.u8(0..4) == 0 { rng.u8(..) } else { 0x81 }];
        match message.len() {
            length @ 0..126 => frame.push(0x80 | length as u8),
            length @ 126..65_536 => {
                frame.push(0xfe);
                frame.extend((length as u16).to_be_bytes());
            }
            length => {
                frame.push(0xff);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        // A zero mask leaves the payload unchanged.
        frame.extend([0; 4]);
        frame.extend(message);
        if rng.u8(0..4) == 0 {
            let head = 0..frame.len().min(14);
            mutate(rng, &mut frame, head);
        }
        all.extend(frame);
    }
    all
}

/// Sends the bytes and returns the status of the response, if one arrives within `limit`.
async fn send(server: std::net::SocketAddr, bytes: &[u8], limit: Duration) -> Option<u16> {
    let mut stream = raw_http::open(server).await.ok()?;
    // The server may close the connection before it has read everything.
    let _ = stream.write_all(bytes).await;
    timeout(limit, raw_http::read_response(&mut stream)).await.ok()?.ok().map(|response| response.status)
}

async fn send_frames(server: std::net::SocketAddr, hello: Vec<u8>, frames: Vec<u8>) {
    let mut stream = raw_http::open(server).await.expect("the server listens");
    let _ = stream.write_all(&[hello, frames].concat()).await;
    // Reads until the server has nothing more to send.
    let mut answer = [0; 4_096];
    while let Ok(Ok(1..)) = timeout(OPTIONAL_RESPONSE_TIMEOUT, stream.read(&mut answer)).await {}
}

#[test]
fn a_seed_produces_the_same_bytes_again() {
    for seed in 0..200 {
        let made = || {
            let mut rng = Rng::with_seed(seed);
            let debate = id(&mut rng);
            (request(&mut rng, &debate), frames(&mut rng, &debate))
        };
        assert_eq!(made(), made(), "{seed}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn malformed_requests_and_messages_never_make_the_server_fail() {
    let seed = number("AWEAVE_FUZZ_SEED").unwrap_or_else(|| fastrand::u64(..));
    let cases = number("AWEAVE_FUZZ").unwrap_or(CASES);
    let repeat = format!("AWEAVE_FUZZ_SEED={seed} repeats it");
    let server = Server::with(Settings::new().args(&["--allowed-host", HOST])).await;
    let creation = seeded(&mut Rng::with_seed(!seed), request_bodies::creation());
    let debate = Debate::create_with(&server.client(), &creation).await;
    let (address, hello) = (server.address(), handshake(&server.client(), "/ws").bytes());
    let mut running = JoinSet::new();
    let mut done: Vec<(u64, Vec<u8>, Option<u16>, bool)> = Vec::new();
    for case in 0..cases {
        let mut rng = Rng::with_seed(seed.wrapping_add(case));
        let (bytes, must_be_answered) = request(&mut rng, &debate.id);
        let (bytes, hello, frames) = (with_target(bytes, debate.newest()), hello.clone(), frames(&mut rng, &debate.id));
        running.spawn(async move {
            let limit = if must_be_answered { Duration::from_secs(30) } else { OPTIONAL_RESPONSE_TIMEOUT };
            let status = send(address, &bytes, limit).await;
            send_frames(address, hello, frames).await;
            (case, bytes, status, must_be_answered)
        });
        if running.len() >= AT_ONCE {
            done.extend(running.join_next().await.map(|result| result.unwrap()));
        }
    }
    done.extend(running.join_all().await);
    for (case, bytes, status, must_be_answered) in &done {
        let sent = String::from_utf8_lossy(bytes);
        assert!(status.is_none_or(|status| status < 500), "case {case} is answered with {status:?}: {sent}; {repeat}");
        assert!(status.is_some() || !must_be_answered, "case {case} is not answered: {sent}; {repeat}");
    }
    let accepted = done.iter().filter(|(_, _, status, _)| status.is_some_and(|status| status < 300)).count();
    assert!(accepted > 0, "no request was accepted, so the test proves nothing; {repeat}");
    server.client().get("/health").await.data(200);
    assert!(!server.log().contains("panicked"), "{repeat}");
    // Whatever was accepted forms a valid history.
    state_machine::replay(&debate.history().await);
}
