//! One transaction for many writes.

use std::sync::Arc;

use sea_orm::{DatabaseConnection, DatabaseTransaction};

use super::{
    Commit, Sources, Write, Written,
    backend::begin_write,
    debate::{Desk, Memory},
    error::{StoreError, WriteError},
};

/// What became of each write of a batch, in the batch's order.
pub(super) type Outcomes = Vec<Result<Written, WriteError>>;

/// Carries out `writes` in one transaction. A refusal of one harms no other; where the store fails, nothing is stored,
/// save that a failing commit leaves it open.
///
/// Writes that are in order, as most are, are decided on what is remembered, and the store only has to take them. Where
/// one is not, or the store does not take them, all are decided anew on what the store holds.
pub(super) async fn carry_out(
    connection: &DatabaseConnection,
    sources: Sources,
    memory: &Memory,
    writes: &[Write],
) -> Result<Outcomes, StoreError> {
    if let Some(mut desk) = Desk::recall(memory, sources, writes) {
        let outcomes = decide(&mut desk, writes);
        if outcomes.iter().all(Result::is_ok) {
            let transaction = begin_write(connection).await?;
            match store(transaction, memory, desk, writes, &outcomes).await {
                Ok(()) => return Ok(outcomes),
                Err(StoreError::Unexpected(error)) => tracing::debug!(%error, "what was remembered is outdated"),
                Err(error) => return Err(error),
            }
        }
    }
    let transaction = begin_write(connection).await?;
    let mut desk = Desk::load(&transaction, sources, writes).await?;
    let outcomes = decide(&mut desk, writes);
    if desk.is_unchanged() {
        transaction.rollback().await?;
    } else {
        store(transaction, memory, desk, writes, &outcomes).await?;
    }
    Ok(outcomes)
}

fn decide(desk: &mut Desk, writes: &[Write]) -> Outcomes {
    writes.iter().map(|write| desk.decide(write)).collect()
}

async fn store(
    transaction: DatabaseTransaction,
    memory: &Memory,
    desk: Desk,
    writes: &[Write],
    outcomes: &Outcomes,
) -> Result<(), StoreError> {
    let stored = async {
        let changes = desk.store(&transaction).await?;
        transaction.commit().await?;
        Ok(changes)
    };
    match stored.await {
        Ok(changes) => {
            memory.learn(commits(outcomes), changes);
            Ok(())
        }
        Err(error) => {
            memory.doubt(writes.iter().map(Write::debate_id));
            Err(error)
        }
    }
}

/// What was stored, in order.
pub(super) fn commits(outcomes: &Outcomes) -> impl Iterator<Item = &Arc<Commit>> {
    outcomes.iter().flatten().filter(|written| !written.replayed).map(|written| &written.commit)
}
