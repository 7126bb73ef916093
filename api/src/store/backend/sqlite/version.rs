//! Checks the version of the linked SQLite library.

use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};

use crate::store::error::OpenError;

/// The first version in which restarting the write-ahead log while others read cannot corrupt the database.
const REQUIRED: &str = "3.51.3";

/// Refuses versions before [`REQUIRED`]: a build may link another library than the bundled one.
pub(super) async fn check(connection: &DatabaseConnection) -> Result<(), OpenError> {
    let select = Statement::from_string(connection.get_database_backend(), "SELECT sqlite_version()");
    let version: String = match connection.query_one_raw(select).await? {
        Some(row) => row.try_get_by_index(0)?,
        None => String::new(),
    };
    if parts(&version) < parts(REQUIRED) {
        return Err(OpenError::LibraryVersion { version, required: REQUIRED });
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
        assert!(parts("3.51.3") >= parts(REQUIRED));
    }
}
