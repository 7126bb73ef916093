//! Which SQLite this server is linked with.

use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};

use super::error::OpenError;

/// The first version in which a log that is begun anew while others read cannot corrupt the database.
const NEEDED: &str = "3.51.3";

/// Refuses a library before [`NEEDED`]: another build may bring its own.
pub(super) async fn check(connection: &DatabaseConnection) -> Result<(), OpenError> {
    let ask = Statement::from_string(connection.get_database_backend(), "SELECT sqlite_version()");
    let version: String = match connection.query_one_raw(ask).await? {
        Some(row) => row.try_get_by_index(0)?,
        None => String::new(),
    };
    if parts(&version) < parts(NEEDED) {
        return Err(OpenError::Library { version, needed: NEEDED });
    }
    Ok(())
}

fn parts(version: &str) -> Vec<u32> {
    version.split('.').map(|part| part.parse().unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        for (earlier, later) in [("3.51.2", "3.51.3"), ("3.9.0", "3.51.3"), ("", "3.51.3"), ("3.51.3", "3.100.0")] {
            assert!(parts(earlier) < parts(later), "{earlier} {later}");
        }
        assert!(parts("3.51.3") >= parts(NEEDED));
    }
}
