//! The SQL that inserts rows, many at once. Row counts are powers of two, so that few different statements need to be prepared.

use sea_orm::{
    ActiveModelTrait, ConnectionTrait, EntityName, EntityTrait, Iden, IntoActiveModel, Iterable, ModelTrait,
    sea_query::Value,
};

use super::{backend::placeholders, guarded_statement::GuardedStatement};

/// How many parameters a statement may have on either database. SQLite takes 32,766, PostgreSQL 65,535.
pub(super) const MAX_PARAMETERS: usize = 32_766;

type Columns<M> = <<M as ModelTrait>::Entity as EntityTrait>::Column;

/// Inserts rows with all of their columns, in one statement for each binary digit of their number, and in more where these would have too
/// many parameters.
pub(super) fn insert<M>(connection: &impl ConnectionTrait, rows: Vec<M>) -> Vec<GuardedStatement>
where
    M: ModelTrait + IntoActiveModel<<M::Entity as EntityTrait>::ActiveModel>,
{
    insert_with(connection, rows, "")
}

/// Inserts rows as [`insert`] does; where there is one with the same primary key, all of its other columns are set.
pub(super) fn insert_or_replace<M>(connection: &impl ConnectionTrait, rows: Vec<M>) -> Vec<GuardedStatement>
where
    M: ModelTrait + IntoActiveModel<<M::Entity as EntityTrait>::ActiveModel>,
{
    if rows.is_empty() {
        return Vec::new();
    }
    let key = || <M::Entity as EntityTrait>::PrimaryKey::iter();
    // Setting the key, too, would have SQLite write its index again and look the foreign keys up.
    let values: Vec<_> = Columns::<M>::iter()
        .filter(|column| key().all(|part| part.unquoted() != column.unquoted()))
        .map(|column| format!("\"{0}\" = excluded.\"{0}\"", column.unquoted()))
        .collect();
    let on_conflict = format!(" ON CONFLICT ({}) DO UPDATE SET {}", names(key()), values.join(", "));
    insert_with(connection, rows, &on_conflict)
}

/// A list of quoted names.
fn names(columns: impl Iterator<Item = impl Iden>) -> String {
    let mut list = String::new();
    for column in columns {
        list.push_str(if list.is_empty() { "\"" } else { ", \"" });
        list.push_str(column.unquoted());
        list.push('"');
    }
    list
}

fn insert_with<M>(connection: &impl ConnectionTrait, mut rows: Vec<M>, on_conflict: &str) -> Vec<GuardedStatement>
where
    M: ModelTrait + IntoActiveModel<<M::Entity as EntityTrait>::ActiveModel>,
{
    if rows.is_empty() {
        return Vec::new();
    }
    let (columns, width) = (names(Columns::<M>::iter()), Columns::<M>::iter().len());
    let entity = M::Entity::default();
    let most = MAX_PARAMETERS / width;
    let mut statements = Vec::new();
    while !rows.is_empty() {
        let rest = rows.split_off(1 << rows.len().min(most).ilog2());
        let placeholders = placeholders(connection, rows.len(), width);
        let sql =
            ["INSERT INTO ", entity.table_name(), " (", &columns, ") VALUES ", &placeholders, on_conflict].concat();
        let mut values: Vec<Value> = Vec::with_capacity(rows.len() * width);
        for row in rows {
            let mut row = row.into_active_model();
            values.extend(Columns::<M>::iter().filter_map(|column| row.take(column).into_value()));
        }
        statements.push(GuardedStatement::unguarded(connection, sql, values));
        rows = rest;
    }
    statements
}
