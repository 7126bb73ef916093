//! Writes that are sent up to five times in random order, while the server is killed, are stored once.

use std::{iter, sync::Arc};

use fastrand::Rng;
use serde_json::Value;
use tests::{
    debate::text,
    ids,
    random::{fault_factor, seed},
    report::report,
    request_bodies::{self, with},
    server::{Server, Settings},
};
use tokio::task::JoinSet;

use super::{
    invariants::{check_server, resend_unacknowledged},
    stored_data::Item,
    write_log::{Write, WriteLog},
};

/// The number of debates, and of documents, in each round.
const AT_ONCE: usize = 20;

/// The path and body of a write.
type Request = (String, Value);

fn with_unique_text(field: &str, body: Value) -> Value {
    with(body, field, format!("unique text {}", ids::fresh()))
}

/// Sends each write one to five times, in random order, to a server that is killed meanwhile. Then resends the
/// unacknowledged ones.
async fn send_repeatedly(server: &mut Server, asked: Vec<Request>, random: &mut Rng) -> Vec<Write> {
    let write_log = WriteLog::new(|| 0);
    let mut order = Vec::new();
    for (path, body) in &asked {
        let number = write_log.sends(path, body);
        order.extend(iter::repeat_n(number, random.usize(1..=5)));
    }
    random.shuffle(&mut order);
    let (killed_at, asked) = (random.usize(..order.len()), Arc::new(asked));
    let mut sent = JoinSet::new();
    for (place, number) in order.into_iter().enumerate() {
        if place == killed_at {
            server.kill();
            server.restart().await;
        }
        let (client, asked) = (server.client(), asked.clone());
        sent.spawn(async move {
            let (path, body) = &asked[number];
            let answer = client.try_send(&client.write(path, body.to_string())).await.ok()?;
            (answer.status != 503).then(|| (number, answer.data_of_any_success()))
        });
    }
    let mut first: Vec<Option<Value>> = vec![None; asked.len()];
    while let Some(answered) = sent.join_next().await {
        let Some((number, data)) = answered.unwrap() else { continue };
        match &first[number] {
            Some(earlier) => {
                assert_eq!(Item::promised(earlier), Item::promised(&data), "two responses to one write differ")
            }
            None => {
                write_log.acknowledges(number, data.clone());
                first[number] = Some(data);
            }
        }
    }
    resend_unacknowledged(&server.client(), &write_log.writes(), u64::MAX).await
}

/// The next writes: a claim in each debate and a version of each document.
fn next_writes(opened: &[Write]) -> Vec<Request> {
    let answer = |write: &Write| {
        let about = write.about().expect("it was acknowledged");
        let data = &write.acknowledged.as_ref().expect("it was acknowledged").data;
        match data.get("argument") {
            Some(motion) => (
                format!("{about}/arguments"),
                with_unique_text("content", request_bodies::claim("opponent", &text(&motion["id"]))),
            ),
            None => (format!("{about}/versions"), with_unique_text("content", request_bodies::document(""))),
        }
    };
    opened.iter().map(answer).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_repeated_in_any_order_across_crashes_are_stored_once() {
    let (seed, rounds) = (seed(), 3 * fault_factor());
    let mut random = Rng::with_seed(seed);
    let mut server = Server::with(Settings::new().restartable()).await;
    let mut writes = Vec::new();
    for _ in 0..rounds {
        let debates = (0..AT_ONCE)
            .map(|_| ("/debates".to_owned(), with_unique_text("motion_content", request_bodies::creation())));
        let documents =
            (0..AT_ONCE).map(|_| ("/documents".to_owned(), with_unique_text("content", request_bodies::document(""))));
        let opened = send_repeatedly(&mut server, debates.chain(documents).collect(), &mut random).await;
        let answered = send_repeatedly(&mut server, next_writes(&opened), &mut random).await;
        writes.extend(opened.into_iter().chain(answered));
    }
    assert_eq!(check_server(&server, &writes).await, Ok(()));
    report(&format!(
        "{} writes, each sent up to five times over {} crashes, AWEAVE_SEED={seed}",
        writes.len(),
        2 * rounds
    ));
}

#[tokio::test]
async fn control_a_write_stored_twice_is_detected() {
    let server = Server::start().await;
    let (write_log, body) = (WriteLog::new(|| 0), with_unique_text("content", request_bodies::document("")));
    for _ in 0..2 {
        let body = with(body.clone(), "client_request_id", ids::fresh());
        let number = write_log.sends("/documents", &body);
        write_log.acknowledges(number, server.client().post("/documents", &body).await.data(201));
    }
    let found = check_server(&server, &write_log.writes()).await.expect_err("it is there twice");
    assert!(found.contains("there twice") || found.contains("was acknowledged as"), "{found}");
}
