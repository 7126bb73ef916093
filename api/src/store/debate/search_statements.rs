//! The statements of a search. They give the columns of a found text, in no order.

use sea_orm::{ConnectionTrait, Statement, Value};

use crate::{
    domain::{SearchKind, SearchWords},
    store::backend::{self, TextSource},
};

const COLUMNS: &str = "search_texts.kind, search_texts.debate_id, search_texts.seq, search_texts.issue, \
     search_texts.argument_id, search_texts.created_at, \
     EXISTS (SELECT 1 FROM debates WHERE debates.id = search_texts.debate_id)";

/// The order of hits, in which an index has the texts.
const NEWEST_FIRST: &str = "ORDER BY created_at DESC, debate_id DESC, seq DESC, issue DESC, kind DESC";

fn of_kinds(kinds: &[SearchKind]) -> String {
    let kinds: Vec<_> = kinds.iter().map(|kind| format!("'{kind}'")).collect();
    format!("search_texts.kind IN ({})", kinds.join(", "))
}

/// Finds the texts of these kinds that have all words.
pub(super) fn all(connection: &impl ConnectionTrait, words: &SearchWords, kinds: &[SearchKind]) -> Statement {
    all_of(connection, words, kinds, |column| backend::text_source(connection, column, words.iter()))
}

/// The same, if the index cannot be read.
pub(super) fn all_without_index(
    connection: &impl ConnectionTrait,
    words: &SearchWords,
    kinds: &[SearchKind],
) -> Statement {
    all_of(connection, words, kinds, |_| TextSource { from: "search_texts".to_owned(), indexed: None })
}

fn all_of(
    connection: &impl ConnectionTrait,
    words: &SearchWords,
    kinds: &[SearchKind],
    source: impl Fn(&str) -> TextSource,
) -> Statement {
    let columns: &[&str] = match (kinds.contains(&SearchKind::Argument), kinds) {
        (true, [_]) => &["argument_text"],
        (true, _) => &["text", "argument_text"],
        (false, _) => &["text"],
    };
    let mut selects = Vec::new();
    let mut values = Vec::new();
    for column in columns {
        // All columns take the same values.
        let TextSource { from, indexed } = source(column);
        let (condition, value) = indexed.unzip();
        values = value.into_iter().map(Value::from).collect();
        let mut conditions: Vec<String> = condition.into_iter().chain([of_kinds(kinds)]).collect();
        conditions.extend(with_words(connection, &format!("search_texts.{column}"), words, &mut values));
        selects.push(format!("SELECT {COLUMNS} FROM {from} WHERE {}", conditions.join(" AND ")));
    }
    Statement::from_sql_and_values(connection.get_database_backend(), selects.join(" UNION ALL "), values)
}

/// Finds those of the newest texts of these kinds that have all words.
pub(in crate::store) fn newest(
    connection: &impl ConnectionTrait,
    words: &SearchWords,
    kinds: &[SearchKind],
    number: usize,
) -> Statement {
    let mut values = Vec::new();
    let text = "coalesce(search_texts.text, search_texts.argument_text)";
    let conditions = with_words(connection, text, words, &mut values).join(" AND ");
    let sql = format!(
        "SELECT {COLUMNS} FROM (SELECT * FROM search_texts WHERE {} {NEWEST_FIRST} LIMIT {number}) AS search_texts WHERE {conditions}",
        of_kinds(kinds)
    );
    Statement::from_sql_and_values(connection.get_database_backend(), sql, values)
}

/// Gives a row if there are more texts of these kinds.
pub(in crate::store) fn more_than(connection: &impl ConnectionTrait, kinds: &[SearchKind], number: usize) -> Statement {
    let sql = format!("SELECT 1 FROM search_texts WHERE {} {NEWEST_FIRST} LIMIT 1 OFFSET {number}", of_kinds(kinds));
    Statement::from_string(connection.get_database_backend(), sql)
}

fn with_words(
    connection: &impl ConnectionTrait,
    text: &str,
    words: &SearchWords,
    values: &mut Vec<Value>,
) -> Vec<String> {
    let has = |word| {
        let (condition, value) = backend::has_word(connection, text, values.len() + 1, word);
        values.push(value.into());
        condition
    };
    words.iter().map(has).collect()
}
