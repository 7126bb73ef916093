//! Copying everything from one database to another, of whatever kind they are.

use std::fmt;

use entity::{argument, debate, debate_total, document, document_version};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, DatabaseConnection, EntityTrait, IntoActiveModel, Iterable, ModelTrait,
    PrimaryKeyToColumn, QueryFilter, QueryOrder, QuerySelect, Value,
};

use super::{
    backend::{self, Location, Opened},
    error::{OpenError, StoreError},
    migrate, sets,
    verify::{Verified, VerifyError, verify},
};

/// Rows that are copied in one transaction.
const CHUNK: u64 = 512;

/// Why not everything was copied. What was copied stays, and the same copy goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// One of the databases cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// There is nothing to copy from.
    #[error("there is no database {0} to copy from")]
    NoSource(String),
    /// The database to copy to holds something else.
    #[error(
        "table {table} of the database to copy to has rows that the one to copy from has not, or has otherwise; name an \
         empty one, and stop the servers of both meanwhile"
    )]
    OtherData {
        /// The table
        table: String,
    },
    /// One of the databases failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<VerifyError> for CopyError {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Open(error) => Self::Open(error),
            VerifyError::Store(error) => Self::Store(error),
        }
    }
}

impl From<sea_orm::DbErr> for CopyError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// How far a copy has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// So many rows of a table are on the other side
    Copied {
        /// The table
        table: String,
        /// Rows
        rows: usize,
    },
    /// All of this was looked at in the copy, and is in order
    Verified(Verified),
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Copied { table, rows } => write!(f, "{table}: {rows} rows are there"),
            Self::Verified(verified) => verified.fmt(f),
        }
    }
}

/// Copies everything, telling `progress` from time to time, and makes sure of what was copied. What is there already is
/// compared instead, so that a copy that was interrupted goes on where it was.
///
/// # Errors
/// Where one of the databases cannot be opened, is held by a server, or fails; or where the one to copy to holds
/// anything else.
pub async fn copy(from: &Location, to: &Location, mut progress: impl FnMut(Progress)) -> Result<(), CopyError> {
    if !backend::is_there(from) {
        return Err(CopyError::NoSource(from.to_string()));
    }
    let (source, target) = (open(from).await?, open(to).await?);
    let (read, write) = (source.read.current(), target.write.current());
    table::<debate::Entity>(&read, &write, &mut progress).await?;
    table::<debate_total::Entity>(&read, &write, &mut progress).await?;
    table::<argument::Entity>(&read, &write, &mut progress).await?;
    table::<document::Entity>(&read, &write, &mut progress).await?;
    table::<document_version::Entity>(&read, &write, &mut progress).await?;
    for line in [source.read, source.write, target.read, target.write] {
        line.close().await;
    }
    progress(Progress::Verified(verify(to).await?));
    Ok(())
}

async fn open(location: &Location) -> Result<Opened, OpenError> {
    let opened = backend::open(location, None).await?;
    migrate::up(location, &opened.write.current()).await?;
    Ok(opened)
}

/// Copies one table, in the order of its primary key.
async fn table<E>(
    from: &DatabaseConnection,
    to: &DatabaseConnection,
    progress: &mut impl FnMut(Progress),
) -> Result<(), CopyError>
where
    E: EntityTrait,
    E::Model: IntoActiveModel<E::ActiveModel> + PartialEq + Sync,
    E::ActiveModel: ActiveModelTrait<Entity = E> + Send,
{
    let table = E::default().table_name().to_owned();
    let other_data = || CopyError::OtherData { table: table.clone() };
    let (mut after, mut rows) = (None, 0);
    loop {
        let wanted = chunk::<E>(from, after.as_ref()).await?;
        let mut there = chunk::<E>(to, after.as_ref()).await?;
        if wanted.is_empty() {
            return if there.is_empty() { Ok(()) } else { Err(other_data()) };
        }
        there.truncate(wanted.len());
        if !wanted.starts_with(&there) {
            return Err(other_data());
        }
        after = wanted.last().map(key::<E>);
        rows += wanted.len();
        let missing: Vec<_> = wanted.into_iter().skip(there.len()).collect();
        if !missing.is_empty() {
            let transaction = backend::begin_write(to).await?;
            sets::insert(&transaction, missing).await?;
            transaction.commit().await?;
        }
        progress(Progress::Copied { table: table.clone(), rows });
    }
}

/// The rows that come next after a key.
async fn chunk<E: EntityTrait>(
    connection: &DatabaseConnection,
    after: Option<&Vec<(E::Column, Value)>>,
) -> Result<Vec<E::Model>, CopyError> {
    let mut rows = E::find().limit(CHUNK);
    if let Some(after) = after {
        // Greater in one column, and the same in all before it.
        let mut later = Condition::any();
        for (at, (column, value)) in after.iter().enumerate() {
            let same = after[..at].iter().map(|(column, value)| column.eq(value.clone()));
            later = later.add(same.fold(Condition::all().add(column.gt(value.clone())), Condition::add));
        }
        rows = rows.filter(later);
    }
    for column in E::PrimaryKey::iter() {
        rows = rows.order_by_asc(column.into_column());
    }
    Ok(rows.all(connection).await?)
}

fn key<E: EntityTrait>(row: &E::Model) -> Vec<(E::Column, Value)> {
    let columns = E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column);
    columns.map(|column| (column, row.get(column))).collect()
}
