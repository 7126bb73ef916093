//! What to do next: the command that does it, complete and with real ids, so that it can be run as it stands.

use uuid::Uuid;

use crate::{error::Failure, shell};

/// The command that lists documents.
pub const LIST: &str = "aw docs list";

/// The command that stores the first document, once its text is written.
pub const CREATE: &str = "aw docs create --summary Plan --file <path>";

/// For one who has read a version: what came after it, else what it changed itself.
pub fn after_reading(document: Uuid, version: u64, newest: u64) -> String {
    if version < newest { diff(document, version, newest) } else { changed_by(document, version) }
}

/// The command that shows what a version changed; of the first one, which versions there are.
pub fn changed_by(document: Uuid, version: u64) -> String {
    match version {
        0 | 1 => history(document),
        _ => diff(document, version - 1, version),
    }
}

/// The command that reads a version; the newest where none is said.
pub fn get(document: Uuid, version: Option<u64>) -> String {
    let (document, version) = (document.to_string(), version.map(|version| version.to_string()));
    let version = version.iter().flat_map(|version| ["--version", version]);
    shell::command(["aw", "docs", "get", &document].into_iter().chain(version))
}

/// A failure to read that document, with what leads on: it may be that only the version is not there.
pub fn failure(failure: Failure, document: Uuid) -> Failure {
    if failure.code == "DOCUMENT_NOT_FOUND" { failure.go_on(history(document)) } else { failure }
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
    use crate::args::CommandLine;

    const ID: Uuid = Uuid::from_u128(7);

    #[test]
    fn every_command_that_is_proposed_exists() {
        let reading = [(1, 1), (1, 2), (2, 2)].map(|(version, newest)| after_reading(ID, version, newest));
        let others = [get(ID, None), get(ID, Some(2)), changed_by(ID, 1), LIST.to_owned(), CREATE.to_owned()];
        for command in reading.into_iter().chain(others) {
            assert!(CommandLine::try_parse_from(command.split(' ')).is_ok(), "{command}");
        }
    }

    #[test]
    fn one_who_has_read_a_version_is_led_to_what_is_new_in_another() {
        let to = |version, newest| after_reading(ID, version, newest).replace(&ID.to_string(), "ID");
        assert_eq!(to(1, 1), "aw docs history ID");
        assert_eq!(to(1, 3), "aw docs diff ID --from 1 --to 3");
        assert_eq!(to(3, 3), "aw docs diff ID --from 2 --to 3");
    }
}
