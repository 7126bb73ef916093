//! The trigram index of debate titles: an FTS5 table, which has to be queried separately.

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, Statement, prelude::Uuid};

use crate::store::{
    error::{InconsistentRow, RowName, StoreError},
    fault,
};

/// The shortest text that a trigram index can find.
pub(super) const MIN_LENGTH: usize = 3;

/// The most titles that are looked up by the index. If more match, scanning the debates in the order of the list finds the
/// first page sooner.
const MAX_MATCHES: usize = 1000;

/// Creates the index, the trigger that adds new titles, and the entries of existing ones. Titles never change.
const CREATE: [&str; 3] = [
    "CREATE VIRTUAL TABLE debate_titles \
     USING fts5(title, debate_id UNINDEXED, columnsize = 0, tokenize = 'trigram case_sensitive 1')",
    "CREATE TRIGGER IF NOT EXISTS debate_titles_insert AFTER INSERT ON debates \
     BEGIN INSERT INTO debate_titles (title, debate_id) VALUES (new.title_folded, new.id); END",
    "INSERT INTO debate_titles (title, debate_id) SELECT title_folded, id FROM debates",
];

/// Creates the index if it is missing.
pub(in super::super) async fn create(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    let backend = transaction.get_database_backend();
    let select = Statement::from_string(backend, "SELECT 1 FROM sqlite_schema WHERE name = 'debate_titles'");
    if transaction.query_one_raw(select).await?.is_none() {
        for sql in CREATE {
            transaction.execute_unprepared(sql).await?;
        }
    }
    Ok(())
}

/// The debates whose folded title contains `text`, in no order; none if the text is too short, if too many match, or if the index cannot
/// be read.
pub(in super::super) async fn find(connection: &impl ConnectionTrait, text: &str) -> Option<Vec<Uuid>> {
    if text.chars().count() < MIN_LENGTH {
        return None;
    }
    // In a quoted FTS5 string only the quote is special.
    let quoted = format!("\"{}\"", text.replace('"', "\"\""));
    let sql = format!("SELECT debate_id FROM debate_titles WHERE debate_titles MATCH ? LIMIT {}", MAX_MATCHES + 1);
    let find = Statement::from_sql_and_values(connection.get_database_backend(), sql, [quoted.into()]);
    let found = connection.query_all_raw(find).await;
    match found.and_then(|found| found.iter().map(|row| row.try_get_by_index(0)).collect::<Result<Vec<_>, _>>()) {
        Ok(ids) => (ids.len() <= MAX_MATCHES).then_some(ids),
        Err(error) => {
            fault::index_left_out("titles", &error);
            None
        }
    }
}

/// Debates that have no entry with their title, entries that are of no debate, and debates that have several.
const DIFFERENCES: [(&str, &str); 3] = [
    (
        "SELECT hex(id) FROM (SELECT id, title_folded FROM debates EXCEPT SELECT debate_id, title FROM debate_titles)",
        "lacks the title of a debate, as it is there",
    ),
    (
        "SELECT hex(debate_id) FROM (SELECT debate_id, title FROM debate_titles EXCEPT SELECT id, title_folded FROM debates)",
        "has a title that its debate does not have",
    ),
    ("SELECT hex(debate_id) FROM debate_titles GROUP BY debate_id HAVING COUNT(*) > 1", "has a debate more than once"),
];

/// Where the index does not agree with the debates.
pub(in super::super) async fn faults(connection: &DatabaseConnection) -> Result<Vec<InconsistentRow>, StoreError> {
    let mut faults = Vec::new();
    for (sql, reason) in DIFFERENCES {
        let found = Statement::from_string(connection.get_database_backend(), sql);
        for row in connection.query_all_raw(found).await? {
            let id: String = row.try_get_by_index(0)?;
            let name = match id.parse() {
                Ok(id) => RowName::Debate(id, None),
                Err(_) => RowName::Other(format!("of debate {id}")),
            };
            faults.push(InconsistentRow::new("debate_titles", "title", name, reason));
        }
    }
    Ok(faults)
}
