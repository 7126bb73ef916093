//! Statements that touch a whole set of rows, in few sizes so that their plans are kept.

use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryTrait, sea_query::Alias,
};

use super::steps::{self, Step};

/// The most ids in one statement that reads a set.
pub(super) const MOST: usize = 4096;

/// Adds rows, in as few statements as their number has binary digits.
pub(super) async fn insert<A>(transaction: &DatabaseTransaction, rows: Vec<A>) -> Result<(), DbErr>
where
    A: ActiveModelTrait + Send,
{
    steps::carry_out(transaction, insertion(transaction, rows)).await
}

/// What adds rows, in as few steps as their number has binary digits.
pub(super) fn insertion<A: ActiveModelTrait>(connection: &impl ConnectionTrait, mut rows: Vec<A>) -> Vec<Step> {
    let mut steps = Vec::new();
    while !rows.is_empty() {
        let rest = rows.split_off(1 << rows.len().ilog2());
        steps.push(A::Entity::insert_many(rows).build(connection.get_database_backend()).into());
        rows = rest;
    }
    steps
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
