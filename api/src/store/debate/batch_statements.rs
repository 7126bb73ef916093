//! The SQL of a batch of writes to debates.

use std::sync::LazyLock;

use entity::{argument, debate};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, Iden,
    IntoActiveModel, Iterable, QueryFilter, QueryOrder, QuerySelect, Value,
};
use uuid::Uuid;

use super::select::{self, ArgumentRow, DebateRow, PREVIOUS, PREVIOUS_HASH};
use crate::store::{
    backend::{placeholders, select_by_pairs},
    decoded::Decoded,
    guarded_statement::GuardedStatement,
    padded_ids::padded,
};

/// The rows of these debates, locked until the transaction ends.
pub(super) async fn lock_debates(transaction: &DatabaseTransaction, ids: Vec<Uuid>) -> Result<Vec<DebateRow>, DbErr> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    debate::Entity::find()
        .filter(debate::Column::Id.is_in(padded(ids)))
        // All servers lock debates in this order, so that they cannot deadlock.
        .order_by_asc(debate::Column::Id)
        .lock_exclusive()
        .into_model()
        .all(transaction)
        .await
}

/// The arguments that have the value that comes with their debate in a column. Some may come twice.
pub(super) async fn find_in_debates<T: Into<Value> + Clone>(
    transaction: &DatabaseTransaction,
    column: argument::Column,
    places: Vec<(Uuid, T)>,
) -> Result<Vec<ArgumentRow>, DbErr> {
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT arguments.*, {PREVIOUS_HASH} AS {PREVIOUS} FROM (VALUES {{}}) AS places JOIN arguments \
         ON arguments.debate_id = places.column1 AND arguments.{} = places.column2",
        column.unquoted()
    );
    ArgumentRow::find_by_statement(select_by_pairs(transaction, &sql, places)).all(transaction).await
}

/// These arguments.
pub(super) async fn find_arguments(
    transaction: &DatabaseTransaction,
    ids: Vec<Uuid>,
) -> Result<Vec<ArgumentRow>, DbErr> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    select::find_arguments().filter(argument::Column::Id.is_in(padded(ids))).into_model().all(transaction).await
}

/// An argument that is answered.
#[derive(FromQueryResult)]
pub(super) struct TargetRow {
    pub id: Uuid,
    pub debate_id: Uuid,
    pub seq: i64,
}

/// The id, debate and `seq` of these arguments.
pub(super) async fn find_target_seqs(
    transaction: &DatabaseTransaction,
    ids: Vec<Uuid>,
) -> Result<Vec<Decoded<TargetRow>>, DbErr> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    argument::Entity::find()
        .filter(argument::Column::Id.is_in(padded(ids)))
        .select_only()
        .columns([argument::Column::Id, argument::Column::DebateId, argument::Column::Seq])
        .into_model()
        .all(transaction)
        .await
}

/// What a debate must still be like when it is updated. Freeing a seat changes no `last_seq`, so the seats count, too.
#[derive(Clone)]
pub(super) struct Expected {
    pub last_seq: i64,
    pub proposer_seat: Option<Vec<u8>>,
    pub opponent_seat: Option<Vec<u8>>,
}

/// The columns that an argument changes. Those that never change are left out.
fn changed_columns() -> impl Iterator<Item = debate::Column> {
    use debate::Column::{CreatedAt, DebateType, Id, MaxRounds, Title, TitleFolded};
    let is_fixed = |column: &_| matches!(column, Id | Title | TitleFolded | DebateType | MaxRounds | CreatedAt);
    debate::Column::iter().filter(move |column| !is_fixed(column))
}

/// The SQL that updates debates with rows of values: the changed columns, the id, and the columns of [`Expected`].
static UPDATE: LazyLock<String> = LazyLock::new(|| {
    let set = |(index, column): (usize, debate::Column)| format!("{} = changed.column{}", column.unquoted(), index + 1);
    let set: Vec<_> = changed_columns().enumerate().map(set).collect();
    let [id, last_seq, proposer_seat, opponent_seat] = [1, 2, 3, 4].map(|number| set.len() + number);
    format!(
        "UPDATE debates SET {} FROM (VALUES {{}}) AS changed \
         WHERE debates.id = changed.column{id} AND debates.last_seq = changed.column{last_seq} \
         AND debates.proposer_seat IS NOT DISTINCT FROM changed.column{proposer_seat} \
         AND debates.opponent_seat IS NOT DISTINCT FROM changed.column{opponent_seat}",
        set.join(", ")
    )
});

/// Updates debates, each only if it still is as expected.
pub(super) fn update_debates(
    connection: &impl ConnectionTrait,
    debates: Vec<(debate::Model, Expected)>,
) -> Option<GuardedStatement> {
    if debates.is_empty() {
        return None;
    }
    let expected_rows = debates.len() as u64;
    let debates = padded(debates);
    let width = changed_columns().count() + 4;
    let sql = UPDATE.replacen("{}", &placeholders(connection, debates.len(), width), 1);
    let mut values: Vec<Value> = Vec::with_capacity(debates.len() * width);
    for (row, Expected { last_seq, proposer_seat, opponent_seat }) in debates {
        let id = row.id;
        let mut row = row.into_active_model();
        values.extend(changed_columns().filter_map(|column| row.take(column).into_value()));
        values.extend([id.into(), last_seq.into(), proposer_seat.into(), opponent_seat.into()]);
    }
    Some(GuardedStatement::expecting(connection, sql, values, expected_rows))
}
