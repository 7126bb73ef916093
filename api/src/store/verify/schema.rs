//! Checks that the schema is the one that the migrations make: where a trigger or an index is gone, or a foreign trigger drops rows,
//! what is read and written is not what was meant, though each row is.

use std::collections::{BTreeMap, BTreeSet};

use sea_orm::DatabaseConnection;

use crate::store::{
    backend::schema::{self, Part},
    error::{InconsistentRow, RowName, StoreError},
};

/// Adds what is missing or may change rows to `faults`, and what is only foreign to `notes`.
pub(super) async fn verify(
    connection: &DatabaseConnection,
    faults: &mut Vec<InconsistentRow>,
    notes: &mut Vec<String>,
) -> Result<(), StoreError> {
    let (expected, found) = (schema::expected(connection).await?, schema::found(connection).await?);
    compare(&expected, &found, |reason| faults.push(fault(&reason)), notes);
    Ok(())
}

fn fault(reason: &str) -> InconsistentRow {
    InconsistentRow::new("*", "*", RowName::Other("of the schema".to_owned()), reason)
}

/// What is told of a part.
type Key<'p> = (&'p str, &'p str, &'p str);

fn compare(expected: &[Part], found: &[Part], mut fault: impl FnMut(String), notes: &mut Vec<String>) {
    let (expected, found) = (by_key(expected), by_key(found));
    let tables = |parts: &BTreeMap<Key<'_>, &str>| -> BTreeSet<String> {
        parts.keys().filter(|(kind, ..)| *kind == "column").map(|(_, table, _)| (*table).to_owned()).collect()
    };
    let (own, there) = (tables(&expected), tables(&found));
    for table in own.difference(&there) {
        fault(format!("the table {table} is missing"));
    }
    for ((kind, table, name), definition) in &expected {
        match found.get(&(*kind, *table, *name)) {
            Some(found) if found == definition => {}
            Some(_) => fault(format!("the {kind} {name} of {table} is not as the server made it")),
            None if there.contains(*table) => fault(format!("the {kind} {name} of {table} is missing")),
            None => {}
        }
    }
    for (kind, table, name) in found.keys().filter(|key| !expected.contains_key(*key)) {
        match (*kind, own.contains(*table)) {
            ("trigger" | "rule", true) => fault(format!("the {kind} {name} of {table} is not the server's")),
            (_, true) => notes.push(format!("the {kind} {name} of {table} is not the server's")),
            (_, false) => {}
        }
    }
    notes.extend(there.difference(&own).map(|table| format!("the table {table} is not the server's")));
}

fn by_key(parts: &[Part]) -> BTreeMap<Key<'_>, &str> {
    parts.iter().map(|Part { kind, table, name, definition }| ((&**kind, &**table, &**name), &**definition)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(kind: &str, table: &str, name: &str, definition: &str) -> Part {
        let [kind, table, name, definition] = [kind, table, name, definition].map(str::to_owned);
        Part { kind, table, name, definition }
    }

    #[test]
    fn what_is_missing_or_changes_rows_is_a_fault_and_what_is_only_foreign_a_note() {
        let expected = [
            part("column", "debates", "id", "uuid"),
            part("column", "issues", "title", "text"),
            part("index", "debates", "by_state", "(state)"),
            part("trigger", "debates", "titles", "INSERT"),
        ];
        let told = |found: &[Part]| {
            let (mut faults, mut notes) = (Vec::new(), Vec::new());
            compare(&expected, found, |reason| faults.push(reason), &mut notes);
            (faults.join("; "), notes.join("; "))
        };
        let without = |at: usize| {
            let mut found = expected.to_vec();
            found.remove(at);
            told(&found).0
        };
        let with = |one: Part| told(&[&expected[..], &[one]].concat());
        assert_eq!(told(&expected), Default::default());
        assert_eq!(without(1), "the table issues is missing");
        assert_eq!(without(2), "the index by_state of debates is missing");
        assert_eq!(without(3), "the trigger titles of debates is missing");
        let mut changed = expected.to_vec();
        changed[3].definition = "INSERT twice".to_owned();
        assert_eq!(told(&changed).0, "the trigger titles of debates is not as the server made it");
        for (kind, table, fault, note) in [
            ("trigger", "debates", "the trigger other of debates is not the server's", ""),
            ("rule", "issues", "the rule other of issues is not the server's", ""),
            ("index", "debates", "", "the index other of debates is not the server's"),
            ("column", "debates", "", "the column other of debates is not the server's"),
            ("column", "logs", "", "the table logs is not the server's"),
            ("trigger", "logs", "", ""),
        ] {
            let (faults, notes) = with(part(kind, table, "other", ""));
            assert_eq!((faults.as_str(), notes.as_str()), (fault, note), "{kind} of {table}");
        }
    }
}
