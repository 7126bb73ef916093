//! The schema that a database has, and the one that the migrations make.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, Statement};

use super::{postgres, sqlite};

/// A part of a schema.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::store) struct Part {
    /// `column`, `index`, `constraint`, `trigger` or `rule`
    pub kind: String,
    /// The table that it is of
    pub table: String,
    /// Its name
    pub name: String,
    /// What it is, as the database writes it
    pub definition: String,
}

impl Part {
    /// Whether it is there only where the database has an extension.
    fn needs_trigrams(&self) -> bool {
        self.definition.contains("gin_trgm_ops")
    }
}

/// What the migrations make on SQLite and on PostgreSQL: a test compares these files with what they make, and writes them.
const SQLITE: &str = include_str!("sqlite/schema.txt");
const POSTGRES: &str = include_str!("postgres/schema.txt");

/// The parts of the schema that the migrations make in this database.
pub(in crate::store) async fn expected(connection: &DatabaseConnection) -> Result<Vec<Part>, DbErr> {
    if connection.get_database_backend() == DbBackend::Sqlite {
        return Ok(SQLITE.lines().filter_map(parse).collect());
    }
    let select = Statement::from_string(connection.get_database_backend(), postgres::schema::HAS_TRIGRAMS);
    let has_trigrams = connection.query_one_raw(select).await?.is_some();
    Ok(POSTGRES.lines().filter_map(parse).filter(|part| has_trigrams || !part.needs_trigrams()).collect())
}

/// The parts of the schema that the database has.
pub(in crate::store) async fn found(connection: &DatabaseConnection) -> Result<Vec<Part>, DbErr> {
    let is_sqlite = connection.get_database_backend() == DbBackend::Sqlite;
    let parts = if is_sqlite { sqlite::schema::PARTS } else { postgres::schema::PARTS };
    let rows = connection.query_all_raw(Statement::from_string(connection.get_database_backend(), parts)).await?;
    let part = |row: &sea_orm::QueryResult| {
        let text = |index| Ok::<String, DbErr>(row.try_get_by_index::<Option<String>>(index)?.unwrap_or_default());
        let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Part { kind: text(0)?, table: text(1)?, name: text(2)?, definition: words(text(3)?) })
    };
    let mut parts: Vec<Part> = rows.iter().map(part).collect::<Result<_, DbErr>>()?;
    parts.sort_unstable();
    Ok(parts)
}

/// A part as a line of the files has it.
fn parse(line: &str) -> Option<Part> {
    let mut fields = line.splitn(4, '\t').map(str::to_owned);
    Some(Part { kind: fields.next()?, table: fields.next()?, name: fields.next()?, definition: fields.next()? })
}

#[cfg(test)]
mod tests {
    use std::{env, fs, path::Path};

    use ::tests::store::Backend;
    use rstest::rstest;

    use super::*;
    use crate::store::{backend::open_to_read, tests::TestStore};

    #[rstest]
    #[case::sqlite(Backend::Sqlite, "sqlite/schema.txt", SQLITE)]
    #[case::postgres(Backend::Postgres, "postgres/schema.txt", POSTGRES)]
    #[tokio::test]
    async fn the_files_have_the_schema_that_the_migrations_make(
        #[case] on: Backend,
        #[case] file: &str,
        #[case] written: &str,
    ) {
        let test = TestStore::open(on).await;
        let parts = found(&open_to_read(&test.location()).await.unwrap()).await.unwrap();
        let line = |part: &Part| format!("{}\t{}\t{}\t{}\n", part.kind, part.table, part.name, part.definition);
        let made: String = parts.iter().map(line).collect();
        if env::var("INSTA_UPDATE").as_deref() == Ok("always") {
            fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store/backend").join(file), made).unwrap();
        } else {
            assert_eq!(made, written, "INSTA_UPDATE=always writes the file");
        }
    }
}
