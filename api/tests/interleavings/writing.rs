//! The queue answers every write once, with its own outcome.

use std::{collections::HashMap, sync::Arc};

use chrono::DateTime;
use futures_util::FutureExt;
use shuttle::{
    future::{JoinHandle, block_on, spawn, yield_now},
    sync::Mutex,
};
use tokio_util::sync::CancellationToken;

use crate::{
    batch_queue::{self, Batches, Queue, QueuedWrite},
    domain::{DebateId, Document, DocumentId, Ledger, Summary},
    fixtures::{created, document_id, new_debate},
    in_every_order, in_many_orders,
    store::{DebateWrite, DebateWritten, DocumentDeleted, StoreError, WriteError},
};

/// How often each write was stored, by number.
type Stored = Arc<Mutex<HashMap<u128, usize>>>;

fn number(write: &QueuedWrite) -> u128 {
    match write {
        QueuedWrite::Debate(pending) => pending.write.debate_id().0.as_u128(),
        QueuedWrite::DocumentDeletion(pending) => pending.write.0.as_u128(),
        QueuedWrite::Document(_) | QueuedWrite::SeatFreeing(_) => panic!("no test writes documents or frees seats"),
    }
}

fn deleted(id: DocumentId) -> DocumentDeleted {
    let now = DateTime::UNIX_EPOCH;
    let summary = Summary::parse(String::new()).unwrap();
    let title = summary.clone();
    let document =
        Document { id, title, latest_version: 1, summary, created_at: now, updated_at: now, deleted_at: Some(now) };
    DocumentDeleted { document, replayed: false }
}

/// Stores all writes, until the queue is closed.
async fn store_all(mut batches: Batches, stored: Stored) {
    while let Some(mut batch) = batches.next().await {
        yield_now().await;
        let mut stored = stored.lock().unwrap();
        for write in &mut batch {
            *stored.entry(number(write)).or_default() += 1;
            match write {
                QueuedWrite::Debate(pending) => {
                    let commit = created(pending.write.debate_id());
                    let (debate, argument) = (commit.debate, commit.argument);
                    let written = DebateWritten {
                        debate,
                        argument,
                        replayed: false,
                        previous_hash: None,
                        ledger: Ledger::default(),
                        unknown_citations: Vec::new(),
                        unseen_citations: None,
                    };
                    pending.set_outcome(Ok(written));
                }
                QueuedWrite::DocumentDeletion(pending) => pending.set_outcome(Ok(deleted(pending.write))),
                QueuedWrite::Document(_) | QueuedWrite::SeatFreeing(_) => {
                    panic!("no test writes documents or frees seats")
                }
            }
        }
        drop(stored);
        batch.into_iter().for_each(QueuedWrite::answer);
    }
}

/// Queues a write by number and returns the number in its outcome: debates have odd numbers, deletions even ones.
async fn write(queue: Arc<Queue>, number: u128) -> Result<u128, WriteError> {
    if number % 2 == 1 {
        let create = DebateWrite::Create(new_debate(DebateId(document_id(number).0)));
        let written: DebateWritten = queue.write(create).await?;
        Ok(written.debate.id.0.as_u128())
    } else {
        let deleted: DocumentDeleted = queue.write(document_id(number)).await?;
        Ok(deleted.document.id.0.as_u128())
    }
}

/// Checks that each caller got the outcome of its own write.
fn check_outcomes(callers: Vec<JoinHandle<Result<u128, WriteError>>>, stored: &Stored) {
    for (number, caller) in callers.into_iter().enumerate() {
        let (number, outcome) = (number as u128, block_on(caller).unwrap());
        let times = stored.lock().unwrap().get(&number).copied().unwrap_or_default();
        match outcome {
            Ok(own) => assert_eq!((own, times), (number, 1), "another outcome, or not stored once"),
            Err(WriteError::Store(StoreError::Unavailable(_))) => {
                assert_eq!(times, 0, "stored, but reported as failed")
            }
            Err(other) => panic!("unexpected error {other}"),
        }
    }
}

