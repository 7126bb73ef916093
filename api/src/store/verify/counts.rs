//! What a verification counts, and how it goes through the ids of a table.

use std::fmt;

use sea_orm::{
    ColumnTrait, DatabaseConnection, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    prelude::Uuid,
};

use crate::store::{
    decoded::Decoded,
    error::{InconsistentRow, RowName},
};

/// How many rows were checked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verified {
    /// The number of debates
    pub debates: u64,
    /// The number of arguments
    pub arguments: u64,
    /// The number of documents
    pub documents: u64,
    /// The number of document versions
    pub versions: u64,
    /// The number of arguments whose texts are not yet stored for searching, as a running server does soon after each write
    pub unindexed: u64,
    /// What else is in the database, which is no fault
    pub notes: Vec<String>,
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { debates, arguments, documents, versions, unindexed: _, notes } = self;
        let [debates, arguments] = [count(*debates, "debate"), count(*arguments, "argument")];
        let [documents, versions] = [count(*documents, "document"), count(*versions, "version")];
        write!(f, "in order: {debates} with {arguments}, {documents} with {versions}")?;
        notes.iter().try_for_each(|note| write!(f, "\nnote: {note}"))
    }
}

impl Verified {
    /// How much was checked so far.
    pub fn progress(&self) -> String {
        let [debates, documents] = [count(self.debates, "debate"), count(self.documents, "document")];
        format!("checked so far: {debates} with {}, {documents}", count(self.arguments, "argument"))
    }

    /// What is no fault and worth knowing.
    pub fn note(&self) -> Option<String> {
        let unindexed = count(self.unindexed, "argument");
        (self.unindexed > 0).then(|| format!("the texts of {unindexed} are not yet stored for searching"))
    }
}

/// A number with a noun: `1 debate`, `2 debates`.
pub(super) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The number of ids that are read at a time.
const PAGE_SIZE: u64 = 256;

/// A row's id.
#[derive(FromQueryResult)]
struct Id {
    id: Uuid,
}

/// The first ids of a table, or those after this one; none at the end. Each that is none, as SQLite may have, is added to `faults`.
pub(super) async fn ids_after<E: EntityTrait>(
    connection: &DatabaseConnection,
    table: &'static str,
    column: E::Column,
    after: Option<Uuid>,
    faults: &mut Vec<InconsistentRow>,
) -> Result<Vec<Uuid>, DbErr> {
    let later = || after.map_or_else(|| column.is_not_null(), |id| column.gt(id));
    let mut offset = 0;
    loop {
        let page = E::find().select_only().column_as(column, "id").filter(later()).order_by_asc(column);
        let rows: Vec<Decoded<Id>> = page.offset(offset).limit(PAGE_SIZE).into_model().all(connection).await?;
        let is_end = rows.is_empty();
        let mut ids = Vec::with_capacity(rows.len());
        for Decoded(row) in rows {
            match row {
                Ok(Id { id }) => ids.push(id),
                Err(error) => {
                    let name = RowName::Other("whose id is none".to_owned());
                    let fault = InconsistentRow::undecodable(table, name, &error);
                    if !faults.contains(&fault) {
                        faults.push(fault);
                    }
                }
            }
        }
        if is_end || !ids.is_empty() {
            return Ok(ids);
        }
        // None of them can be read.
        offset += PAGE_SIZE;
    }
}
