//! Tests of the messages for webhooks on real databases.

use ::tests::store::Backend;
use chrono::{DateTime, TimeDelta, Utc};
use rstest::rstest;
use sea_orm::ConnectionTrait;
use serde_json::Value;

use super::MessageWriter;
use crate::{
    domain::{ArgumentId, ArgumentKind, DebateId, EndpointId, RequestId, Side, Submission},
    store::{
        ClockAndIds, DebateWrite,
        tests::{TestStore, claim, content, new_debate, request},
    },
};

const WEB_APP: &str = "https://debates.example/";

fn endpoints() -> [EndpointId; 2] {
    ["http://a.example/", "http://b.example/"].map(EndpointId::of_url)
}

async fn open(on: Backend) -> TestStore {
    // An endpoint that is named twice counts once.
    let message_writer = MessageWriter::new([endpoints(), endpoints()].concat(), WEB_APP);
    TestStore::open_with_message_writer(on, ClockAndIds::system(), message_writer).await
}

async fn submit(test: &TestStore, kind: ArgumentKind, id: &str) -> ArgumentId {
    let request_id: Option<RequestId> = Some(request(id));
    let (debate_id, content) = (DebateId(uuid::Uuid::from_u128(1)), content(&"é".repeat(600)));
    let submission = Submission { request_id, ..Submission::new(debate_id, kind, content) };
    test.store.write_debate(DebateWrite::Submit(submission)).await.unwrap().argument.id
}

async fn all_due(test: &TestStore, endpoint: EndpointId, now: DateTime<Utc>) -> Vec<super::Delivery> {
    let (lost_at, latest) = (now + TimeDelta::minutes(1), now + TimeDelta::hours(2));
    test.store.claim_deliveries(endpoint, 100, now, lost_at, latest).await.unwrap()
}

#[rstest]
#[tokio::test]
async fn each_event_is_stored_once_for_each_receiver_with_its_argument(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = open(on).await;
    let mut filled = test.store.outbox_filled();
    let motion = test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap().argument.id;
    assert!(filled.has_changed().unwrap());
    filled.mark_unchanged();
    let claimed = claim(1, Side::Opponent, motion, "claim");
    let claimed = test.store.write_debate(DebateWrite::Submit(claimed)).await.unwrap().argument.id;
    assert!(!filled.has_changed().unwrap(), "a claim is no event");
    submit(&test, ArgumentKind::Intervention, "stop").await;
    // A late delivery makes no ruling due that was not due already, and a replay stores nothing.
    submit(&test, ArgumentKind::Appeal { parent_id: claimed, options: Vec::new() }, "late").await;
    submit(&test, ArgumentKind::Intervention, "stop").await;
    let open = ArgumentKind::Ruling { close: false, chosen_option: None };
    submit(&test, open, "go-on").await;
    submit(&test, ArgumentKind::Resolution { parent_id: claimed }, "resolve").await;
    submit(&test, ArgumentKind::Ruling { close: true, chosen_option: None }, "close").await;
    for endpoint in endpoints() {
        let due = all_due(&test, endpoint, (ClockAndIds::system().now)()).await;
        let messages: Vec<Value> = due.iter().map(|one| serde_json::from_str(&one.payload).unwrap()).collect();
        let told: Vec<_> = messages
            .iter()
            .map(|message| {
                let (data, argument) = (&message["data"], &message["data"]["argument"]);
                let texts = [&message["type"], &data["state"], &argument["type"], &argument["role"]];
                (texts.map(|text| text.as_str().unwrap().to_owned()), argument["seq"].as_u64().unwrap())
            })
            .collect();
        let expected = [
            (["debate.opened", "AWAITING_OPPONENT", "MOTION", "proposer"], 1),
            (["ruling.due", "INTERVENTION_PENDING", "INTERVENTION", "arbitrator"], 3),
            (["ruling.due", "AWAITING_ARBITRATOR", "RESOLUTION", "proposer"], 6),
            (["debate.closed", "CLOSED", "RULING", "arbitrator"], 7),
        ];
        assert_eq!(told, expected.map(|(texts, seq)| (texts.map(str::to_owned), seq)));
        let data = &messages[1]["data"];
        assert_eq!(data["title"], "Debate 1");
        assert_eq!(data["url"], format!("https://debates.example/d/{}", uuid::Uuid::from_u128(1)));
        assert_eq!(data["argument"]["content"].as_str().unwrap().chars().count(), super::MAX_CONTENT_CHARACTERS);
        assert_eq!(messages[1]["timestamp"], due[1].created_at.to_rfc3339_opts(chrono::SecondsFormat::Micros, true));
    }
}

