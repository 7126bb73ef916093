//! Tests of seats on both databases, and with several stores on one.

use ::tests::store::Backend;
use futures_util::future::join_all;
use rstest::rstest;

use super::{
    tests::{TestStore, claim, debate_id, new_debate, request},
    *,
};
use crate::domain::{ArgumentId, Debate, DebateId, NewDebate, SeatKey, Seats, Side, Submission};

const ID: DebateId = debate_id(1);

fn key(text: &str) -> Option<SeatKey> {
    Some(text.repeat(SeatKey::LEN).parse().unwrap())
}

/// A key by number.
fn numbered_key(number: usize) -> Option<SeatKey> {
    Some(format!("{number:0>43}").parse().unwrap())
}

fn claim_with(seat_key: Option<SeatKey>, by: Side, target: ArgumentId, request_id: &str) -> DebateWrite {
    DebateWrite::Submit(Submission { seat_key, ..claim(1, by, target, request_id) })
}

fn freeing(side: Side) -> FreeSeat {
    FreeSeat { debate_id: ID, side }
}

#[track_caller]
fn assert_taken(outcome: Result<DebateWritten, WriteError>, side: Side) {
    assert!(matches!(outcome, Err(WriteError::SeatTaken(taken)) if taken == side), "{outcome:?}");
}

async fn stored(store: &Store) -> Debate {
    store.debate(ID).await.unwrap().unwrap()
}

/// Another store on the same database, as another server has it.
async fn another_store(test: &TestStore) -> Store {
    Store::open(&test.location(), None, ClockAndIds::system(), MessageWriter::without_receivers(), |_| {})
        .await
        .unwrap()
}

