//! Rows that are decoded one by one, so that one of them that cannot be decoded does not hide the others.

use sea_orm::{DbErr, FromQueryResult, QueryResult};

/// A row, or why it cannot be decoded: a text that is not UTF-8, or, on SQLite, a value of another type.
#[derive(Debug)]
pub(super) struct Decoded<M>(pub Result<M, DbErr>);

impl<M: FromQueryResult> FromQueryResult for Decoded<M> {
    fn from_query_result(row: &QueryResult, prefix: &str) -> Result<Self, DbErr> {
        Ok(Self(M::from_query_result(row, prefix)))
    }
}
