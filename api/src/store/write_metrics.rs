//! Counts writes for the metrics.

use std::time::Instant;

use super::{
    DebateWrite, DocumentWrite,
    batch_queue::{Pending, QueuedWrite},
    error::WriteError,
};
use crate::{
    domain::ArgumentType,
    prometheus_metrics::{self, WriteOutcome, WriteType},
};

/// Counts a write that has its final outcome.
pub(super) fn count(write: &QueuedWrite) {
    let (write_type, outcome) = type_and_outcome(write);
    prometheus_metrics::write(write_type, outcome);
}

/// Whether something was stored for this write.
pub(super) fn is_stored(write: &QueuedWrite) -> bool {
    matches!(type_and_outcome(write), (_, WriteOutcome::Stored))
}

/// Counts the transaction that stored what was accepted of these writes.
pub(super) fn count_commit(writes: &[QueuedWrite], started: Instant) {
    prometheus_metrics::commit(writes.iter().filter(|write| is_stored(write)).count(), started.elapsed());
}

fn type_and_outcome(write: &QueuedWrite) -> (WriteType, WriteOutcome) {
    match write {
        QueuedWrite::Debate(pending) => {
            let argument_type = match &pending.write {
                DebateWrite::Create(_) => ArgumentType::Motion,
                DebateWrite::Submit(submission) => submission.kind.argument_type(),
            };
            (WriteType::Argument(argument_type), outcome(pending, |written| written.replayed))
        }
        QueuedWrite::SeatFreeing(pending) => (WriteType::SeatFreeing, outcome(pending, |freed| !freed.was_taken)),
        QueuedWrite::Document(pending) => {
            let write_type = match &pending.write {
                DocumentWrite::Create(_) => WriteType::Document,
                DocumentWrite::Submit(_) => WriteType::DocumentVersion,
            };
            (write_type, outcome(pending, |written| written.replayed))
        }
        QueuedWrite::DocumentDeletion(pending) => {
            (WriteType::DocumentDeletion, outcome(pending, |deleted| deleted.replayed))
        }
    }
}

fn outcome<W, T>(pending: &Pending<W, T>, is_replayed: impl FnOnce(&T) -> bool) -> WriteOutcome {
    match pending.outcome() {
        Some(Ok(written)) if is_replayed(written) => WriteOutcome::Replayed,
        Some(Ok(_)) => WriteOutcome::Stored,
        Some(Err(WriteError::Store(_))) | None => WriteOutcome::Failed,
        Some(Err(
            WriteError::Refused(_)
            | WriteError::DebateNotFound(_)
            | WriteError::DocumentMissing(_)
            | WriteError::DebateExists(_)
            | WriteError::SeatTaken(_)
            | WriteError::IdempotencyConflict(_),
        )) => WriteOutcome::Refused,
    }
}
