//! SQL for many rows at once. Row counts are powers of two, so that few different statements need to be prepared.

use sea_orm::{
    ActiveModelTrait, ConnectionTrait, EntityName, EntityTrait, Iden, IntoActiveModel, Iterable, ModelTrait,
    sea_query::Value,
};

use super::{backend::placeholders, guarded_statement::GuardedStatement};

/// The most ids in one statement that reads rows by id.
pub(super) const MAX_IDS: usize = 4096;

type Columns<M> = <<M as ModelTrait>::Entity as EntityTrait>::Column;

/// Inserts rows with all of their columns, in one statement for each binary digit of their number.
pub(super) fn insert<M>(connection: &impl ConnectionTrait, rows: Vec<M>) -> Vec<GuardedStatement>
where
    M: ModelTrait + IntoActiveModel<<M::Entity as EntityTrait>::ActiveModel>,
{
    insert_with(connection, rows, "")
}

/// Inserts rows as [`insert`] does, and replaces those that have the same primary key.
pub(super) fn insert_or_replace<M>(connection: &impl ConnectionTrait, rows: Vec<M>) -> Vec<GuardedStatement>
where
    M: ModelTrait + IntoActiveModel<<M::Entity as EntityTrait>::ActiveModel>,
{
    let list = |columns: Vec<String>| columns.join(", ");
    let key = list(<M::Entity as EntityTrait>::PrimaryKey::iter().map(|column| quoted(&column)).collect());
    let values = list(Columns::<M>::iter().map(|column| format!("{0} = excluded.{0}", quoted(&column))).collect());
    insert_with(connection, rows, &format!(" ON CONFLICT ({key}) DO UPDATE SET {values}"))
}

fn quoted(column: &impl Iden) -> String {
    format!("\"{}\"", column.unquoted())
}

fn insert_with<M>(connection: &impl ConnectionTrait, mut rows: Vec<M>, on_conflict: &str) -> Vec<GuardedStatement>
where
    M: ModelTrait + IntoActiveModel<<M::Entity as EntityTrait>::ActiveModel>,
{
    let columns: Vec<String> = Columns::<M>::iter().map(|column| quoted(&column)).collect();
    let table = M::Entity::default().table_name().to_owned();
    let mut statements = Vec::new();
    while !rows.is_empty() {
        let rest = rows.split_off(1 << rows.len().ilog2());
        let placeholders = placeholders(connection, rows.len(), columns.len());
        let sql = format!("INSERT INTO {table} ({}) VALUES {placeholders}{on_conflict}", columns.join(", "));
        let values = rows.into_iter().flat_map(|row| {
            let mut row = row.into_active_model();
            Columns::<M>::iter().filter_map(move |column| row.take(column).into_value())
        });
        statements.push(GuardedStatement::unguarded(connection, sql, values.collect::<Vec<Value>>()));
        rows = rest;
    }
    statements
}

/// Repeats the last item until the length is a power of two. As a set it stays the same.
pub(super) fn padded<T: Clone>(mut set: Vec<T>) -> Vec<T> {
    if let Some(last) = set.last().cloned() {
        set.resize(set.len().next_power_of_two(), last);
    }
    set
}
