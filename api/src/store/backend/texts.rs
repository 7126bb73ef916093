//! Texts of statements that store what batches bring, each built once for each number of rows: building one takes longer
//! than the database takes to carry it out.

use std::{
    any::TypeId,
    collections::HashMap,
    mem::{Discriminant, discriminant},
    sync::{LazyLock, PoisonError, RwLock},
};

use sea_orm::{ConnectionTrait, DbBackend, Statement, StatementBuilder, Value};

/// By database, what builds it and number of values. Few functions build any, and for few numbers.
type Texts = HashMap<(Discriminant<DbBackend>, TypeId, usize), String>;

static TEXTS: LazyLock<RwLock<Texts>> = LazyLock::new(RwLock::default);

/// The statement that `build` makes of `values`, which it has to take one after another, and all of them. The text must
/// depend on nothing but how many they are; a function that brings anything along is refused where it is compiled.
pub(in crate::store) fn statement<F, S>(connection: &impl ConnectionTrait, values: Vec<Value>, build: F) -> Statement
where
    F: FnOnce(Vec<Value>) -> S + 'static,
    S: StatementBuilder,
{
    const { assert!(size_of::<F>() == 0, "what a function brings along may change its text") };
    let backend = connection.get_database_backend();
    let key = (discriminant(&backend), TypeId::of::<F>(), values.len());
    if let Some(text) = TEXTS.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Statement::from_sql_and_values(backend, text, values);
    }
    let built = backend.build(&build(values));
    TEXTS.write().unwrap_or_else(PoisonError::into_inner).insert(key, built.sql.clone());
    built
}
