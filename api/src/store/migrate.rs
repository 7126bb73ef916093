//! Brings the schema up to date at start.

use entity::{argument, debate, debate_total, document, document_version};
use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, EntityName, EntityTrait, QueryOrder};
use sea_orm_migration::{IntoSchemaManagerConnection, SchemaManager, seaql_migrations};

use super::{
    backend::{self, Location},
    error::OpenError,
};

/// Applies the steps that are missing, all or none of them. Of several servers that start at once, one does it.
///
/// # Errors
/// Where the database has a step that this program does not know, as a newer one wrote it, or tables of somebody else.
pub(super) async fn up(location: &Location, connection: &DatabaseConnection) -> Result<(), OpenError> {
    step_up(location, connection).await.map_err(|error| backend::explained(location, error))
}

/// Refuses a schema that is not the one that this program knows, and changes nothing.
///
/// # Errors
/// Where steps are missing, or there are some that this program does not know.
pub(super) async fn refuse_other(connection: &DatabaseConnection) -> Result<(), OpenError> {
    let known: Vec<String> = Migrator::migrations().iter().map(|step| step.name().to_owned()).collect();
    let applied = applied(connection).await?;
    match applied.iter().find(|step| !known.contains(step)) {
        Some(version) => Err(OpenError::Newer { version: version.clone() }),
        None if applied.len() < known.len() => Err(OpenError::Older),
        None => Ok(()),
    }
}

/// Whether this program, of whatever version, has ever brought the schema up to date.
pub(super) async fn has_begun(connection: &DatabaseConnection) -> Result<bool, DbErr> {
    Ok(!applied(connection).await?.is_empty())
}

async fn step_up(location: &Location, connection: &DatabaseConnection) -> Result<(), OpenError> {
    let transaction = backend::begin_write(connection).await?;
    backend::lock_schema(location, &transaction).await?;
    let known: Vec<String> = Migrator::migrations().iter().map(|step| step.name().to_owned()).collect();
    let applied = applied(&transaction).await?;
    if applied.is_empty() {
        refuse_strangers(&transaction).await?;
    } else if !applied.iter().any(|step| known.contains(step)) {
        return Err(OpenError::Strangers { table: Migrator::migration_table_name().to_string() });
    }
    if let Some(version) = applied.iter().find(|step| !known.contains(step)) {
        return Err(OpenError::Newer { version: version.clone() });
    }
    // Where nothing is missing, no right to change the schema is needed.
    if applied.len() < known.len() {
        Migrator::up(&transaction, None).await?;
    }
    backend::index_titles(location, &transaction).await?;
    backend::check_rights(location, &transaction, &tables()).await?;
    Ok(transaction.commit().await?)
}

/// The tables that are written to.
fn tables() -> [&'static str; 5] {
    [
        debate::Entity.table_name(),
        debate_total::Entity.table_name(),
        argument::Entity.table_name(),
        document::Entity.table_name(),
        document_version::Entity.table_name(),
    ]
}

async fn applied<'c, C>(connection: &'c C) -> Result<Vec<String>, DbErr>
where
    C: ConnectionTrait,
    &'c C: IntoSchemaManagerConnection<'c>,
{
    let table = Migrator::migration_table_name();
    if !SchemaManager::new(connection).has_table(table.to_string()).await? {
        return Ok(Vec::new());
    }
    let steps =
        seaql_migrations::Entity::find().order_by_asc(seaql_migrations::Column::Version).all(connection).await?;
    Ok(steps.into_iter().map(|step| step.version).collect())
}

/// What is named like our tables, without a word of how it came about, is not ours.
async fn refuse_strangers(transaction: &DatabaseTransaction) -> Result<(), OpenError> {
    for table in tables() {
        if SchemaManager::new(transaction).has_table(table).await? {
            return Err(OpenError::Strangers { table: table.to_owned() });
        }
    }
    Ok(())
}
