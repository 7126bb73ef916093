//! A receiver that is slow costs nobody else anything.

use std::time::{Duration, Instant};

use rstest::rstest;
use tests::{
    debate::{Debate, Situation},
    server::Server,
    webhook_receiver::{Reception, WebhookReceiver},
};

use super::sending_to;

/// The most attempts that are under way for one receiver.
const MAX_CONCURRENT: usize = 4;

const DEBATES: usize = 20;

#[tokio::test]
async fn a_receiver_that_never_answers_delays_neither_writes_nor_other_receivers() {
    let stuck = WebhookReceiver::with(|_| Reception::Hang).await;
    let other = WebhookReceiver::start().await;
    let mut server = Server::with(sending_to(&[&stuck, &other])).await;
    for _ in 0..DEBATES {
        let start = Instant::now();
        Debate::in_situation(&server.client(), Situation::Closed).await;
        assert!(start.elapsed() < Duration::from_secs(5), "a debate took {:?}", start.elapsed());
    }
    other.taken(3 * DEBATES).await;
    // The receiver that hangs has got the first few only: it cannot use up connections.
    assert_eq!(stuck.received().len(), MAX_CONCURRENT);
    let start = Instant::now();
    server.terminate();
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(5), "stopping took {:?}", start.elapsed());
}

/// The most bytes that the server and the buffers of both sockets take of an endless answer.
const ACCEPTED_BYTES: usize = 16 * 1024 * 1024;

#[rstest]
#[case::provisional_answers("", "HTTP/1.1 103 Early Hints\r\n\r\n", false)]
#[case::a_status_line("HTTP/1.1 200 O", "K", false)]
#[case::headers("HTTP/1.1 200 OK\r\n", "X-More: x\r\n", false)]
#[case::a_body("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "4\r\nmore\r\n", true)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_without_an_end_costs_nobody_anything(
    #[case] first: &'static str,
    #[case] more: &'static str,
    #[case] is_taken: bool,
) {
    let receiver = WebhookReceiver::with(move |_| Reception::Endless(first, more)).await;
    let server = Server::with(sending_to(&[&receiver]).env("RUST_LOG", "info,api=debug")).await;
    for _ in 0..8 {
        Debate::create(&server.client()).await;
    }
    let mut delays = Vec::new();
    for _ in 0..40 {
        let start = Instant::now();
        server.client().get("/health").await.data(200);
        delays.push(start.elapsed());
    }
    delays.sort();
    assert!(delays[30] < Duration::from_millis(200), "{delays:?}");
    let outcome = if is_taken { "a webhook message was delivered" } else { "a webhook message failed" };
    tests::polling::until(outcome, || (server.log().matches(outcome).count() >= 2).then_some(())).await;
    let attempts = receiver.received().len();
    assert!(receiver.sent() < attempts * ACCEPTED_BYTES, "{} bytes in {attempts} attempts", receiver.sent());
}
