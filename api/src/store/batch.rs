//! One transaction for many writes.

use sea_orm::{DatabaseConnection, DatabaseTransaction};

use super::{
    DebateWrite, Sources, Written,
    backend::{begin_write, carry_out as carry_out_steps},
    debate::{self, Memory},
    document,
    error::{StoreError, WriteError},
    queue::{Outcomes, Writes},
    steps,
};

/// Carries out `writes` in one transaction. A refusal of one harms no other; where the store fails, nothing is stored,
/// save that a failing commit leaves it open.
///
/// Writes to debates that are in order, as most are, are decided on what is remembered, and the store only has to take
/// them. Where one is not, or the store does not take them, all are decided anew on what the store holds.
pub(super) async fn carry_out(
    connection: &DatabaseConnection,
    sources: Sources,
    memory: &Memory,
    writes: Writes<'_>,
) -> Result<Outcomes, StoreError> {
    if let Some(mut desk) = debate::Desk::recall(memory, sources, writes.debates) {
        let decided = decide(&mut desk, writes.debates);
        if decided.iter().all(Result::is_ok) {
            let stored = if writes.documents.is_empty() && writes.deletions.is_empty() {
                store_debates(connection, memory, desk, decided, writes.debates).await
            } else {
                store(begin_write(connection).await?, sources, memory, desk, decided, writes).await
            };
            match stored {
                Err(StoreError::Unexpected(error)) => tracing::debug!(%error, "what was remembered is outdated"),
                done => return done,
            }
        }
    }
    let transaction = begin_write(connection).await?;
    let mut desk = debate::Desk::load(&transaction, sources, writes.debates).await?;
    let decided = decide(&mut desk, writes.debates);
    store(transaction, sources, memory, desk, decided, writes).await
}

fn decide(desk: &mut debate::Desk, writes: &[DebateWrite]) -> Vec<Result<Written, WriteError>> {
    writes.iter().map(|write| desk.decide(write)).collect()
}

/// Stores what was decided about debates, where nothing else has to be.
async fn store_debates(
    connection: &DatabaseConnection,
    memory: &Memory,
    debates: debate::Desk,
    decided: Vec<Result<Written, WriteError>>,
    writes: &[DebateWrite],
) -> Result<Outcomes, StoreError> {
    let outcomes = Outcomes { debates: decided, ..Outcomes::default() };
    let (steps, changes) = debates.steps(connection)?;
    memory.step_back(&changes);
    match carry_out_steps(connection, steps).await {
        Ok(()) => {
            memory.learn(outcomes.commits(), changes);
            Ok(outcomes)
        }
        Err(error) => {
            memory.doubt(writes.iter().map(DebateWrite::debate_id));
            Err(error.into())
        }
    }
}

/// Stores what was decided about debates, and decides and stores the rest.
async fn store(
    transaction: DatabaseTransaction,
    sources: Sources,
    memory: &Memory,
    debates: debate::Desk,
    decided: Vec<Result<Written, WriteError>>,
    writes: Writes<'_>,
) -> Result<Outcomes, StoreError> {
    let storing = async {
        let mut documents = document::Desk::load(&transaction, sources, writes.documents, writes.deletions).await?;
        let outcomes = Outcomes {
            debates: decided,
            documents: writes.documents.iter().map(|write| documents.decide(write)).collect(),
            deletions: writes.deletions.iter().map(|id| documents.delete(*id)).collect(),
        };
        if debates.is_unchanged() && documents.is_unchanged() {
            transaction.rollback().await?;
            return Ok((outcomes, Vec::new()));
        }
        let (steps, changes) = debates.steps(&transaction)?;
        steps::carry_out(&transaction, steps).await?;
        documents.store(&transaction).await?;
        memory.step_back(&changes);
        transaction.commit().await?;
        Ok((outcomes, changes))
    };
    match storing.await {
        Ok((outcomes, changes)) => {
            memory.learn(outcomes.commits(), changes);
            Ok(outcomes)
        }
        Err(error) => {
            memory.doubt(writes.debates.iter().map(DebateWrite::debate_id));
            Err(error)
        }
    }
}
