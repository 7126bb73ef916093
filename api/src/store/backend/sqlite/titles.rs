//! An index of all runs of three characters in titles. SQLite keeps it as a table of its own, which is asked by itself.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Statement, prelude::Uuid};

/// What an index of runs of three cannot tell.
const SHORTEST: usize = 3;

/// Titles that are found by the index. Where more of them hold a text, those in front are found sooner by looking through
/// all in their order.
const FEW: usize = 1000;

/// The index, what fills it, and what fills it with titles of before. Titles never change.
const CREATE: [&str; 3] = [
    "CREATE VIRTUAL TABLE debate_titles \
     USING fts5(title, debate_id UNINDEXED, columnsize = 0, tokenize = 'trigram case_sensitive 1')",
    "CREATE TRIGGER debate_titles_insert AFTER INSERT ON debates \
     BEGIN INSERT INTO debate_titles (title, debate_id) VALUES (new.title_folded, new.id); END",
    "INSERT INTO debate_titles (title, debate_id) SELECT title_folded, id FROM debates",
];

/// Makes the index, where there is none.
pub(in super::super) async fn index(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    let backend = transaction.get_database_backend();
    let there = Statement::from_string(backend, "SELECT 1 FROM sqlite_schema WHERE name = 'debate_titles'");
    if transaction.query_one_raw(there).await?.is_none() {
        for sql in CREATE {
            transaction.execute_unprepared(sql).await?;
        }
    }
    Ok(())
}

/// The debates whose folded title holds `text`, in no order; none where that is too short or holds for too many.
pub(in super::super) async fn find(connection: &impl ConnectionTrait, text: &str) -> Result<Option<Vec<Uuid>>, DbErr> {
    if text.chars().count() < SHORTEST {
        return Ok(None);
    }
    // Between quotes everything but a quote is plain.
    let quoted = format!("\"{}\"", text.replace('"', "\"\""));
    let sql = format!("SELECT debate_id FROM debate_titles WHERE debate_titles MATCH ? LIMIT {}", FEW + 1);
    let find = Statement::from_sql_and_values(connection.get_database_backend(), sql, [quoted.into()]);
    let found = connection.query_all_raw(find).await?;
    if found.len() > FEW {
        return Ok(None);
    }
    Ok(Some(found.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?))
}
