//! Brings the schema up to date at start.

use migration::{Migrator, MigratorTrait};
use sea_orm::{DatabaseConnection, EntityTrait, QueryOrder};
use sea_orm_migration::{SchemaManager, seaql_migrations};

use super::error::OpenError;

/// Applies the steps that are missing.
///
/// # Errors
/// Where the database has a step that this program does not know: a newer one wrote it.
pub(super) async fn up(connection: &DatabaseConnection) -> Result<(), OpenError> {
    refuse_newer(connection).await?;
    Ok(Migrator::up(connection, None).await?)
}

/// Refuses a schema that is not the one that this program knows, and changes nothing.
///
/// # Errors
/// Where steps are missing, or there are some that this program does not know.
pub(super) async fn refuse_other(connection: &DatabaseConnection) -> Result<(), OpenError> {
    refuse_newer(connection).await?;
    let table = Migrator::migration_table_name();
    if !SchemaManager::new(connection).has_table(table.to_string()).await? {
        return Err(OpenError::Older);
    }
    let missing = Migrator::get_pending_migrations_read_only(connection).await?;
    if missing.is_empty() { Ok(()) } else { Err(OpenError::Older) }
}

async fn refuse_newer(connection: &DatabaseConnection) -> Result<(), OpenError> {
    let table = Migrator::migration_table_name();
    if !SchemaManager::new(connection).has_table(table.to_string()).await? {
        return Ok(());
    }
    let known: Vec<String> = Migrator::migrations().iter().map(|step| step.name().to_owned()).collect();
    let applied =
        seaql_migrations::Entity::find().order_by_asc(seaql_migrations::Column::Version).all(connection).await?;
    match applied.into_iter().find(|step| !known.contains(&step.version)) {
        Some(step) => Err(OpenError::Newer { version: step.version }),
        None => Ok(()),
    }
}
