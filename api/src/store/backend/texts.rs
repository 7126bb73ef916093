//! Texts of statements that store what batches bring, each built once for each number of rows: building one takes longer
//! than the database takes to carry it out.

use std::{
    collections::HashMap,
    mem::{Discriminant, discriminant},
    sync::{LazyLock, PoisonError, RwLock},
};

use sea_orm::{ConnectionTrait, DbBackend, Statement, StatementBuilder, Value};

/// By database, name and number of values. There are few names, and each comes in few sizes.
type Texts = HashMap<(Discriminant<DbBackend>, &'static str, usize), String>;

static TEXTS: LazyLock<RwLock<Texts>> = LazyLock::new(RwLock::default);

/// The statement that `build` makes of `values`, which it has to take one after another, and all of them. The text must
/// depend on nothing but the `name` and how many they are.
pub(in crate::store) fn statement<S: StatementBuilder>(
    connection: &impl ConnectionTrait,
    name: &'static str,
    values: Vec<Value>,
    build: impl FnOnce(Vec<Value>) -> S,
) -> Statement {
    let backend = connection.get_database_backend();
    let key = (discriminant(&backend), name, values.len());
    if let Some(text) = TEXTS.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Statement::from_sql_and_values(backend, text, values);
    }
    let built = backend.build(&build(values));
    TEXTS.write().unwrap_or_else(PoisonError::into_inner).insert(key, built.sql.clone());
    built
}
