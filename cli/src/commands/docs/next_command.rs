//! The commands for `metadata.next` of documents. They have real ids and can be run as they are.

use uuid::Uuid;

use crate::output::failure::Failure;

/// Creates a document; the caller writes its text first.
pub const CREATE: &str = "aw docs create --summary Plan --file <path>";

/// After reading a version: what is new in the latest one, or what the latest one changed.
pub fn after_reading(document: Uuid, version: u64, latest: u64) -> String {
    if version < latest { diff(document, version, latest) } else { changes_of(document, version) }
}

/// Shows what a version changed; lists the versions if it is the first.
pub fn changes_of(document: Uuid, version: u64) -> String {
    match version {
        0 | 1 => history(document),
        _ => diff(document, version - 1, version),
    }
}

/// Prints a version, by default the latest.
pub fn get(document: Uuid, version: Option<u64>) -> String {
    let version = version.map_or_else(String::new, |version| format!(" --version {version}"));
    format!("aw docs get {document}{version}")
}

/// Adds the list of versions to a failed read: perhaps only the version does not exist.
pub fn with_history(failure: Failure, document: Uuid) -> Failure {
    if failure.code == "DOCUMENT_NOT_FOUND" { failure.with_next(history(document)) } else { failure }
}

fn diff(document: Uuid, from: u64, to: u64) -> String {
    format!("aw docs diff {document} --from {from} --to {to}")
}

fn history(document: Uuid) -> String {
    format!("aw docs history {document}")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::command_line::CommandLine;

    const ID: Uuid = Uuid::from_u128(7);

    #[test]
    fn every_next_command_is_valid() {
        let reading = [(1, 1), (1, 2), (2, 2)].map(|(version, latest)| after_reading(ID, version, latest));
        let others = [get(ID, None), get(ID, Some(2)), changes_of(ID, 1), CREATE.to_owned()];
        for command in reading.into_iter().chain(others) {
            assert!(CommandLine::try_parse_from(command.split(' ')).is_ok(), "{command}");
        }
    }

    #[test]
    fn after_reading_a_version_the_next_command_shows_what_is_new() {
        let to = |version, latest| after_reading(ID, version, latest).replace(&ID.to_string(), "ID");
        assert_eq!(to(1, 1), "aw docs history ID");
        assert_eq!(to(1, 3), "aw docs diff ID --from 1 --to 3");
        assert_eq!(to(3, 3), "aw docs diff ID --from 2 --to 3");
    }
}
