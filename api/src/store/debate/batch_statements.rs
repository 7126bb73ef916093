//! The SQL of a batch of writes to debates.

use entity::{argument, debate};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect, Statement, Value,
};
use uuid::Uuid;

use super::select::{self, ArgumentRow, DebateRow, PREVIOUS, PREVIOUS_HASH};
use crate::store::{backend::placeholders, decoded::Decoded, guarded_statement::GuardedStatement, padded_ids::padded};

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

/// The arguments that these requests stored earlier, each identified by debate and request id. Some may come twice.
pub(super) async fn find_by_request_ids(
    transaction: &DatabaseTransaction,
    requests: Vec<(Uuid, String)>,
) -> Result<Vec<ArgumentRow>, DbErr> {
    find_in_debates(transaction, "client_request_id", requests).await
}

/// The arguments with these `seq`, each in its debate. Some may come twice.
pub(super) async fn find_by_seqs(
    transaction: &DatabaseTransaction,
    seqs: Vec<(Uuid, i64)>,
) -> Result<Vec<ArgumentRow>, DbErr> {
    find_in_debates(transaction, "seq", seqs).await
}

/// The arguments that have the value that comes with their debate in a column. Some may come twice.
async fn find_in_debates<T: Into<Value> + Clone>(
    transaction: &DatabaseTransaction,
    column: &str,
    places: Vec<(Uuid, T)>,
) -> Result<Vec<ArgumentRow>, DbErr> {
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let places = padded(places);
    let sql = format!(
        "SELECT arguments.*, {PREVIOUS_HASH} AS {PREVIOUS} FROM (VALUES {}) AS places JOIN arguments \
         ON arguments.debate_id = places.column1 AND arguments.{column} = places.column2",
        placeholders(transaction, places.len(), 2)
    );
    let values: Vec<Value> = places.into_iter().flat_map(|(debate, value)| [debate.into(), value.into()]).collect();
    let select = Statement::from_sql_and_values(transaction.get_database_backend(), sql, values);
    ArgumentRow::find_by_statement(select).all(transaction).await
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
    let sql = format!(
        "UPDATE debates SET state = changed.column1, state_detail = changed.column2, option_count = changed.column3, \
         last_seq = changed.column4, last_argument_id = changed.column5, updated_at = changed.column6, head = changed.column7, \
         rounds = changed.column8, issue_counts = changed.column9, \
         plan = changed.column10, late_target_id = changed.column11, ruling_since = changed.column12, \
         proposer_seat = changed.column13, opponent_seat = changed.column14 \
         FROM (VALUES {}) AS changed WHERE debates.id = changed.column15 AND debates.last_seq = changed.column16 \
         AND debates.proposer_seat IS NOT DISTINCT FROM changed.column17 \
         AND debates.opponent_seat IS NOT DISTINCT FROM changed.column18",
        placeholders(connection, debates.len(), 18)
    );
    let values: Vec<Value> = debates
        .into_iter()
        .flat_map(|(row, expected)| -> [Value; 18] {
            [
                row.state.into(),
                row.state_detail.into(),
                row.option_count.into(),
                row.last_seq.into(),
                row.last_argument_id.into(),
                row.updated_at.into(),
                row.head.into(),
                row.rounds.into(),
                row.issue_counts.into(),
                row.plan.into(),
                row.late_target_id.into(),
                row.ruling_since.into(),
                row.proposer_seat.into(),
                row.opponent_seat.into(),
                row.id.into(),
                expected.last_seq.into(),
                expected.proposer_seat.into(),
                expected.opponent_seat.into(),
            ]
        })
        .collect();
    Some(GuardedStatement::expecting(connection, sql, values, expected_rows))
}
