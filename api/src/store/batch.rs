//! One transaction for many writes.

use sea_orm::DatabaseConnection;

use super::{
    Sources, Write, Written,
    backend::begin_write,
    debate::Desk,
    error::{StoreError, WriteError},
};

/// What became of each write of a batch, in the batch's order.
pub(super) type Outcomes = Vec<Result<Written, WriteError>>;

/// Carries out `writes` in one transaction. A refusal of one harms no other; where the store fails, nothing is stored,
/// save that a failing commit leaves it open.
pub(super) async fn carry_out(
    connection: &DatabaseConnection,
    sources: Sources,
    writes: &[Write],
) -> Result<Outcomes, StoreError> {
    let transaction = begin_write(connection).await?;
    let mut desk = Desk::load(&transaction, sources, writes).await?;
    let outcomes: Outcomes = writes.iter().map(|write| desk.decide(write)).collect();
    if desk.is_unchanged() {
        transaction.rollback().await?;
    } else {
        desk.store(&transaction).await?;
        transaction.commit().await?;
    }
    Ok(outcomes)
}
