//! Stores a batch of writes in one transaction.
//!
//! Each write is decided in memory, on top of what the batch loaded and of the writes before it; a refused write changes
//! nothing. The accepted ones become one list of statements. Whatever else has to be stored with an argument belongs into
//! that list, by way of [`DebateBatch`].

use std::{sync::Arc, time::Instant};

use sea_orm::DatabaseConnection;

use super::{
    ClockAndIds, Commit, DebateWrite, MessageWriter,
    backend::{self, begin_write},
    batch_queue::QueuedWrite,
    debate::{Caches, DebateBatch, DebateChange},
    document::{self, DocumentBatch, VersionHashes},
    error::StoreError,
    guarded_statement::{GuardedStatement, execute_all},
    write_metrics,
};
use crate::domain::{DebateId, cited_versions};

/// What the decided writes store.
struct Decided {
    statements: Vec<GuardedStatement>,
    changes: Vec<DebateChange>,
    commits: Vec<Arc<Commit>>,
}

/// Sets the outcome of each write and returns the commits in order. On an error nothing is stored, except that a failed
/// COMMIT may have stored everything.
pub(super) async fn store(
    connection: &DatabaseConnection,
    clock_and_ids: ClockAndIds,
    caches: &Caches,
    message_writer: &MessageWriter,
    writes: &mut [QueuedWrite],
) -> Result<Vec<Arc<Commit>>, StoreError> {
    clock_and_ids.check()?;
    // Outside of the transaction, since versions neither change nor disappear.
    let cited = debate_writes(writes).flat_map(|write| cited_versions(write.text())).collect();
    let cited = document::hashes(connection, cited).await?;
    let started = Instant::now();
    match store_from_cache(connection, clock_and_ids, caches, message_writer, cited.clone(), writes).await {
        Ok(Some(commits)) => {
            write_metrics::count_commit(writes, started);
            return Ok(commits);
        }
        Ok(None) => {}
        Err(StoreError::Unexpected(error)) => tracing::debug!(%error, "the debate cache is outdated"),
        Err(error) => return Err(error),
    }
    let transaction = begin_write(connection).await?;
    let (debates, freed) = (debate_writes(writes), freed_seats(writes));
    let debates = DebateBatch::from_db(&transaction, &caches.faulty, clock_and_ids, cited, debates, freed).await?;
    let plans = debates.plan_requests(debate_writes(writes));
    let documents = DocumentBatch::from_db(&transaction, clock_and_ids, writes, plans).await?;
    let decided = decide(connection, debates, documents, message_writer, writes)?;
    if decided.statements.is_empty() {
        transaction.rollback().await?;
        return Ok(decided.commits);
    }
    execute_all(&transaction, decided.statements).await?;
    caches.debates.invalidate_changed(&decided.changes);
    transaction.commit().await?;
    write_metrics::count_commit(writes, started);
    Ok(cached(caches, decided.changes, decided.commits))
}

/// Stores the writes without reading anything, if all of them go to cached debates without a plan and are accepted; none if not. Most are,
/// and reading first would make a wake-up take a tenth longer, on PostgreSQL a third.
///
/// Accepting from the cache is safe: if a cached debate is outdated, or if a request was stored before, the unique
/// constraints and the guarded update make the statements fail. Refusals are decided again on what the database has.
async fn store_from_cache(
    connection: &DatabaseConnection,
    clock_and_ids: ClockAndIds,
    caches: &Caches,
    message_writer: &MessageWriter,
    cited: VersionHashes,
    writes: &mut [QueuedWrite],
) -> Result<Option<Vec<Arc<Commit>>>, StoreError> {
    let needs_no_documents =
        |write: &QueuedWrite| matches!(write, QueuedWrite::Debate(pending) if pending.write.plan().is_none());
    if !writes.iter().all(needs_no_documents) {
        return Ok(None);
    }
    let debates = DebateBatch::from_cache(caches, clock_and_ids, cited, debate_writes(writes));
    let Some(debates) = debates else { return Ok(None) };
    let decided = decide(connection, debates, DocumentBatch::empty(clock_and_ids), message_writer, writes)?;
    if !writes.iter().all(QueuedWrite::is_accepted) {
        return Ok(None);
    }
    caches.debates.invalidate_changed(&decided.changes);
    backend::execute_in_transaction(connection, decided.statements).await?;
    Ok(Some(cached(caches, decided.changes, decided.commits)))
}

/// The writes to debates.
fn debate_writes(writes: &[QueuedWrite]) -> impl Iterator<Item = &DebateWrite> + Clone {
    writes.iter().filter_map(|write| match write {
        QueuedWrite::Debate(pending) => Some(&pending.write),
        QueuedWrite::SeatFreeing(_) | QueuedWrite::Document(_) | QueuedWrite::DocumentDeletion(_) => None,
    })
}

/// The debates of which seats are to be freed.
fn freed_seats(writes: &[QueuedWrite]) -> impl Iterator<Item = DebateId> + Clone {
    writes.iter().filter_map(|write| match write {
        QueuedWrite::SeatFreeing(pending) => Some(pending.write.debate_id),
        QueuedWrite::Debate(_) | QueuedWrite::Document(_) | QueuedWrite::DocumentDeletion(_) => None,
    })
}

fn decide(
    connection: &DatabaseConnection,
    mut debates: DebateBatch,
    mut documents: DocumentBatch,
    message_writer: &MessageWriter,
    writes: &mut [QueuedWrite],
) -> Result<Decided, StoreError> {
    for write in writes {
        match write {
            QueuedWrite::Debate(pending) => pending.set_outcome(debates.decide(&pending.write, &mut documents)),
            QueuedWrite::SeatFreeing(pending) => pending.set_outcome(debates.free_seat(pending.write)),
            QueuedWrite::Document(pending) => pending.set_outcome(documents.decide(&pending.write)),
            QueuedWrite::DocumentDeletion(pending) => pending.set_outcome(documents.delete(pending.write)),
        }
    }
    let commits = debates.commits();
    let mut statements = documents.into_statements(connection);
    statements.extend(message_writer.statements(connection, debates.added())?);
    let (debate_statements, changes) = debates.into_statements(connection)?;
    statements.extend(debate_statements);
    Ok(Decided { statements, changes, commits })
}

/// Puts what was committed into the caches.
fn cached(caches: &Caches, changes: Vec<DebateChange>, commits: Vec<Arc<Commit>>) -> Vec<Arc<Commit>> {
    commits.iter().for_each(|commit| caches.arguments.insert(&commit.debate, &commit.argument));
    changes.into_iter().for_each(|change| caches.debates.insert(change.to, change.ledger));
    commits
}