#[rstest]
#[tokio::test]
async fn only_a_stored_write_takes_a_seat(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    let store = &test.store;
    let seats = async || stored(store).await.seats;
    let motion = store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap().argument.id;
    assert_eq!(seats().await, Seats::default());
    // A repetition and a refusal take none.
    let repeated = DebateWrite::Create(NewDebate { seat_key: key("p"), ..new_debate(1) });
    assert!(store.write_debate(repeated).await.unwrap().replayed);
    store.write_debate(claim_with(key("p"), Side::Proposer, motion, "too-early")).await.unwrap_err();
    assert_eq!(seats().await, Seats::default());
    // A write without a key takes none either.
    let first = store.write_debate(claim_with(None, Side::Opponent, motion, "a")).await.unwrap().argument.id;
    let second = store.write_debate(claim_with(key("p"), Side::Proposer, first, "b")).await.unwrap().argument.id;
    assert_eq!(seats().await, Seats { proposer: key("p"), opponent: None });
    let third = store.write_debate(claim_with(key("o"), Side::Opponent, second, "c")).await.unwrap().argument.id;
    assert_eq!(seats().await, Seats { proposer: key("p"), opponent: key("o") });

    for other in [None, key("o"), key("x")] {
        assert_taken(store.write_debate(claim_with(other, Side::Proposer, third, "d")).await, Side::Proposer);
    }
    // What was stored is repeated to the holder only.
    assert_taken(store.write_debate(claim_with(key("x"), Side::Proposer, first, "b")).await, Side::Proposer);
    assert!(store.write_debate(claim_with(key("p"), Side::Proposer, first, "b")).await.unwrap().replayed);
    // A creation counts as a repetition only under its own request id.
    assert_taken(store.write_debate(DebateWrite::Create(new_debate(1))).await, Side::Proposer);
    let another = NewDebate { request_id: request("another"), seat_key: key("x"), ..new_debate(1) };
    let exists = store.write_debate(DebateWrite::Create(another)).await;
    assert!(matches!(exists, Err(WriteError::DebateExists(_))), "{exists:?}");
    store.write_debate(claim_with(key("p"), Side::Proposer, third, "d")).await.unwrap();
    verify(&test.location()).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn a_freed_seat_is_taken_again_and_nothing_else_changes(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    let store = &test.store;
    let motion = store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap().argument.id;
    let first = store.write_debate(claim_with(key("o"), Side::Opponent, motion, "a")).await.unwrap();
    let freed = store.free_seat(freeing(Side::Opponent)).await.unwrap();
    let expected = Debate { seats: Seats::default(), ..first.debate.clone() };
    assert_eq!(freed, SeatFreed { debate: expected.clone(), was_taken: true });
    assert_eq!(stored(store).await, expected);
    let again = store.free_seat(freeing(Side::Opponent)).await.unwrap();
    assert_eq!(again, SeatFreed { debate: expected, was_taken: false });
    let Page { rows: listed, total, .. } = store.debates(None, None, None, 10, 0).await.unwrap();
    assert_eq!((listed, total), (vec![stored(store).await], 1));

    let second = store.write_debate(claim_with(key("p"), Side::Proposer, first.argument.id, "b")).await.unwrap();
    let third = store.write_debate(claim_with(key("x"), Side::Opponent, second.argument.id, "c")).await.unwrap();
    assert_eq!(third.debate.seats, Seats { proposer: key("p"), opponent: key("x") });
    assert_taken(store.write_debate(claim_with(key("o"), Side::Opponent, motion, "a")).await, Side::Opponent);
    verify(&test.location()).await.unwrap();

    let unknown = FreeSeat { debate_id: debate_id(2), side: Side::Proposer };
    let missing = store.free_seat(unknown).await;
    assert!(matches!(missing, Err(WriteError::DebateNotFound(_))), "{missing:?}");
}

#[rstest]
#[tokio::test]
async fn viewers_are_told_of_a_freed_seat_with_the_newest_argument(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    let new = NewDebate { seat_key: key("p"), ..new_debate(1) };
    let created = test.store.write_debate(DebateWrite::Create(new)).await.unwrap();
    test.store.free_seat(freeing(Side::Opponent)).await.unwrap();
    assert_eq!(test.commits().len(), 1, "a seat that was free changes nothing");
    let freed = test.store.free_seat(freeing(Side::Proposer)).await.unwrap().debate;
    let commits = test.commits();
    assert_eq!(commits.len(), 2);
    assert_eq!((&commits[1].debate, &commits[1].argument), (&freed, &created.argument));
    assert!(commits[0].debate.version() < commits[1].debate.version());
}

#[rstest]
#[tokio::test]
async fn one_of_50_first_writes_takes_a_seat(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    // A SQLite file has one server.
    let other = match on {
        Backend::Sqlite => None,
        Backend::Postgres => Some(another_store(&test).await),
    };
    let motion = test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap().argument.id;
    let writes = (0..50).map(|number| {
        let store = other.as_ref().filter(|_| number % 2 == 1).unwrap_or(&test.store);
        store.write_debate(claim_with(numbered_key(number), Side::Opponent, motion, &format!("r{number}")))
    });
    let outcomes = join_all(writes).await;
    let winners: Vec<_> = (0..50).filter(|number| outcomes[*number].is_ok()).collect();
    assert_eq!(winners.len(), 1, "{outcomes:?}");
    for (number, outcome) in outcomes.into_iter().enumerate() {
        if number != winners[0] {
            assert_taken(outcome, Side::Opponent);
        }
    }
    assert_eq!(stored(&test.store).await.seats, Seats { proposer: None, opponent: numbered_key(winners[0]) });
    if let Some(other) = other {
        other.close().await;
    }
}

#[tokio::test]
async fn the_cache_of_one_server_does_not_undo_what_another_one_freed() {
    let test = TestStore::open(Backend::Postgres).await;
    let peer = another_store(&test).await;
    let new = NewDebate { seat_key: key("p"), ..new_debate(1) };
    let motion = test.store.write_debate(DebateWrite::Create(new)).await.unwrap().argument.id;
    let first = test.store.write_debate(claim_with(key("o"), Side::Opponent, motion, "a")).await.unwrap().argument.id;

    // This server's cache still has both holders, and a write of the proposer would write both seats back.
    peer.free_seat(freeing(Side::Opponent)).await.unwrap();
    let second = test.store.write_debate(claim_with(key("p"), Side::Proposer, first, "b")).await.unwrap();
    assert_eq!(second.debate.seats, Seats { proposer: key("p"), opponent: None });
    assert_eq!(stored(&peer).await, second.debate);

    // Freed and taken by another key elsewhere: the key in this server's cache is no longer the right one.
    let target = second.argument.id;
    let third = test.store.write_debate(claim_with(key("o"), Side::Opponent, target, "c")).await.unwrap().argument.id;
    peer.free_seat(freeing(Side::Proposer)).await.unwrap();
    let fourth = peer.write_debate(claim_with(key("x"), Side::Proposer, third, "d")).await.unwrap();
    assert_taken(test.store.write_debate(claim_with(key("p"), Side::Proposer, third, "e")).await, Side::Proposer);
    // Freed elsewhere: another key than the one in this server's cache takes it.
    peer.free_seat(freeing(Side::Opponent)).await.unwrap();
    let target = fourth.argument.id;
    let fifth = test.store.write_debate(claim_with(key("y"), Side::Opponent, target, "f")).await.unwrap();
    assert_eq!(fifth.debate.seats, Seats { proposer: key("x"), opponent: key("y") });
    assert_eq!(stored(&peer).await, fifth.debate);
    verify(&test.location()).await.unwrap();
    peer.close().await;
}

#[rstest]
#[tokio::test]
async fn a_seat_is_freed_in_the_order_of_the_batch(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    let new = NewDebate { seat_key: key("p"), ..new_debate(1) };
    let motion = test.store.write_debate(DebateWrite::Create(new)).await.unwrap().argument.id;
    let answer = test.store.write_debate(claim_with(None, Side::Opponent, motion, "a")).await.unwrap().argument.id;
    let (queue, mut batches) = batch_queue::open(batch_limits::MAX_BATCH_WRITES, CancellationToken::new());
    let batch = async {
        tokio::join!(
            queue.write(claim_with(key("x"), Side::Proposer, answer, "b")),
            queue.write(freeing(Side::Proposer)),
            queue.write(claim_with(key("x"), Side::Proposer, answer, "b")),
        )
    };
    let storing = async {
        let mut batch = batches.next().await.unwrap();
        assert_eq!(batch.len(), 3);
        let writer = test.writer();
        let connection = writer.pool.current();
        let stored = batch_transaction::store(
            &connection,
            writer.clock_and_ids,
            &writer.caches,
            &writer.message_writer,
            &mut batch,
        );
        let commits = stored.await.unwrap();
        batch.into_iter().for_each(batch_queue::QueuedWrite::answer);
        commits
    };
    let ((before, freed, after), commits) = tokio::join!(batch, storing);
    assert_taken(before, Side::Proposer);
    assert!(freed.unwrap().was_taken);
    let after = after.unwrap();
    assert_eq!(after.debate.seats, Seats { proposer: key("x"), opponent: None });
    assert_eq!(commits.last().map(|commit| commit.debate.version()), Some(after.debate.version()));
    assert_eq!(stored(&test.store).await, after.debate);
    verify(&test.location()).await.unwrap();
}
