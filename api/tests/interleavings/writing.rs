//! Whatever is brought to the queue is answered once, by what became of it.

use std::{collections::HashMap, sync::Arc};

use chrono::DateTime;
use futures_util::FutureExt;
use shuttle::{
    future::{JoinHandle, block_on, spawn, yield_now},
    sync::Mutex,
};
use tokio_util::sync::CancellationToken;

use crate::{
    domain::{DebateId, Document, Summary},
    in_every_order, in_many_orders,
    queue::{self, Batches, Outcomes, Queue},
    store::{DebateWrite, StoreError, WriteError, Written},
    things::{document, new_debate, opened},
};

/// How often each write was carried out, by number.
type Stored = Arc<Mutex<HashMap<u128, usize>>>;

/// Carries out what comes, until nothing more does.
async fn carries_out(mut batches: Batches, stored: Stored) {
    while let Some(batch) = batches.next().await {
        yield_now().await;
        let mut outcomes = Outcomes::default();
        let mut stored = stored.lock().unwrap();
        for write in batch.writes().debates {
            let DebateWrite::Create(new) = write else { panic!("nobody brought {write:?}") };
            *stored.entry(new.id.0.as_u128()).or_default() += 1;
            let commit = Arc::new(opened(new.id));
            outcomes.debates.push(Ok(Written { commit, replayed: false, previous: None }));
        }
        for id in batch.writes().deletions {
            *stored.entry(id.0.as_u128()).or_default() += 1;
            let now = DateTime::UNIX_EPOCH;
            let summary = Summary::parse(String::new()).unwrap();
            let gone = Document {
                id: *id,
                latest_version: 1,
                summary,
                created_at: now,
                updated_at: now,
                deleted_at: Some(now),
            };
            outcomes.deletions.push(Ok(gone));
        }
        drop(stored);
        batch.answer(outcomes);
    }
}

/// Brings a write by number, one of the kinds that there are, and gives the number that was answered.
async fn brings(queue: Arc<Queue>, number: u128) -> Result<u128, WriteError> {
    if number % 2 == 1 {
        let written = queue.write(DebateWrite::Create(new_debate(DebateId(document(number).0)))).await?;
        Ok(written.commit.debate.id.0.as_u128())
    } else {
        Ok(queue.delete_document(document(number)).await?.id.0.as_u128())
    }
}

/// Whether each was told what became of its own write.
fn each_is_told(callers: Vec<JoinHandle<Result<u128, WriteError>>>, stored: &Stored) {
    for (number, caller) in callers.into_iter().enumerate() {
        let (number, told) = (number as u128, block_on(caller).unwrap());
        let times = stored.lock().unwrap().get(&number).copied().unwrap_or_default();
        match told {
            Ok(own) => assert_eq!((own, times), (number, 1), "not its own, or not once"),
            Err(WriteError::Store(StoreError::Unavailable(_))) => assert_eq!(times, 0, "told as not stored"),
            Err(other) => panic!("nobody said {other}"),
        }
    }
}

/// Several bring a write each, of whom the last goes away, while the queue is stopped.
fn some_write_while_it_stops(callers: u128, places: usize) {
    let (stop, stored) = (CancellationToken::new(), Stored::default());
    let (queue, batches) = queue::open(places, stop.clone());
    let queue = Arc::new(queue);
    let carrying = spawn(carries_out(batches, stored.clone()));
    let mut bringing: Vec<_> = (0..callers).map(|number| spawn(brings(queue.clone(), number))).collect();
    let gone = bringing.pop().unwrap();
    let stopping = spawn({
        let stop = stop.clone();
        async move { stop.cancel() }
    });
    gone.abort();
    let _ = block_on(gone);
    each_is_told(bringing, &stored);
    block_on(stopping).unwrap();
    block_on(carrying).unwrap();
    assert!(stored.lock().unwrap().values().all(|times| *times == 1), "one was carried out twice");
}

#[test]
fn every_write_is_answered_once_also_while_the_queue_stops_and_callers_go_away() {
    in_many_orders("three write, one goes away, the queue stops", || some_write_while_it_stops(4, 2));
}

#[test]
fn a_write_that_is_brought_while_the_queue_stops_is_answered_in_every_order() {
    in_every_order("one writes while the queue stops", || {
        let (stop, stored) = (CancellationToken::new(), Stored::default());
        let (queue, batches) = queue::open(1, stop.clone());
        let caller = spawn(brings(Arc::new(queue), 0));
        let carrying = spawn(carries_out(batches, stored.clone()));
        stop.cancel();
        each_is_told(vec![caller], &stored);
        block_on(carrying).unwrap();
    });
}

#[test]
fn what_was_taken_in_before_the_queue_stopped_comes_out() {
    in_many_orders("three wrote before the queue stops, one writes later", || {
        let (stop, stored) = (CancellationToken::new(), Stored::default());
        let (queue, batches) = queue::open(3, stop.clone());
        let queue = Arc::new(queue);
        let mut taken: Vec<_> = (0..3).map(|number| Box::pin(brings(queue.clone(), number))).collect();
        assert!(taken.iter_mut().all(|brought| brought.now_or_never().is_none()), "nobody carried it out yet");
        let later = spawn(brings(queue, 3));
        let carrying = spawn(carries_out(batches, stored.clone()));
        stop.cancel();
        for (number, brought) in taken.into_iter().enumerate() {
            assert_eq!(block_on(brought).unwrap(), number as u128);
        }
        let _ = block_on(later);
        block_on(carrying).unwrap();
    });
}

#[test]
fn no_more_than_there_are_places_for_is_taken_in() {
    in_many_orders("four write to two places of a queue that has stopped", || {
        let (stop, stored) = (CancellationToken::new(), Stored::default());
        let (queue, batches) = queue::open(2, stop.clone());
        let queue = Arc::new(queue);
        let bringing: Vec<_> = (0..4).map(|number| spawn(brings(queue.clone(), number))).collect();
        stop.cancel();
        block_on(carries_out(batches, stored.clone()));
        each_is_told(bringing, &stored);
        let taken = stored.lock().unwrap().len();
        assert!(taken <= 2, "{taken} were taken in");
    });
}

#[test]
#[should_panic(expected = "told as not stored")]
fn one_who_is_told_too_little_is_found_out() {
    in_many_orders("one who carries out forgets to answer", || {
        let (stop, stored) = (CancellationToken::new(), Stored::default());
        let (queue, mut batches) = queue::open(1, stop.clone());
        let caller = spawn(brings(Arc::new(queue), 0));
        spawn({
            let stored = stored.clone();
            async move {
                while let Some(batch) = batches.next().await {
                    stored.lock().unwrap().extend(batch.writes().deletions.iter().map(|id| (id.0.as_u128(), 1)));
                }
            }
        });
        each_is_told(vec![caller], &stored);
    });
}
