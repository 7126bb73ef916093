//! Statements that touch a whole set of rows, in few sizes so that their plans are kept.

use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, IntoActiveModel, Iterable, ModelTrait,
    sea_query::{Alias, Expr, InsertStatement, Query, Value},
};

use super::{
    backend::statement,
    steps::{self, Step},
};

/// The most ids in one statement that reads a set.
pub(super) const MOST: usize = 4096;

/// Adds rows, in as few statements as their number has binary digits.
pub(super) async fn insert<M>(transaction: &DatabaseTransaction, rows: Vec<M>) -> Result<(), DbErr>
where
    M: ModelTrait + IntoActiveModel<<M::Entity as EntityTrait>::ActiveModel>,
{
    steps::carry_out(transaction, insertion(transaction, rows)).await
}

/// What adds rows, in as few steps as their number has binary digits.
pub(super) fn insertion<M>(connection: &impl ConnectionTrait, mut rows: Vec<M>) -> Vec<Step>
where
    M: ModelTrait + IntoActiveModel<<M::Entity as EntityTrait>::ActiveModel>,
{
    let mut steps = Vec::new();
    while !rows.is_empty() {
        let rest = rows.split_off(1 << rows.len().ilog2());
        let values = rows.into_iter().flat_map(|row| {
            let mut row = row.into_active_model();
            Columns::<M>::iter().filter_map(move |column| row.take(column).into_value())
        });
        steps.push(statement(connection, values.collect(), all_columns::<M::Entity>).into());
        rows = rest;
    }
    steps
}

type Columns<M> = <<M as ModelTrait>::Entity as EntityTrait>::Column;

/// Adds rows that are told one after another, each with all of its columns.
fn all_columns<E: EntityTrait>(values: Vec<Value>) -> InsertStatement {
    let mut insert = Query::insert();
    insert.into_table(E::default()).columns(E::Column::iter());
    for row in values.chunks_exact(E::Column::iter().count()) {
        insert.values_panic(row.iter().cloned().map(Expr::value));
    }
    insert
}

/// What both databases call the columns of a `VALUES` list, counted from 1.
pub(super) fn value_column(number: u8) -> Alias {
    Alias::new(format!("column{number}"))
}

/// Repeats the last until the number is a power of two: a set with one twice is the same set.
pub(super) fn padded<T: Clone>(mut set: Vec<T>) -> Vec<T> {
    if let Some(last) = set.last().cloned() {
        set.resize(set.len().next_power_of_two(), last);
    }
    set
}
