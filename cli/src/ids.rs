//! Ids: told apart from nonsense before a request is made, and made where one is needed.

use std::fmt;

use uuid::Uuid;

use crate::error::{Code, Failure};

/// Reads the id given with `option`. Any spelling of a UUID will do (upper case, braces, `urn:uuid:`).
pub fn read(option: &str, text: &str) -> Result<Uuid, Failure> {
    Uuid::parse_str(text).map_err(|error| nonsense(option, &format!("is not a UUID: {error}")))
}

/// Something that exists already, as it was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// By its whole id
    Whole(Uuid),
    /// By how its id begins, in the spelling of the server
    Beginning(String),
    /// By its number within its debate, as in `#5`
    Number(u64),
}

/// As it can be given again.
impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(id) => id.fmt(f),
            Self::Beginning(beginning) => f.write_str(beginning),
            Self::Number(number) => write!(f, "#{number}"),
        }
    }
}

/// Reads the name of a debate or a document: its id or how that begins.
pub fn named(option: &str, text: &str) -> Result<Named, Failure> {
    if let Ok(id) = Uuid::parse_str(text) {
        return Ok(Named::Whole(id));
    }
    let digits: String = text.chars().filter(|c| *c != '-').map(|c| c.to_ascii_lowercase()).collect();
    if digits.is_empty() || digits.len() > 32 || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
        return Err(nonsense(option, "is neither an id nor the beginning of one"));
    }
    let groups = [8, 12, 16, 20];
    let mut beginning = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if groups.contains(&place) {
            beginning.push('-');
        }
        beginning.push(digit);
    }
    Ok(Named::Beginning(beginning))
}

/// Reads the name of an argument: its id, how that begins, or `#` and its number within its debate.
pub fn argument(option: &str, text: &str) -> Result<Named, Failure> {
    match text.strip_prefix('#') {
        None => named(option, text),
        Some(number) => match number.parse() {
            Ok(number) if number > 0 => Ok(Named::Number(number)),
            _ => Err(nonsense(option, "has no number from 1 on after its #")),
        },
    }
}

/// Reads the name of something that may be left out; empty means the same.
pub fn optional<T>(
    read: impl Fn(&str, &str) -> Result<T, Failure>,
    option: &str,
    text: Option<&str>,
) -> Result<Option<T>, Failure> {
    text.filter(|text| !text.is_empty()).map(|text| read(option, text)).transpose()
}

fn nonsense(option: &str, what: &str) -> Failure {
    Failure::new(Code::InvalidInput, format!("{option} {what}"))
        .suggest(format!("Give {option} an id as the other commands print it, such as {EXAMPLE}"))
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
            let whole = Named::Whole(Uuid::parse_str(EXAMPLE).unwrap());
            assert_eq!(named("--debate-id", spelling).unwrap(), whole, "{spelling}");
        }
    }

    #[test]
    fn nonsense_is_refused_by_the_name_of_its_option() {
        let failure = read("--debate-id", "93d81b1a").unwrap_err();
        assert_eq!(failure.code, "INVALID_INPUT");
        assert!(failure.message.starts_with("--debate-id "), "{}", failure.message);
        for wrong in ["nonsense", "", "-", "93d81b1a-0e66-4510-abfd-aa33b26cb82e0", "#", "#0", "#-1", "#5a", " 93"] {
            let failure = argument("--target-id", wrong).unwrap_err();
            assert_eq!(failure.code, "INVALID_INPUT", "{wrong}");
            assert!(failure.message.starts_with("--target-id "), "{}", failure.message);
        }
        assert!(named("--debate-id", "#5").is_err(), "a debate has no number");
    }

    #[test]
    fn a_beginning_is_spelled_as_the_server_spells_ids() {
        for (text, beginning) in
            [("9", "9"), ("93D81B1A", "93d81b1a"), ("93d81b1a0", "93d81b1a-0"), ("93d81b1a-0e66-4", "93d81b1a-0e66-4")]
        {
            assert_eq!(argument("--argument-id", text).unwrap(), Named::Beginning(beginning.to_owned()), "{text}");
        }
        assert_eq!(argument("--argument-id", "#12").unwrap(), Named::Number(12));
    }

    #[test]
    fn what_was_named_can_be_given_again() {
        for text in [EXAMPLE, "93d81b1a-0", "#12"] {
            assert_eq!(argument("--argument-id", text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn an_empty_optional_id_is_none() {
        assert_eq!(optional(read, "--argument-id", None).unwrap(), None);
        assert_eq!(optional(read, "--argument-id", Some("")).unwrap(), None);
        assert!(optional(read, "--argument-id", Some(" ")).is_err());
    }
}
