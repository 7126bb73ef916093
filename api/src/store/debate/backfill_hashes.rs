//! Computes the hashes of debates that were stored before migration m0003 added them.

use entity::{argument, debate};
use sea_orm::{
    ColumnTrait, DatabaseConnection, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::Expr,
};

use super::{
    row_errors::{ARGUMENTS, DEBATES},
    rows,
};
use crate::{
    domain::{DebateId, Hash},
    store::{
        backend::begin_write,
        decoded::Decoded,
        error::{InconsistentRow, RowName, StoreError},
    },
};

/// A placeholder, so that rows without a hash can be read.
const NO_HASH: [u8; 32] = [0; 32];

/// Sets all missing hashes of arguments and debates.
pub(in crate::store) async fn backfill_hashes(connection: &DatabaseConnection) -> Result<(), DbErr> {
    loop {
        let transaction = begin_write(connection).await?;
        let without_hash = debate::Entity::find().select_only().column(debate::Column::Id);
        let without_hash = without_hash.filter(debate::Column::Head.is_null()).order_by_asc(debate::Column::Id);
        let Some(id) = without_hash.limit(1).into_tuple().one(&transaction).await? else {
            return transaction.rollback().await;
        };
        let id = DebateId(id);
        match backfill_debate(&transaction, id).await {
            Ok(head) => {
                set_head(&transaction, id, head).await?;
                transaction.commit().await?;
            }
            Err(StoreError::Inconsistent(fault)) => {
                tracing::warn!(%fault, "a debate has an impossible row, so its hashes cannot be computed");
                // With a wrong hash, verify reports the debate, and the next start does not try again.
                set_head(&transaction, id, Hash::from_bytes(&NO_HASH)).await?;
                transaction.commit().await?;
            }
            Err(StoreError::Unexpected(error)) => return Err(error),
            Err(StoreError::Unavailable(error)) => return Err(DbErr::Custom(error)),
        }
    }
}

async fn backfill_debate(transaction: &DatabaseTransaction, id: DebateId) -> Result<Option<Hash>, StoreError> {
    let debate = debate::Entity::find_by_id(id.0).into_model::<Decoded<debate::Model>>().one(transaction).await?;
    let Some(Decoded(row)) = debate else { return Ok(Hash::from_bytes(&NO_HASH)) };
    let undecodable = |table, name, error: DbErr| InconsistentRow::undecodable(table, name, &error);
    let mut row = row.map_err(|error| undecodable(DEBATES, RowName::Debate(id.0, None), error))?;
    row.head = Some(NO_HASH.into());
    let mut head = Hash::of_debate(&rows::debate(row)?);
    let arguments = argument::Entity::find()
        .filter(argument::Column::DebateId.eq(id.0))
        .order_by_asc(argument::Column::Seq)
        .into_model::<Decoded<argument::Model>>()
        .all(transaction)
        .await?;
    for Decoded(row) in arguments {
        let mut row = row.map_err(|error| undecodable(ARGUMENTS, RowName::Other("of a debate".to_owned()), error))?;
        // Migration m0003 leaves none: somebody removed the head of this debate.
        if row.hash.is_some() {
            return Ok(Hash::from_bytes(&NO_HASH));
        }
        row.hash = Some(NO_HASH.into());
        let argument = rows::unchecked_argument(row)?.with_hash_after(head);
        head = argument.hash;
        argument::Entity::update_many()
            .col_expr(argument::Column::Hash, Expr::value(head.as_bytes()))
            .filter(argument::Column::Id.eq(argument.id.0))
            .exec(transaction)
            .await?;
    }
    Ok(Some(head))
}

async fn set_head(transaction: &DatabaseTransaction, id: DebateId, head: Option<Hash>) -> Result<(), DbErr> {
    let head = head.map(|head| head.as_bytes().to_owned());
    debate::Entity::update_many()
        .col_expr(debate::Column::Head, Expr::value(head))
        .filter(debate::Column::Id.eq(id.0))
        .exec(transaction)
        .await?;
    Ok(())
}
