//! The trigram indices of the texts that are searched: an FTS5 table for the texts of arguments, of which there is much more, and one
//! for all others. They have no positions, which would make them larger, slower to fill and slow to search for texts that repeat
//! themselves: they say which texts have all trigrams of a word, and the texts say which of these have the word.

use std::collections::BTreeSet;

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, Statement};

use super::title_index::MIN_LENGTH;
use crate::store::{
    backend::begin_write,
    error::{InconsistentRow, RowName, StoreError},
};

/// The indices with the columns of `search_texts` that they index.
const INDICES: [(&str, &str); 2] = [("search_index", "text"), ("search_argument_index", "argument_text")];

/// How many pages of an index one step of merging writes. The writer waits for it.
const MERGED_PAGES: u32 = 8;

/// Creates the indices that are missing, the triggers that add new texts, and the entries of existing ones. Texts never change.
pub(in super::super) async fn create(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    let backend = transaction.get_database_backend();
    for (index, column) in INDICES {
        let select = format!("SELECT 1 FROM sqlite_schema WHERE name = '{index}'");
        if transaction.query_one_raw(Statement::from_string(backend, select)).await?.is_some() {
            continue;
        }
        for sql in [
            format!(
                "CREATE VIRTUAL TABLE {index} USING fts5({column}, content = 'search_texts', content_rowid = 'id', \
                 detail = none, tokenize = 'trigram case_sensitive 1')"
            ),
            // It is merged in small steps by `merge_some`, and never as a part of adding a text, which would take long.
            format!("INSERT INTO {index} ({index}, rank) VALUES ('automerge', 0), ('crisismerge', 1000)"),
            format!(
                "CREATE TRIGGER IF NOT EXISTS {index}_insert AFTER INSERT ON search_texts WHEN new.{column} IS NOT NULL \
                 BEGIN INSERT INTO {index} (rowid, {column}) VALUES (new.id, new.{column}); END"
            ),
            format!(
                "INSERT INTO {index} (rowid, {column}) SELECT id, {column} FROM search_texts WHERE {column} IS NOT NULL"
            ),
        ] {
            transaction.execute_unprepared(&sql).await?;
        }
    }
    Ok(())
}

/// Merges parts of the indices, as searches in many small ones are slow. Returns whether there is more to merge.
pub(in super::super) async fn merge_some(connection: &DatabaseConnection) -> Result<bool, DbErr> {
    let mut is_more = false;
    for (index, _) in INDICES {
        let transaction = begin_write(connection).await?;
        let before = changes(&transaction).await?;
        let merge = format!("INSERT INTO {index} ({index}, rank) VALUES ('merge', {MERGED_PAGES})");
        transaction.execute_unprepared(&merge).await?;
        // The statement itself counts as one.
        is_more |= changes(&transaction).await? - before >= 2;
        transaction.commit().await?;
    }
    Ok(is_more)
}

async fn changes(transaction: &DatabaseTransaction) -> Result<i64, DbErr> {
    let select = Statement::from_string(transaction.get_database_backend(), "SELECT total_changes()");
    transaction.query_one_raw(select).await?.map_or(Ok(0), |row| row.try_get_by_index(0))
}

/// SQL for where the rows of `search_texts` come from, for what they have to fulfil, and the parameter of that; none if all words
/// are too short for the index of this column.
pub(in super::super) fn having_trigrams<'w>(
    column: &str,
    words: impl Iterator<Item = &'w str>,
) -> Option<(String, String, String)> {
    let (index, _) = INDICES.into_iter().find(|(_, indexed)| *indexed == column)?;
    let trigrams: BTreeSet<&str> = words.flat_map(trigrams).collect();
    if trigrams.is_empty() {
        return None;
    }
    // In a quoted FTS5 string only the quote is special.
    let quoted: Vec<_> = trigrams.into_iter().map(|trigram| format!("\"{}\"", trigram.replace('"', "\"\""))).collect();
    // The index comes first: SQLite keeps the order of a CROSS JOIN.
    let from = format!("{index} CROSS JOIN search_texts ON search_texts.id = {index}.rowid");
    Some((from, format!("{index} MATCH $1"), quoted.join(" AND ")))
}

fn trigrams(word: &str) -> impl Iterator<Item = &str> {
    let starts = word.char_indices().map(|(at, _)| at);
    let ends = word.char_indices().map(|(at, _)| at).chain([word.len()]).skip(MIN_LENGTH);
    starts.zip(ends).map(|(start, end)| &word[start..end])
}

/// Texts that the indices lack. Whether they hold within themselves is part of the check of the file.
pub(in super::super) async fn faults(connection: &DatabaseConnection) -> Result<Vec<InconsistentRow>, StoreError> {
    let mut faults = Vec::new();
    for (index, column) in INDICES {
        let missing =
            format!("SELECT id FROM search_texts WHERE {column} IS NOT NULL EXCEPT SELECT id FROM {index}_docsize");
        let missing = Statement::from_string(connection.get_database_backend(), missing);
        for row in connection.query_all_raw(missing).await? {
            let name = RowName::Other(format!("of text {}", row.try_get_by_index::<i64>(0)?));
            faults.push(InconsistentRow::new(index, "rowid", name, "is missing"));
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_trigrams_of_its_characters() {
        let of = |word| trigrams(word).collect::<Vec<_>>();
        assert_eq!(of("đồng"), ["đồn", "ồng"]);
        assert_eq!(of("abc"), ["abc"]);
        assert!(of("ab").is_empty() && of("").is_empty());
    }
}
