//! Wrong tokens cost time, and only those who send them.

use std::{
    net::{IpAddr, Ipv4Addr},
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use serde_json::{Value, json};
use tests::{
    client::Client,
    polling::DEADLINE,
    request_bodies,
    server::{Server, Settings},
};

use tokio::time::timeout;

use crate::websocket::viewer::handshake;

const RIGHT: &str = "the-token-of-agents";

async fn server() -> Server {
    Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", RIGHT)).await
}

fn address(last: u8) -> IpAddr {
    Ipv4Addr::new(127, 7, 7, last).into()
}

async fn timed<T>(work: impl Future<Output = T>) -> Duration {
    let start = Instant::now();
    work.await;
    start.elapsed()
}

async fn wrong(client: &Client, number: u32) {
    client.with_token(&format!("wrong-{number}")).get("/debates").await.refusal("AUTH_FAILED");
}

/// The lines of the audit log.
fn audited(server: &Server) -> Vec<Value> {
    let log = server.log();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["target"] == "audit").collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_tokens_are_answered_later_and_later_for_one_address_and_audited() {
    let server = server().await;
    let attacker = server.client().from_address(address(1));
    let mut delays = Vec::new();
    for number in 0..10 {
        delays.push(timed(wrong(&attacker, number)).await);
    }
    assert!(delays[0] < Duration::from_millis(500), "{delays:?}");
    for late in &delays[8..] {
        assert!((Duration::from_secs(2)..Duration::from_secs(8)).contains(late), "{delays:?}");
    }
    // Neither the right token at the same address nor another address waits, nor who has no token at all.
    for quick in [
        timed(async { attacker.with_token(RIGHT).get("/debates").await.data(200) }).await,
        timed(wrong(&server.client().from_address(address(2)), 1)).await,
        timed(async { attacker.get("/debates").await.refusal("AUTH_FAILED") }).await,
    ] {
        assert!(quick < Duration::from_secs(1), "{quick:?}");
    }
    let lines = audited(&server);
    let counts: Vec<_> = lines.iter().filter(|line| line["fields"]["address"] == "127.7.7.1").collect();
    let counts: Vec<_> = counts.iter().map(|line| line["fields"]["count"].as_u64().unwrap()).collect();
    assert_eq!(counts, [1, 2, 4, 8], "{lines:?}");
    assert!(lines.iter().all(|line| line["fields"]["message"] == "wrong token"), "{lines:?}");
    assert!(!server.log().contains("wrong-"), "{}", server.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_token_of_a_websocket_costs_as_much() {
    let server = server().await;
    let attacker = server.client().from_address(address(3));
    let attempt = async |number: u32| {
        let request = handshake(&attacker, &format!("/ws?token=wrong-{number}"));
        attacker.send(&request).await.refusal("AUTH_FAILED");
    };
    for number in 0..8 {
        attempt(number).await;
    }
    let late = timed(attempt(8)).await;
    assert!(late >= Duration::from_secs(2), "{late:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_that_are_not_the_arbitrators_cost_as_much_where_only_that_is_set() {
    let server = Server::with(Settings::new().env("DEBATE_ARBITRATOR_TOKEN", "the-token-of-the-judge")).await;
    let attacker = server.client().from_address(address(4));
    let path = "/debates/00000000-0000-4000-8000-000000000000/ruling";
    for number in 0..4 {
        let wrong = attacker.with_token(&format!("wrong-{number}"));
        wrong.post(path, &request_bodies::decision()).await.refusal("AUTH_FAILED");
        assert_eq!(wrong.get("/info").await.data(200)["may_rule"], false, "it tells what a token permits");
    }
    let late = timed(attacker.with_token("wrong").post(path, &request_bodies::decision())).await;
    assert!(late >= Duration::from_secs(2), "{late:?}");
    let late = timed(attacker.with_token("wrong").get("/info")).await;
    assert!(late >= Duration::from_secs(2), "{late:?}");
    let quick = timed(attacker.get("/debates")).await;
    assert!(quick < Duration::from_secs(1), "{quick:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_codes_of_a_sign_in_link_cost_as_much() {
    let server = server().await;
    let attacker = server.client().from_address(address(6));
    for _ in 0..8 {
        attacker.post("/sign-in", &json!({"code": "wrong"})).await.refusal("AUTH_FAILED");
    }
    let late = timed(attacker.post("/sign-in", &json!({"code": "wrong"}))).await;
    assert!(late >= Duration::from_secs(2), "{late:?}");
}

/// How many connections an attacker opens at a time.
const AT_ONCE: usize = 200;

/// How many answers to an address are held back at most.
const HELD: usize = 11;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_one_address_wrong_tokens_are_answered_one_after_another_and_few_wait() {
    let server = server().await;
    let path = handshake(&server.client(), "/ws?token=wrong");
    let attempts = (0..AT_ONCE).map(|number| {
        let client = server.client().from_address(address(5)).with_token(&format!("wrong-{number}"));
        let path = &path;
        async move {
            match number % 3 {
                0 => client.try_send(&client.request("GET", "/debates")).await.map(drop),
                1 => client.try_send(&client.write("/sign-in", json!({"code": "wrong"}).to_string())).await.map(drop),
                _ => client.try_send(path).await.map(drop),
            }
        }
    });
    let mut attempts: FuturesUnordered<_> = attempts.collect();
    let start = Instant::now();
    let (mut answered, mut closed) = (0, 0);
    while answered + closed < AT_ONCE - HELD {
        match timeout(DEADLINE, attempts.next()).await.expect("no more are held back").expect("some are") {
            Ok(()) => answered += 1,
            Err(_) => closed += 1,
        }
        // Whoever has the right token waits for none of them.
        if closed % 50 == 0 {
            let right = server.client().from_address(address(5)).with_token(RIGHT);
            let quick = timed(async { right.get("/debates").await.data(200) }).await;
            assert!(quick < Duration::from_secs(1), "{quick:?}");
        }
    }
    // Their delays add up: 10, 20, 40 ms and so on.
    let possible = (1..).take_while(|count| 10 * ((1 << count) - 1) <= start.elapsed().as_millis()).count();
    assert!(answered <= possible, "{answered} after {:?}", start.elapsed());
    // A line comes before its connection is closed.
    let logged = server.log().lines().filter(|line| line.contains("\"status\":444")).count();
    while closed < logged {
        let outcome = timeout(DEADLINE, attempts.next()).await.expect("it is closed").expect("some are left");
        closed += usize::from(outcome.is_err());
    }
    assert_eq!(logged, closed);
    assert!(audited(&server).len() <= 12, "a line each time that the number has doubled");
}
