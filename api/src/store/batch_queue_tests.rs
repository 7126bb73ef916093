//! How the queue makes batches. These tests are not in `queue.rs`, as the model checks compile that file once more.

use std::pin::pin;

use futures_util::{FutureExt, poll};
use tokio::task::unconstrained;
use tokio_util::sync::CancellationToken;

use super::{
    DocumentWrite, DocumentWritten,
    batch_limits::MAX_BATCH_BYTES,
    batch_queue::{self, Queue, QueuedWrite},
};
use crate::domain::{Content, DocumentText, Metadata, NewDocument, Summary, TextRule, Unit};

const CAPACITY: usize = 1024;

fn document(bytes: usize) -> DocumentWrite {
    let rule = TextRule { limit: bytes, unit: Unit::Bytes, may_be_empty: true };
    let content = Content::parse("x".repeat(bytes), rule).unwrap();
    let text = DocumentText::new(Summary::parse(String::new()).unwrap(), content, Metadata::default());
    DocumentWrite::Create(NewDocument { text: text.into(), request_id: None })
}

/// Queues a write and does not wait for its outcome.
fn enqueue(queue: &Queue, bytes: usize) {
    let written = unconstrained(queue.write::<_, DocumentWritten>(document(bytes)));
    assert!(written.now_or_never().is_none());
}

/// The number of writes in each batch, for writes with this much content.
async fn batches(bytes: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let stop = CancellationToken::new();
    let (queue, mut batches) = batch_queue::open(CAPACITY, stop.clone());
    bytes.into_iter().for_each(|bytes| enqueue(&queue, bytes));
    stop.cancel();
    let mut lengths = Vec::new();
    while let Some(batch) = batches.next().await {
        lengths.push(batch.len());
    }
    lengths
}

#[tokio::test]
async fn a_batch_is_limited_in_writes_and_in_bytes() {
    assert_eq!(batches([0; 600]).await, [256, 256, 88]);
    assert_eq!(batches([MAX_BATCH_BYTES / 2; 5]).await, [2, 2, 1]);
    assert_eq!(batches([1, MAX_BATCH_BYTES, 1, 1]).await, [2, 2]);
    assert_eq!(batches([2 * MAX_BATCH_BYTES, 1]).await, [1, 1], "a write over the limit has a batch of its own");
}

#[tokio::test]
async fn a_batch_waits_for_more_writes_only_if_the_last_one_had_several() {
    let (queue, mut batches) = batch_queue::open(CAPACITY, CancellationToken::new());
    let len = |batch: Option<Vec<QueuedWrite>>| batch.map(|batch| batch.len());
    for _ in 0..2 {
        enqueue(&queue, 1);
        assert_eq!(batches.next().now_or_never().map(len), Some(Some(1)), "a single write waited");
    }

    enqueue(&queue, 1);
    enqueue(&queue, 1);
    assert_eq!(len(batches.next().await), Some(2));

    enqueue(&queue, 1);
    let mut next = pin!(batches.next());
    assert!(poll!(next.as_mut()).is_pending(), "did not wait for a second write");
    enqueue(&queue, 1);
    assert_eq!(len(next.await), Some(2));
}
