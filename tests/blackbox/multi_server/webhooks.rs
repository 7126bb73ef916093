//! Messages to webhooks from several servers.

use std::time::{Duration, Instant};

use tests::{
    debate::{Debate, Situation},
    random::fault_factor,
    report::report,
    server::Server,
    webhook_receiver::{Reception, WebhookReceiver},
};

use crate::webhooks::{all_taken, duplicates, sending_to};

/// The events of a debate that is led to its end.
const EVENTS: usize = 3;

/// Two servers that send to this receiver.
async fn two_servers(receiver: &WebhookReceiver) -> [Server; 2] {
    let first = Server::with(sending_to(&[receiver])).await;
    let second = Server::on_store(sending_to(&[receiver]), first.store()).await;
    [first, second]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_several_servers_sends_each_message() {
    let receiver = WebhookReceiver::start().await;
    let servers = two_servers(&receiver).await;
    let debates = 10;
    for number in 0..debates {
        Debate::in_situation(&servers[number % 2].client(), Situation::Closed).await;
    }
    let taken = all_taken(&receiver, EVENTS * debates).await;
    assert_eq!(duplicates(&taken), 0);
    assert_eq!(receiver.received().len(), EVENTS * debates);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_killed_server_has_not_sent_another_one_sends() {
    // The first server gets no answers, so that it has claimed messages when it is killed.
    let mut receiver = WebhookReceiver::with(|number| match number {
        0..4 => Reception::Hang,
        _ => Reception::Answer(204),
    })
    .await;
    let [mut first, second] = two_servers(&receiver).await;
    let debates = 3;
    for _ in 0..debates {
        Debate::in_situation(&first.client(), Situation::Closed).await;
    }
    receiver.wait_for("four messages on their way", |received| (received.len() >= 4).then_some(())).await;
    first.kill();
    let start = Instant::now();
    let taken = all_taken(&receiver, EVENTS * debates).await;
    assert!(start.elapsed() < Duration::from_secs(40), "it took {:?}", start.elapsed());
    report(&format!("webhooks of a killed server: {} duplicates, {:?}", duplicates(&taken), start.elapsed()));
    receiver.stop().await;
    drop(second);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_message_is_lost_while_servers_and_the_receiver_end_and_come_back() {
    let debates = 8 * fault_factor();
    let mut receiver = WebhookReceiver::with(|number| match number % 6 {
        1 => Reception::Answer(503),
        4 => Reception::HangUp,
        _ => Reception::Answer(200),
    })
    .await;
    let first = Server::with(sending_to(&[&receiver]).restartable()).await;
    let second = Server::on_store(sending_to(&[&receiver]).restartable(), first.store()).await;
    let mut servers = [first, second];
    let start = Instant::now();
    for number in 0..debates {
        Debate::in_situation(&servers[number % 2].client(), Situation::Closed).await;
        match number % 8 {
            3 => receiver.stop().await,
            5 => receiver.resume().await,
            6 => {
                servers[0].kill();
                servers[0].restart().await;
            }
            _ => {}
        }
    }
    let taken = all_taken(&receiver, EVENTS * debates).await;
    let (attempts, again) = (receiver.received().len(), duplicates(&taken));
    report(&format!(
        "webhooks of two servers: {} messages, {attempts} attempts, {again} taken more than once, {:?}",
        EVENTS * debates,
        start.elapsed()
    ));
    assert!(again < EVENTS * debates, "{again} duplicates");
}
