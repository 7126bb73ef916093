//! Applies migrations when the server starts.

use entity::{argument, debate, debate_total, document, document_version, issue, search_text, webhook_delivery};
use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, EntityName, EntityTrait, QueryOrder};
use sea_orm_migration::{IntoSchemaManagerConnection, SchemaManager, seaql_migrations};

use super::{
    backend::{self, Location},
    error::OpenError,
    refold::refold,
};

/// Applies the missing migrations, all or none of them. If several servers start at once, one applies them.
///
/// # Errors
/// If the database has a migration of a newer program, or tables of another program.
pub(super) async fn up(location: &Location, connection: &DatabaseConnection) -> Result<(), OpenError> {
    apply_missing(location, connection).await.map_err(|error| backend::explained(location, error))
}

/// Refuses any schema but that of this program, and changes nothing.
///
/// # Errors
/// If migrations are missing or unknown.
pub(super) async fn require_current(connection: &DatabaseConnection) -> Result<(), OpenError> {
    let known: Vec<String> = Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
    let applied = applied(connection).await?;
    match applied.iter().find(|name| !known.contains(name)) {
        Some(version) => Err(OpenError::Newer { version: version.clone() }),
        None if applied.len() < known.len() => Err(OpenError::Older),
        None => Ok(()),
    }
}

/// Whether any version of this program has migrated the database.
pub(super) async fn has_migrations(connection: &DatabaseConnection) -> Result<bool, DbErr> {
    Ok(!applied(connection).await?.is_empty())
}

async fn apply_missing(location: &Location, connection: &DatabaseConnection) -> Result<(), OpenError> {
    let transaction = backend::begin_write(connection).await?;
    backend::lock_schema(location, &transaction).await?;
    let known: Vec<String> = Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
    let applied = applied(&transaction).await?;
    if applied.is_empty() {
        refuse_foreign_tables(&transaction).await?;
    } else if !applied.iter().any(|name| known.contains(name)) {
        return Err(OpenError::ForeignTable { table: Migrator::migration_table_name().to_string() });
    }
    if let Some(version) = applied.iter().find(|name| !known.contains(name)) {
        return Err(OpenError::Newer { version: version.clone() });
    }
    // A role without the right to change the schema may start a server on an up-to-date database.
    if applied.len() < known.len() {
        Migrator::up(&transaction, None).await?;
        refold(&transaction).await?;
    }
    backend::create_search_indices(location, &transaction).await?;
    backend::check_rights(location, &transaction, &rights()).await?;
    Ok(transaction.commit().await?)
}

/// The tables that the store writes.
fn tables() -> [&'static str; 8] {
    [
        debate::Entity.table_name(),
        debate_total::Entity.table_name(),
        argument::Entity.table_name(),
        issue::Entity.table_name(),
        search_text::Entity.table_name(),
        document::Entity.table_name(),
        document_version::Entity.table_name(),
        webhook_delivery::Entity.table_name(),
    ]
}

/// What the store does with each of its tables.
fn rights() -> Vec<(&'static str, &'static str)> {
    let all = tables().into_iter().flat_map(|table| ["SELECT", "INSERT", "UPDATE"].map(|right| (table, right)));
    all.chain([(webhook_delivery::Entity.table_name(), "DELETE")]).collect()
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
    let rows = seaql_migrations::Entity::find().order_by_asc(seaql_migrations::Column::Version).all(connection).await?;
    Ok(rows.into_iter().map(|row| row.version).collect())
}

/// In a database without migrations, tables with our names belong to another program.
async fn refuse_foreign_tables(transaction: &DatabaseTransaction) -> Result<(), OpenError> {
    for table in tables() {
        if SchemaManager::new(transaction).has_table(table).await? {
            return Err(OpenError::ForeignTable { table: table.to_owned() });
        }
    }
    Ok(())
}
