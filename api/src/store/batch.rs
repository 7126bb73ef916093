//! Stores a batch of writes in one transaction.
//!
//! Each write is decided in memory, on what the batch loaded and on the writes before it; a refused write leaves nothing
//! behind. What was accepted becomes a list of statements. Whatever else is to be stored together with an argument belongs
//! into that list, see [`DebateBatch`](debate::DebateBatch).

use std::sync::Arc;

use sea_orm::DatabaseConnection;

use super::{
    Commit, DebateWrite,
    backend::{self, begin_write},
    debate::{DebateBatch, DebateChange},
    document::DocumentBatch,
    error::StoreError,
    guarded::{self, GuardedStatement},
    queue::{Pending, QueuedWrite},
    writer::Writer,
};

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
    writer: &Writer,
    writes: &mut [QueuedWrite],
) -> Result<Vec<Arc<Commit>>, StoreError> {
    match store_from_cache(connection, writer, writes).await {
        Ok(Some(commits)) => return Ok(commits),
        Ok(None) => {}
        Err(StoreError::Unexpected(error)) => tracing::debug!(%error, "the debate cache is outdated"),
        Err(error) => return Err(error),
    }
    let transaction = begin_write(connection).await?;
    let debates = DebateBatch::from_db(&transaction, writer.clock_and_ids, debate_writes(writes)).await?;
    let documents = DocumentBatch::from_db(&transaction, writer.clock_and_ids, writes).await?;
    let decided = decide(connection, debates, documents, writes)?;
    if decided.statements.is_empty() {
        transaction.rollback().await?;
        return Ok(decided.commits);
    }
    guarded::execute_all(&transaction, decided.statements).await?;
    writer.debate_cache.invalidate_changed(&decided.changes);
    transaction.commit().await?;
    Ok(cached(writer, decided.changes, decided.commits))
}

/// Stores the writes if all of them go to cached debates and are accepted; none if not.
///
/// Only accepting is safe here: a cached debate may be outdated, and the cache knows no earlier request ids. The unique
/// constraints and the guarded update then make the statements fail.
async fn store_from_cache(
    connection: &DatabaseConnection,
    writer: &Writer,
    writes: &mut [QueuedWrite],
) -> Result<Option<Vec<Arc<Commit>>>, StoreError> {
    if !writes.iter().all(|write| matches!(write, QueuedWrite::Debate(_))) {
        return Ok(None);
    }
    let Some(debates) = DebateBatch::from_cache(&writer.debate_cache, writer.clock_and_ids, debate_writes(writes))
    else {
        return Ok(None);
    };
    let decided = decide(connection, debates, DocumentBatch::empty(writer.clock_and_ids), writes)?;
    if debate_outcomes(writes).any(|accepted| !accepted) {
        return Ok(None);
    }
    writer.debate_cache.invalidate_changed(&decided.changes);
    backend::execute_in_transaction(connection, decided.statements).await?;
    Ok(Some(cached(writer, decided.changes, decided.commits)))
}

/// The writes to debates.
pub(super) fn debate_writes(writes: &[QueuedWrite]) -> impl Iterator<Item = &DebateWrite> + Clone {
    writes.iter().filter_map(|write| match write {
        QueuedWrite::Debate(Pending { write, .. }) => Some(write),
        QueuedWrite::Document(_) | QueuedWrite::DocumentDeletion(_) => None,
    })
}

fn debate_outcomes(writes: &[QueuedWrite]) -> impl Iterator<Item = bool> {
    writes.iter().map(|write| match write {
        QueuedWrite::Debate(pending) => pending.outcome().is_some_and(Result::is_ok),
        QueuedWrite::Document(_) | QueuedWrite::DocumentDeletion(_) => false,
    })
}

fn decide(
    connection: &DatabaseConnection,
    mut debates: DebateBatch,
    mut documents: DocumentBatch,
    writes: &mut [QueuedWrite],
) -> Result<Decided, StoreError> {
    for write in writes {
        match write {
            QueuedWrite::Debate(pending) => pending.set_outcome(debates.decide(&pending.write)),
            QueuedWrite::Document(pending) => pending.set_outcome(documents.decide(&pending.write)),
            QueuedWrite::DocumentDeletion(pending) => pending.set_outcome(documents.delete(pending.write)),
        }
    }
    let commits = debates.commits();
    let mut statements = documents.into_statements(connection);
    let (debate_statements, changes) = debates.into_statements(connection)?;
    statements.extend(debate_statements);
    Ok(Decided { statements, changes, commits })
}

/// Puts what was committed into the caches.
fn cached(writer: &Writer, changes: Vec<DebateChange>, commits: Vec<Arc<Commit>>) -> Vec<Arc<Commit>> {
    commits.iter().for_each(|commit| writer.argument_cache.insert(&commit.argument));
    changes.into_iter().for_each(|change| writer.debate_cache.insert(change.to));
    commits
}