/// Several callers write while the queue is stopped; the last of them goes away.
fn write_while_stopping(callers: u128, capacity: usize) {
    let (stop, stored) = (CancellationToken::new(), Stored::default());
    let (queue, batches) = batch_queue::open(capacity, stop.clone());
    let queue = Arc::new(queue);
    let writer = spawn(store_all(batches, stored.clone()));
    let mut callers: Vec<_> = (0..callers).map(|number| spawn(write(queue.clone(), number))).collect();
    let aborted = callers.pop().unwrap();
    let stopping = spawn({
        let stop = stop.clone();
        async move { stop.cancel() }
    });
    aborted.abort();
    let _ = block_on(aborted);
    check_outcomes(callers, &stored);
    block_on(stopping).unwrap();
    block_on(writer).unwrap();
    assert!(stored.lock().unwrap().values().all(|times| *times == 1), "a write was stored twice");
}

#[test]
fn every_write_is_answered_once_also_while_the_queue_stops_and_callers_go_away() {
    in_many_orders("three write, one goes away, the queue stops", || write_while_stopping(4, 2));
}

#[test]
fn a_write_while_the_queue_stops_is_answered_in_every_order() {
    in_every_order("one writes while the queue stops", || {
        let (stop, stored) = (CancellationToken::new(), Stored::default());
        let (queue, batches) = batch_queue::open(1, stop.clone());
        let caller = spawn(write(Arc::new(queue), 0));
        let writer = spawn(store_all(batches, stored.clone()));
        stop.cancel();
        check_outcomes(vec![caller], &stored);
        block_on(writer).unwrap();
    });
}

#[test]
fn what_was_queued_before_the_queue_stopped_is_stored() {
    in_many_orders("three wrote before the queue stops, one writes later", || {
        let (stop, stored) = (CancellationToken::new(), Stored::default());
        let (queue, batches) = batch_queue::open(3, stop.clone());
        let queue = Arc::new(queue);
        let mut early: Vec<_> = (0..3).map(|number| Box::pin(write(queue.clone(), number))).collect();
        assert!(early.iter_mut().all(|write| write.now_or_never().is_none()), "answered before it was stored");
        let late = spawn(write(queue, 3));
        let writer = spawn(store_all(batches, stored.clone()));
        stop.cancel();
        for (number, write) in early.into_iter().enumerate() {
            assert_eq!(block_on(write).unwrap(), number as u128);
        }
        let _ = block_on(late);
        block_on(writer).unwrap();
    });
}

#[test]
fn a_stopped_queue_takes_no_more_than_its_capacity() {
    in_many_orders("four write to a queue of two that has stopped", || {
        let (stop, stored) = (CancellationToken::new(), Stored::default());
        let (queue, batches) = batch_queue::open(2, stop.clone());
        let queue = Arc::new(queue);
        let callers: Vec<_> = (0..4).map(|number| spawn(write(queue.clone(), number))).collect();
        stop.cancel();
        block_on(store_all(batches, stored.clone()));
        check_outcomes(callers, &stored);
        let taken = stored.lock().unwrap().len();
        assert!(taken <= 2, "{taken} were taken");
    });
}

#[test]
#[should_panic(expected = "stored, but reported as failed")]
fn control_a_writer_that_does_not_answer_is_found() {
    in_many_orders("a writer forgets to answer", || {
        let (stop, stored) = (CancellationToken::new(), Stored::default());
        let (queue, mut batches) = batch_queue::open(1, stop.clone());
        let caller = spawn(write(Arc::new(queue), 0));
        spawn({
            let stored = stored.clone();
            async move {
                while let Some(batch) = batches.next().await {
                    stored.lock().unwrap().extend(batch.iter().map(|write| (number(write), 1)));
                }
            }
        });
        check_outcomes(vec![caller], &stored);
    });
}
