//! Works out the hashes of arguments that were stored before there were any.

use entity::{argument, debate};
use sea_orm::{
    ColumnTrait, DatabaseConnection, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::Expr,
};

use super::rows;
use crate::{
    domain::{DebateId, Hash},
    store::{backend::begin_write, error::StoreError},
};

/// What a row without a hash is read with.
const NONE_YET: [u8; 32] = [0; 32];

/// Gives every argument and every debate the hash that it lacks.
pub(in crate::store) async fn seal(connection: &DatabaseConnection) -> Result<(), DbErr> {
    loop {
        let transaction = begin_write(connection).await?;
        let open = debate::Entity::find().filter(debate::Column::Head.is_null()).order_by_asc(debate::Column::Id);
        let Some(row) = open.limit(1).one(&transaction).await? else { return transaction.rollback().await };
        let id = DebateId(row.id);
        match seal_debate(&transaction, row).await {
            Ok(head) => {
                set(&transaction, id, head).await?;
                transaction.commit().await?;
            }
            Err(StoreError::Inconsistent(fault)) => {
                tracing::warn!(%fault, "a debate cannot be read, and so not be sealed");
                // Its hash is wrong, as it is itself; whoever reads it is told so.
                set(&transaction, id, Hash::from_bytes(&NONE_YET)).await?;
                transaction.commit().await?;
            }
            Err(StoreError::Unexpected(error)) => return Err(error),
            Err(StoreError::Unavailable(error)) => return Err(DbErr::Custom(error)),
        }
    }
}

async fn seal_debate(transaction: &DatabaseTransaction, mut row: debate::Model) -> Result<Option<Hash>, StoreError> {
    row.head = Some(NONE_YET.into());
    let mut head = Hash::of_debate(&rows::debate(row.clone())?);
    let arguments = argument::Entity::find()
        .filter(argument::Column::DebateId.eq(row.id))
        .order_by_asc(argument::Column::Seq)
        .all(transaction)
        .await?;
    for mut row in arguments {
        row.hash = Some(NONE_YET.into());
        let argument = rows::argument(row)?.with_hash_after(head);
        head = argument.hash;
        argument::Entity::update_many()
            .col_expr(argument::Column::Hash, Expr::value(head.as_bytes()))
            .filter(argument::Column::Id.eq(argument.id.0))
            .exec(transaction)
            .await?;
    }
    Ok(Some(head))
}

async fn set(transaction: &DatabaseTransaction, id: DebateId, head: Option<Hash>) -> Result<(), DbErr> {
    let head = head.map(|head| head.as_bytes().to_owned());
    debate::Entity::update_many()
        .col_expr(debate::Column::Head, Expr::value(head))
        .filter(debate::Column::Id.eq(id.0))
        .exec(transaction)
        .await?;
    Ok(())
}
