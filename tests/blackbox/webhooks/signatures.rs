//! Messages are verified with the official library of Standard Webhooks for Node.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use serde_json::json;
use tests::{
    binaries,
    debate::{Debate, Situation},
    server::Server,
    webhook_receiver::{Received, SECRET, WebhookReceiver},
};

use super::sending_to;

/// Reads messages as a JSON list of `{headers, body}` and prints for each whether it is valid.
const VERIFY: &str = "
const { Webhook } = require('standardwebhooks');
const { secret, messages } = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const isValid = ({ headers, body }) => {
    try { new Webhook(secret).verify(body, headers); return true; } catch { return false; }
};
console.log(JSON.stringify(messages.map(isValid)));
";

fn verify(secret: &str, received: &[Received]) -> Vec<bool> {
    let messages = received.iter().map(|one| {
        let headers: serde_json::Map<_, _> =
            one.headers.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
        json!({"headers": headers, "body": one.body})
    });
    let input = json!({"secret": secret, "messages": messages.collect::<Vec<_>>()}).to_string();
    let installed =
        Command::new("make").arg("tests/node_modules/.installed").current_dir(binaries::workspace()).output();
    assert!(installed.is_ok_and(|made| made.status.success()), "the library cannot be installed; is there npm?");
    let mut command = Command::new("node");
    command.args(["-e", VERIFY]).current_dir(binaries::workspace().join("tests"));
    let mut node = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node runs");
    node.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test]
async fn the_official_library_verifies_each_message_and_refuses_changed_ones() {
    let receiver = WebhookReceiver::start().await;
    let server = Server::with(sending_to(&[&receiver])).await;
    Debate::in_situation(&server.client(), Situation::Closed).await;
    let taken = receiver.taken(3).await;
    assert_eq!(verify(SECRET, &taken), [true; 3]);
    let other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    assert_eq!(verify(other, &taken), [false; 3]);
    let changed: Vec<_> =
        taken.into_iter().map(|one| Received { body: one.body.replace("AWAITING", "awaiting") + " ", ..one }).collect();
    assert_eq!(verify(SECRET, &changed), [false; 3]);
}
