//! The trigram index of the texts that are searched: an FTS5 table over `search_texts`.

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, Statement};

use super::title_index::MIN_LENGTH;
use crate::store::error::{InconsistentRow, RowName, StoreError};

/// Creates the index, the trigger that adds new texts, and the entries of existing ones. Texts never change.
const CREATE: [&str; 3] = [
    "CREATE VIRTUAL TABLE search_index USING fts5(text, argument_text, content = 'search_texts', content_rowid = 'id', \
     tokenize = 'trigram case_sensitive 1')",
    "CREATE TRIGGER search_texts_insert AFTER INSERT ON search_texts \
     BEGIN INSERT INTO search_index (rowid, text, argument_text) VALUES (new.id, new.text, new.argument_text); END",
    "INSERT INTO search_index (search_index) VALUES ('rebuild')",
];

/// Creates the index if it is missing.
pub(in super::super) async fn create(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    let backend = transaction.get_database_backend();
    let select = Statement::from_string(backend, "SELECT 1 FROM sqlite_schema WHERE name = 'search_index'");
    if transaction.query_one_raw(select).await?.is_none() {
        for sql in CREATE {
            transaction.execute_unprepared(sql).await?;
        }
    }
    Ok(())
}

/// SQL for the rows of `search_texts` of which one of the columns contains a text, with the text as the only parameter; none
/// if the text is too short for the index.
pub(in super::super) fn containing(columns: &[&str], text: &str) -> Option<(String, String)> {
    // In a quoted FTS5 string only the quote is special.
    let quoted = format!("{{{}}} : \"{}\"", columns.join(" "), text.replace('"', "\"\""));
    let sql = "id IN (SELECT rowid FROM search_index WHERE search_index MATCH $1)".to_owned();
    (text.chars().count() >= MIN_LENGTH).then_some((sql, quoted))
}

/// Texts that the index lacks. Whether it holds within itself is part of the check of the file.
pub(in super::super) async fn faults(connection: &DatabaseConnection) -> Result<Vec<InconsistentRow>, StoreError> {
    let missing = "SELECT id FROM search_texts EXCEPT SELECT id FROM search_index_docsize";
    let missing = Statement::from_string(connection.get_database_backend(), missing);
    let missing = connection.query_all_raw(missing).await?;
    let fault = |id: i64| {
        let name = RowName::Other(format!("of text {id}"));
        InconsistentRow::new("search_index", "rowid", name, "is missing")
    };
    Ok(missing.iter().map(|row| row.try_get_by_index(0).map(fault)).collect::<Result<_, _>>()?)
}
