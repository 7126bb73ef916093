//! Which messages are sent, and what they have.

use serde_json::{Value, json};
use tests::{
    debate::{Debate, Situation},
    request_bodies::{self, with},
    server::Server,
    webhook_receiver::WebhookReceiver,
};

use super::{sending_to, told_of};

fn events(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
    expected.iter().map(|(event, seq)| ((*event).to_owned(), *seq)).collect()
}

#[tokio::test]
async fn each_event_is_told_once_and_a_late_delivery_makes_no_ruling_due_again() {
    let receiver = WebhookReceiver::start().await;
    let server = Server::with(sending_to(&[&receiver])).await;
    let mut debate = Debate::in_situation(&server.client(), Situation::LateDelivered).await;
    debate.rule(false).await;
    debate.appeal().await;
    debate.rule(false).await;
    debate.request_completion().await;
    debate.rule(true).await;
    let mut told = told_of(&debate, &receiver.taken(5).await);
    told.sort_by_key(|(_, seq)| *seq);
    let expected =
        [("debate.opened", 1), ("ruling.due", 2), ("ruling.due", 5), ("ruling.due", 7), ("debate.closed", 8)];
    assert_eq!(told, events(&expected));
    // What is refused, what is replayed, and a freed seat are no events.
    let free = server.client().request("DELETE", &debate.path("/seats/proposer"));
    server.client().send(&free).await.data(200);
    let again = with(request_bodies::creation(), "debate_id", debate.id.clone());
    server.client().post("/debates", &again).await.refusal("DEBATE_EXISTS");
    let other = Debate::create(&server.client()).await;
    receiver.taken(6).await;
    assert_eq!(told_of(&other, &receiver.received()), events(&[("debate.opened", 1)]));
    assert_eq!(receiver.received().len(), 6);
}

#[tokio::test]
async fn a_message_has_the_debate_as_at_the_event_and_the_beginning_of_the_argument() {
    let receiver = WebhookReceiver::start().await;
    let settings = sending_to(&[&receiver]).args(&["--public-url", "https://debates.example/"]);
    let server = Server::with(settings).await;
    let content = "Müssen wir? ".repeat(100);
    let body = with(request_bodies::creation(), "motion_content", content.clone());
    let debate = Debate::create_with(&server.client(), &body).await;
    let received = receiver.taken(1).await.remove(0);
    let stored = debate.stored().await;
    let mut expected = json!({
        "type": "debate.opened",
        "timestamp": stored["motion"]["created_at"],
        "data": {
            "debate_id": debate.id,
            "title": stored["debate"]["title"],
            "state": "AWAITING_OPPONENT",
            "url": format!("https://debates.example/d/{}", debate.id),
            "argument": {"seq": 1, "type": "MOTION", "role": "proposer", "content": null},
        },
    });
    expected["data"]["argument"]["content"] = content.chars().take(500).collect::<String>().into();
    assert_eq!(received.message(), expected);
    assert_eq!(received.header("content-type"), "application/json");
    assert!(received.header("user-agent").starts_with("aweave-server/"));
    assert_eq!(received.path, "/hook?key=secret-path");
}

#[tokio::test]
async fn without_a_public_url_messages_link_to_the_bound_address() {
    let receiver = WebhookReceiver::start().await;
    let server = Server::with(sending_to(&[&receiver])).await;
    let debate = Debate::create(&server.client()).await;
    let message = receiver.taken(1).await[0].message();
    assert_eq!(message["data"]["url"], format!("{}/d/{}", server.url(), debate.id));
}

#[tokio::test]
async fn every_receiver_gets_every_message_and_info_counts_them() {
    let receivers = [WebhookReceiver::start().await, WebhookReceiver::start().await];
    let server = Server::with(sending_to(&[&receivers[0], &receivers[1], &receivers[0]])).await;
    let debate = Debate::in_situation(&server.client(), Situation::Closed).await;
    for receiver in &receivers {
        let mut told = told_of(&debate, &receiver.taken(3).await);
        told.sort_by_key(|(_, seq)| *seq);
        assert_eq!(told, events(&[("debate.opened", 1), ("ruling.due", 3), ("debate.closed", 4)]));
    }
    assert_eq!(server.client().get("/info").await.data(200)["webhooks"], 2);
    let without = Server::shared().await;
    assert_eq!(without.client().get("/info").await.data(200)["webhooks"], Value::from(0));
}
