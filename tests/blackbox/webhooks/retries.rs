//! Messages that are not taken at once.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tests::{
    debate::{Debate, Situation},
    random::fault_factor,
    report::report,
    server::Server,
    webhook_receiver::{Reception, WebhookReceiver},
};
use tokio::time::sleep;

use super::{all_taken, duplicates, sending_to};

/// The events of a debate that is led to its end.
const EVENTS: usize = 3;

#[tokio::test]
async fn a_message_that_was_not_taken_is_sent_again_after_one_two_and_four_seconds_unchanged() {
    let receiver = WebhookReceiver::with(|number| match number {
        0 => Reception::Answer(500),
        1 => Reception::HangUp,
        2 => Reception::Answer(400),
        _ => Reception::Answer(200),
    })
    .await;
    let server = Server::with(sending_to(&[&receiver])).await;
    let start = Instant::now();
    Debate::create(&server.client()).await;
    receiver.taken(1).await;
    let took = start.elapsed();
    assert!(
        (Duration::from_secs(7)..Duration::from_secs(30)).contains(&took),
        "the fourth attempt came after {took:?}"
    );
    let received = receiver.received();
    assert_eq!(received.len(), 4);
    for again in &received[1..] {
        assert_eq!(again.header("webhook-id"), received[0].header("webhook-id"));
        assert_eq!(again.body, received[0].body);
    }
    let times: Vec<u64> = received.iter().map(|one| one.header("webhook-timestamp").parse().unwrap()).collect();
    assert!(times.is_sorted() && times[3] >= times[0] + 6, "the timestamp is that of the attempt: {times:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_fails_waits_as_a_whole_and_gets_everything_once_it_takes_messages() {
    let takes = Arc::new(AtomicBool::new(false));
    let receiver = WebhookReceiver::with({
        let takes = takes.clone();
        move |_| Reception::Answer(if takes.load(Ordering::Relaxed) { 200 } else { 500 })
    })
    .await;
    let server = Server::with(sending_to(&[&receiver])).await;
    let start = Instant::now();
    for _ in 0..60 {
        Debate::create(&server.client()).await;
    }
    // Up to four at once while it is not known that they fail, then one after one second, and one two seconds later.
    let attempts = |received: &[_]| (start.elapsed() > Duration::from_secs(6)).then_some(received.len());
    let attempts = receiver.wait_for("six seconds", attempts).await;
    assert!((3..=6).contains(&attempts), "{attempts} attempts");
    takes.store(true, Ordering::Relaxed);
    all_taken(&receiver, 60).await;
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let elsewhere = WebhookReceiver::start().await;
    let port = elsewhere.port();
    let receiver = WebhookReceiver::with(move |number| match number {
        0 => Reception::Redirect(port),
        _ => Reception::Answer(200),
    })
    .await;
    let server = Server::with(sending_to(&[&receiver])).await;
    Debate::create(&server.client()).await;
    receiver.taken(1).await;
    assert_eq!(elsewhere.received().len(), 0);
    assert_eq!(receiver.received().len(), 2);
}

#[tokio::test]
async fn messages_survive_the_end_of_the_receiver_and_of_the_server() {
    let mut receiver = WebhookReceiver::start().await;
    receiver.stop().await;
    let mut server = Server::with(sending_to(&[&receiver]).restartable()).await;
    Debate::in_situation(&server.client(), Situation::Closed).await;
    server.kill();
    receiver.resume().await;
    server.restart().await;
    all_taken(&receiver, EVENTS).await;
    server.terminate();
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
}

#[tokio::test]
async fn messages_of_a_longer_outage_are_all_sent_at_least_once() {
    let debates = 4 * fault_factor();
    // A third of the messages are not taken.
    let mut receiver = WebhookReceiver::with(|number| match number % 6 {
        1 => Reception::Answer(503),
        4 => Reception::HangUp,
        _ => Reception::Answer(200),
    })
    .await;
    let mut server = Server::with(sending_to(&[&receiver]).restartable()).await;
    let start = Instant::now();
    for number in 0..debates {
        Debate::in_situation(&server.client(), Situation::Closed).await;
        if number % 4 == 1 {
            receiver.stop().await;
            sleep(Duration::from_millis(300)).await;
        }
        if number % 4 == 2 {
            server.kill();
            receiver.resume().await;
            server.restart().await;
        }
    }
    let taken = all_taken(&receiver, EVENTS * debates).await;
    let (attempts, again) = (receiver.received().len(), duplicates(&taken));
    report(&format!(
        "webhooks: {} messages, {attempts} attempts, {again} taken more than once, {:?}",
        EVENTS * debates,
        start.elapsed()
    ));
    // Only what was on its way when the server was killed may come twice.
    assert!(again <= debates * EVENTS, "{again} duplicates");
}