#[rstest]
#[tokio::test]
async fn nothing_is_stored_without_receivers(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap();
    for endpoint in endpoints() {
        assert_eq!(test.store.next_delivery_at(endpoint).await.unwrap(), None);
    }
}

#[rstest]
#[tokio::test]
async fn a_claimed_message_is_due_again_when_nothing_is_heard_of_it(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = open(on).await;
    let [endpoint, _] = endpoints();
    test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap();
    let now = (ClockAndIds::system().now)();
    let first = all_due(&test, endpoint, now).await.remove(0);
    assert_eq!(first.attempt, 1);
    assert_eq!(all_due(&test, endpoint, now).await, []);
    let second = all_due(&test, endpoint, now + TimeDelta::minutes(2)).await.remove(0);
    assert_eq!((second.attempt, &second.payload), (2, &first.payload));
    // What became of the first attempt no longer counts.
    test.store.retry_delivery(&first, now).await.unwrap();
    assert_eq!(all_due(&test, endpoint, now).await, []);
    test.store.retry_delivery(&second, now + TimeDelta::hours(1)).await.unwrap();
    let next = test.store.next_delivery_at(endpoint).await.unwrap().unwrap();
    assert_eq!(next.timestamp_micros(), (now + TimeDelta::hours(1)).timestamp_micros());
    // If the clock is set back by a day, the message need not wait for a day.
    let third = all_due(&test, endpoint, now - TimeDelta::days(1)).await.remove(0);
    assert_eq!(third.attempt, 3);
    test.store.end_delivery(&second).await.unwrap();
    assert_eq!(test.store.next_delivery_at(endpoint).await.unwrap(), None);
}

#[tokio::test]
async fn messages_that_cannot_be_read_hide_no_other() {
    // Only SQLite takes values of other types.
    let test = open(Backend::Sqlite).await;
    for number in 1..=3 {
        test.store.write_debate(DebateWrite::Create(new_debate(number))).await.unwrap();
    }
    let of_the_first_two = "UPDATE webhook_deliveries SET event = x'ff' WHERE next_attempt_at < \
         (SELECT max(next_attempt_at) FROM webhook_deliveries)";
    test.store.write.execute_unprepared(of_the_first_two).await.unwrap();
    let [endpoint, _] = endpoints();
    let now = (ClockAndIds::system().now)() + TimeDelta::minutes(1);
    for (claimed, limit) in [(1, 1), (0, 1), (0, 2)] {
        let (lost_at, latest) = (now + TimeDelta::minutes(1), now + TimeDelta::hours(2));
        let deliveries = test.store.claim_deliveries(endpoint, limit, now, lost_at, latest).await.unwrap();
        assert_eq!(deliveries.len(), claimed, "{limit}");
    }
}

#[rstest]
#[tokio::test]
async fn old_messages_are_removed_whoever_they_are_for(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = open(on).await;
    test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap();
    let now = (ClockAndIds::system().now)();
    assert_eq!(test.store.discard_deliveries(now - TimeDelta::hours(1)).await.unwrap(), 0);
    assert_eq!(test.store.discard_deliveries(now + TimeDelta::hours(1)).await.unwrap(), 2);
    for endpoint in endpoints() {
        assert_eq!(test.store.next_delivery_at(endpoint).await.unwrap(), None);
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_is_claimed_by_one_of_several_at_once(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = open(on).await;
    let [endpoint, _] = endpoints();
    for number in 1..=20 {
        test.store.write_debate(DebateWrite::Create(new_debate(number))).await.unwrap();
    }
    let now = (ClockAndIds::system().now)();
    let claims = (0..4).map(|_| all_due(&test, endpoint, now));
    let claimed = futures_util::future::join_all(claims).await;
    let mut ids: Vec<_> = claimed.into_iter().flatten().map(|one| one.argument_id).collect();
    ids.sort_unstable();
    assert_eq!(ids.len(), 20);
    ids.dedup();
    assert_eq!(ids.len(), 20, "a message was claimed twice");
}
