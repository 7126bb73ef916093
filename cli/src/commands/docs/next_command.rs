//! The commands for `metadata.next` of documents. They have real ids and can be run as they are.

use uuid::Uuid;

use crate::output::Invocation;

/// The name of the argument that says which document.
const ID: &str = "document-id";

/// Creates a document; the caller writes its text first.
pub fn create() -> Invocation {
    Invocation::new("docs create").text_option("summary", "Plan").with_text()
}

/// After reading a version: what is new in the latest one, or what the latest one changed.
pub fn after_reading(document: Uuid, version: u64, latest: u64) -> Invocation {
    if version < latest { diff(document, version, latest) } else { changes_of(document, version) }
}

/// Shows what a version changed; lists the versions if it is the first.
pub fn changes_of(document: Uuid, version: u64) -> Invocation {
    match version {
        0 | 1 => history(document),
        _ => diff(document, version - 1, version),
    }
}

/// Prints a version, by default the latest.
pub fn get(document: Uuid, version: Option<u64>) -> Invocation {
    let command = Invocation::new("docs get").positional(ID, document);
    version.into_iter().fold(command, |command, version| command.number_option("version", version))
}

/// Prints what changed between two versions.
pub fn diff(document: Uuid, from: u64, to: u64) -> Invocation {
    Invocation::new("docs diff").positional(ID, document).number_option("from", from).number_option("to", to)
}

/// Lists the versions.
pub fn history(document: Uuid) -> Invocation {
    Invocation::new("docs history").positional(ID, document)
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
        let others = [get(ID, None), get(ID, Some(2)), changes_of(ID, 1), create()];
        for command in reading.into_iter().chain(others) {
            let command = command.to_string();
            assert!(CommandLine::try_parse_from(command.split(' ')).is_ok(), "{command}");
        }
    }

    #[test]
    fn after_reading_a_version_the_next_command_shows_what_is_new() {
        let to = |version, latest| after_reading(ID, version, latest).to_string().replace(&ID.to_string(), "ID");
        assert_eq!(to(1, 1), "aw docs history ID");
        assert_eq!(to(1, 3), "aw docs diff ID --from 1 --to 3");
        assert_eq!(to(3, 3), "aw docs diff ID --from 2 --to 3");
    }
}
