//! Statements that change something, each of which has to change as much as it should.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Statement};

/// A statement that changes something.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub statement: Statement,
    /// How many rows it has to change, where others may have kept it from that
    pub rows: Option<u64>,
}

impl From<Statement> for Step {
    fn from(statement: Statement) -> Self {
        Self { statement, rows: None }
    }
}

/// Carries out steps, one after another, until one fails.
///
/// # Errors
/// [`DbErr::RecordNotUpdated`] where one changed other than what it had to.
pub(super) async fn carry_out(transaction: &DatabaseTransaction, steps: Vec<Step>) -> Result<(), DbErr> {
    for Step { statement, rows } in steps {
        let changed = transaction.execute_raw(statement).await?.rows_affected();
        if rows.is_some_and(|rows| rows != changed) {
            return Err(DbErr::RecordNotUpdated);
        }
    }
    Ok(())
}
