//! Messages that could not be delivered for a day.

use tests::{
    debate::{Debate, Situation},
    polling,
    server::Server,
    webhook_receiver::{Reception, WebhookReceiver},
};

use super::sending_to;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_is_given_up_after_24_hours_with_a_line_in_the_log_and_newer_ones_are_not() {
    let mut receiver = WebhookReceiver::with(|_| Reception::Answer(500)).await;
    let mut server = Server::with(sending_to(&[&receiver]).restartable()).await;
    Debate::in_situation(&server.client(), Situation::Closed).await;
    server.terminate();
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    let attempts = receiver.received().len();
    // As if the first two had been stored a day earlier.
    let day_micros = 25_i64 * 3600 * 1_000_000;
    let made_older = format!(
        "UPDATE webhook_deliveries SET created_at = created_at - {day_micros}, next_attempt_at = next_attempt_at - {day_micros} \
         WHERE event <> 'debate.closed'"
    );
    server.store().run(&made_older);
    receiver.stop().await;
    server.restart().await;
    let given_up = || server.log().matches("a webhook message is given up").count();
    polling::until("two messages are given up", || (given_up() == 2).then_some(())).await;
    assert_eq!(receiver.received().len(), attempts, "what is too old is not sent");
    receiver.resume().await;
    let next = receiver.wait_for("the newer one is tried again", |received| received.get(attempts).cloned()).await;
    assert_eq!(next.message()["type"], "debate.closed");
}
