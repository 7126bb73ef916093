//! What a batch asks about debates and changes in them.

use entity::{argument, debate};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, Iterable, QueryFilter, QueryOrder,
    QuerySelect,
    sea_query::{Alias, Expr, ExprTrait, IntoIden, Query, TableRef, UpdateStatement, Value, ValueTuple},
};
use uuid::Uuid;

use crate::store::{
    backend::statement,
    sets::{padded, value_column},
    steps::Step,
};

/// The rows of these debates, held against other writers until the transaction ends.
pub(super) async fn lock_debates(
    transaction: &DatabaseTransaction,
    ids: Vec<Uuid>,
) -> Result<Vec<debate::Model>, DbErr> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    debate::Entity::find()
        .filter(debate::Column::Id.is_in(padded(ids)))
        // Always in the same order, so that two servers cannot wait for each other.
        .order_by_asc(debate::Column::Id)
        .lock_exclusive()
        .all(transaction)
        .await
}

/// The arguments that these requests stored before; some maybe more than once.
pub(super) async fn find_requests(
    transaction: &DatabaseTransaction,
    requests: Vec<(Uuid, String)>,
) -> Result<Vec<argument::Model>, DbErr> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    let wanted = Alias::new("wanted");
    let pairs = padded(requests)
        .into_iter()
        .map(|(debate, request)| -> ValueTuple { ValueTuple::Many(vec![Value::from(debate), Value::from(request)]) });
    let select = Query::select()
        .columns(argument::Column::iter().map(|column| (argument::Entity, column)))
        .from_values(pairs, wanted.clone())
        .inner_join(
            argument::Entity,
            Expr::col((argument::Entity, argument::Column::DebateId)).equals((wanted.clone(), value_column(1))).and(
                Expr::col((argument::Entity, argument::Column::ClientRequestId)).equals((wanted, value_column(2))),
            ),
        )
        .to_owned();
    argument::Entity::find().from_raw_sql(transaction.get_database_backend().build(&select)).all(transaction).await
}

/// Debate and `seq` of these arguments.
pub(super) async fn find_places(
    transaction: &DatabaseTransaction,
    ids: Vec<Uuid>,
) -> Result<Vec<(Uuid, Uuid, i64)>, DbErr> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    argument::Entity::find()
        .filter(argument::Column::Id.is_in(padded(ids)))
        .select_only()
        .columns([argument::Column::Id, argument::Column::DebateId, argument::Column::Seq])
        .into_tuple()
        .all(transaction)
        .await
}

/// A debate that moved on.
#[derive(Clone)]
pub(super) struct Moved {
    pub id: Uuid,
    /// What it moved on from: the guard
    pub from_seq: i64,
    pub state: String,
    pub state_detail: Option<String>,
    pub option_count: Option<i32>,
    pub last_seq: i64,
    pub last_argument_id: Uuid,
    pub updated_at: i64,
    pub head: Vec<u8>,
}

impl Moved {
    /// What it is now, then which it is and from where.
    fn values(self) -> [Value; MOVED] {
        [
            self.state.into(),
            self.state_detail.into(),
            self.option_count.into(),
            self.last_seq.into(),
            self.last_argument_id.into(),
            self.updated_at.into(),
            self.head.into(),
            self.id.into(),
            self.from_seq.into(),
        ]
    }
}

/// How many values tell of a debate that moved on.
const MOVED: usize = 9;

/// What moves debates on, each only from where it was read.
pub(super) fn update_debates(connection: &impl ConnectionTrait, moved: Vec<Moved>) -> Option<Step> {
    if moved.is_empty() {
        return None;
    }
    let expected = moved.len() as u64;
    let values = padded(moved).into_iter().flat_map(Moved::values).collect();
    Some(Step { statement: statement(connection, values, update), rows: Some(expected) })
}

/// Moves debates on, of which [`Moved::values`] are told one after another.
fn update(values: Vec<Value>) -> UpdateStatement {
    use debate::{Column, Entity};

    let next = Alias::new("next");
    let is_one = values.len() == MOVED;
    let told = |column: u8| {
        // What is told of a single one need not go through a table.
        let told = values.get(usize::from(column) - 1).filter(|_| is_one);
        told.map_or_else(|| Expr::col((next.clone(), value_column(column))), |value| Expr::value(value.clone()))
    };
    let mut update = Query::update();
    update
        .table(Entity)
        .values([
            (Column::State, told(1)),
            (Column::StateDetail, told(2)),
            (Column::OptionCount, told(3)),
            (Column::LastSeq, told(4)),
            (Column::LastArgumentId, told(5)),
            (Column::UpdatedAt, told(6)),
            (Column::Head, told(7)),
        ])
        .and_where(Expr::col((Entity, Column::Id)).eq(told(8)))
        .and_where(Expr::col((Entity, Column::LastSeq)).eq(told(9)));
    if !is_one {
        let rows = values.chunks_exact(MOVED).map(|row| ValueTuple::Many(row.to_vec())).collect();
        update.from(TableRef::ValuesList(rows, next.into_iden()));
    }
    update
}
