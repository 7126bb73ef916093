//! A receiver that is slow costs nobody else anything.

use std::time::{Duration, Instant};

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
