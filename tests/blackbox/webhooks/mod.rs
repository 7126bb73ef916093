//! Messages to receivers outside: webhooks.

mod expiry;
mod messages;
mod retries;
mod settings;
mod shell_receiver;
mod signatures;
mod slow_receivers;
mod statements;

use std::collections::HashMap;

use tests::{
    debate::Debate,
    server::Settings,
    webhook_receiver::{Received, SECRET, WebhookReceiver},
};

/// The settings of a server that sends to these receivers.
pub fn sending_to(receivers: &[&WebhookReceiver]) -> Settings {
    let args: Vec<_> = receivers.iter().flat_map(|receiver| ["--webhook-url".to_owned(), receiver.url()]).collect();
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    Settings::new().args(&args).env("DEBATE_WEBHOOK_SECRET", SECRET)
}

/// How many messages came more than once, after each was taken.
pub fn duplicates(taken: &[Received]) -> usize {
    let mut bodies: HashMap<&str, &str> = HashMap::new();
    for received in taken {
        let body = bodies.entry(received.header("webhook-id")).or_insert(&received.body);
        assert_eq!(*body, received.body, "a message has another body when it is sent again");
    }
    taken.len() - bodies.len()
}

/// Waits until each of this many messages was taken, at least once, and returns all that were.
pub async fn all_taken(receiver: &WebhookReceiver, count: usize) -> Vec<Received> {
    let what = format!("{count} different messages that the receiver took");
    receiver
        .wait_for(&what, |received| {
            let taken: Vec<_> = received.iter().filter(|one| one.was_taken()).cloned().collect();
            (taken.len() - duplicates(&taken) >= count).then_some(taken)
        })
        .await
}

/// The type and the `seq` of the messages about a debate, in the order in which they came.
pub fn told_of(debate: &Debate, received: &[Received]) -> Vec<(String, u64)> {
    let messages = received.iter().map(Received::message).filter(|message| message["data"]["debate_id"] == debate.id);
    let told = messages.map(|message| {
        (message["type"].as_str().unwrap().to_owned(), message["data"]["argument"]["seq"].as_u64().unwrap())
    });
    told.collect()
}
