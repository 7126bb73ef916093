//! Copies all rows from one database to another, which may be of the other kind.

use std::fmt;

use entity::{argument, debate, debate_total, document, document_version, issue, webhook_delivery};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, DatabaseConnection, EntityTrait, IntoActiveModel, Iterable, ModelTrait,
    PrimaryKeyToColumn, QueryFilter, QueryOrder, QuerySelect, Value,
};

use super::{
    backend::{self, Location, Opened},
    error::{OpenError, StoreError},
    guarded_statement::execute_all,
    insert_rows, migrate,
    verify::Verified,
    verify::{Faults, VerifyError, verify},
};

/// The rows that are copied in one transaction.
const CHUNK_ROWS: u64 = 512;

/// Why a copy failed. Rows that were copied stay, and the next copy continues after them.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// One of the databases cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database to copy from does not exist.
    #[error("there is no database {0} to copy from")]
    NoSource(String),
    /// The database to copy to has other rows.
    #[error(
        "table {table} of the database to copy to has rows that differ from those to copy; name an empty database, and stop \
         the servers of both meanwhile"
    )]
    OtherData {
        /// The table
        table: String,
    },
    /// One of the databases failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What was copied does not hold.
    #[error("everything is copied, and does not hold: {0}")]
    Faults(Faults),
}

impl From<VerifyError> for CopyError {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Open(error) => Self::Open(error),
            VerifyError::Store(error) => Self::Store(error),
            VerifyError::Faults(faults) => Self::Faults(faults),
        }
    }
}

impl From<sea_orm::DbErr> for CopyError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// The progress of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// Rows of a table are in the target
    Copied {
        /// The table
        table: String,
        /// The number of rows so far
        rows: usize,
    },
    /// The whole target was verified
    Verified(Verified),
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Copied { table, rows } => write!(f, "{table}: {rows} rows copied"),
            Self::Verified(verified) => verified.fmt(f),
        }
    }
}

/// Copies all rows and verifies the target. Rows that the target has already are compared, so that an interrupted copy can
/// continue. `progress` is called after each chunk.
///
/// # Errors
/// If one of the databases cannot be opened, is in use by a server, or fails, or if the target has other rows.
pub async fn copy(from: &Location, to: &Location, mut progress: impl FnMut(Progress)) -> Result<(), CopyError> {
    if !backend::exists(from) {
        return Err(CopyError::NoSource(from.to_string()));
    }
    let (source, target) = (open(from).await?, open(to).await?);
    let (read, write) = (source.read.current(), target.write.current());
    copy_table::<debate::Entity>(&read, &write, &mut progress).await?;
    copy_table::<debate_total::Entity>(&read, &write, &mut progress).await?;
    copy_table::<argument::Entity>(&read, &write, &mut progress).await?;
    copy_table::<issue::Entity>(&read, &write, &mut progress).await?;
    copy_table::<document::Entity>(&read, &write, &mut progress).await?;
    copy_table::<document_version::Entity>(&read, &write, &mut progress).await?;
    copy_table::<webhook_delivery::Entity>(&read, &write, &mut progress).await?;
    for pool in [source.read, source.write, target.read, target.write] {
        pool.close().await;
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
async fn copy_table<E>(
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
        let mut copied = chunk::<E>(to, after.as_ref()).await?;
        if wanted.is_empty() {
            return if copied.is_empty() { Ok(()) } else { Err(other_data()) };
        }
        copied.truncate(wanted.len());
        if !wanted.starts_with(&copied) {
            return Err(other_data());
        }
        after = wanted.last().map(key::<E>);
        rows += wanted.len();
        let missing: Vec<_> = wanted.into_iter().skip(copied.len()).collect();
        if !missing.is_empty() {
            let transaction = backend::begin_write(to).await?;
            execute_all(&transaction, insert_rows::insert(&transaction, missing)).await?;
            transaction.commit().await?;
        }
        progress(Progress::Copied { table: table.clone(), rows });
    }
}

/// The rows that follow a key, in the order of the primary key.
async fn chunk<E: EntityTrait>(
    connection: &DatabaseConnection,
    after: Option<&Vec<(E::Column, Value)>>,
) -> Result<Vec<E::Model>, CopyError> {
    let mut rows = E::find().limit(CHUNK_ROWS);
    if let Some(after) = after {
        // Greater in one column, and equal in all columns before it.
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
