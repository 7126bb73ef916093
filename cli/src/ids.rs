//! Ids: told apart from nonsense before a request is made, and made where one is needed.

use uuid::Uuid;

use crate::error::{Code, Failure};

/// Reads the id given with `option`. Any spelling of a UUID will do (upper case, braces, `urn:uuid:`).
pub fn read(option: &str, text: &str) -> Result<Uuid, Failure> {
    Uuid::parse_str(text).map_err(|error| {
        Failure::new(Code::InvalidInput, format!("{option} is not a UUID: {error}"))
            .suggest(format!("Give {option} an id as the other commands print it, such as {EXAMPLE}"))
    })
}

/// Reads an id that may be left out; empty means the same.
pub fn read_optional(option: &str, text: Option<&str>) -> Result<Option<Uuid>, Failure> {
    text.filter(|text| !text.is_empty()).map(|text| read(option, text)).transpose()
}

const EXAMPLE: &str = "93d81b1a-0e66-4510-abfd-aa33b26cb82e";

/// A new id, unlike any other.
#[expect(clippy::disallowed_methods, reason = "the one place where the command line makes ids")]
pub fn fresh() -> Uuid {
    Uuid::new_v4()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_becomes_the_same_id() {
        for spelling in [
            "93D81B1A-0E66-4510-ABFD-AA33B26CB82E",
            "{93d81b1a-0e66-4510-abfd-aa33b26cb82e}",
            "urn:uuid:93d81b1a-0e66-4510-abfd-aa33b26cb82e",
            "93d81b1a0e664510abfdaa33b26cb82e",
        ] {
            assert_eq!(read("--debate-id", spelling).unwrap().to_string(), EXAMPLE, "{spelling}");
        }
    }

    #[test]
    fn nonsense_is_refused_by_the_name_of_its_option() {
        let failure = read("--target-id", "93d81b1a").unwrap_err();
        assert_eq!(failure.code, "INVALID_INPUT");
        assert!(failure.message.starts_with("--target-id "), "{}", failure.message);
    }

    #[test]
    fn an_empty_optional_id_is_none() {
        assert_eq!(read_optional("--argument-id", None).unwrap(), None);
        assert_eq!(read_optional("--argument-id", Some("")).unwrap(), None);
        assert!(read_optional("--argument-id", Some(" ")).is_err());
    }
}
