//! Parses ids before any request is sent, and makes new ones.

use std::fmt;

use uuid::Uuid;

use crate::output::{Code, Failure, reader};

/// Parses the UUID given with `option`, in any spelling (upper case, braces, `urn:uuid:`).
pub fn parse_uuid(option: &str, text: &str) -> Result<Uuid, Failure> {
    Uuid::parse_str(text).map_err(|error| invalid(option, &format!("is not a UUID: {error}")))
}

/// A reference to an existing debate, document or argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdRef {
    /// The whole id
    Full(Uuid),
    /// The first characters of the id, hyphenated as the server writes ids
    Prefix(String),
    /// The number of an argument within its debate, written `#5`
    Seq(u64),
}

/// The reference as an option takes it.
impl fmt::Display for IdRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full(id) => id.fmt(f),
            Self::Prefix(prefix) => f.write_str(prefix),
            Self::Seq(seq) => write!(f, "#{seq}"),
        }
    }
}

/// Parses a reference to a debate or document: its id or a prefix of it, without hyphens or with them where ids have them: another
/// hyphen may be the sign of a number.
pub fn parse_ref(option: &str, text: &str) -> Result<IdRef, Failure> {
    if let Ok(id) = Uuid::parse_str(text) {
        return Ok(IdRef::Full(id));
    }
    let digits = text.replace('-', "");
    match Uuid::parse_str(&format!("{digits:0<32}")) {
        Ok(first) if (1..=32).contains(&digits.len()) => {
            let hyphens = [8, 12, 16, 20].iter().filter(|place| digits.len() > **place).count();
            let id = first.to_string();
            let is_written_so =
                !text.contains('-') || id.get(..text.len()).is_some_and(|id| id.eq_ignore_ascii_case(text));
            let prefix = || IdRef::Prefix(id[..digits.len() + hyphens].to_owned());
            is_written_so.then(prefix).ok_or_else(|| invalid(option, "is neither an id nor a prefix of one"))
        }
        Ok(_) | Err(_) => Err(invalid(option, "is neither an id nor a prefix of one")),
    }
}

/// Parses a reference to an argument: its id, a prefix of it, or `#` and its number.
pub fn parse_argument_ref(option: &str, text: &str) -> Result<IdRef, Failure> {
    match text.strip_prefix('#') {
        None => parse_ref(option, text),
        Some(seq) => match seq.parse() {
            Ok(seq) if seq > 0 => Ok(IdRef::Seq(seq)),
            _ => Err(invalid(option, "needs a number of at least 1 after the #")),
        },
    }
}

/// Parses an optional reference with `parse`; an empty one counts as missing.
pub fn parse_optional(
    parse: impl Fn(&str, &str) -> Result<IdRef, Failure>,
    option: &str,
    text: Option<&str>,
) -> Result<Option<IdRef>, Failure> {
    text.filter(|text| !text.is_empty()).map(|text| parse(option, text)).transpose()
}

fn invalid(option: &str, reason: &str) -> Failure {
    let option = reader::option(option);
    Failure::new(Code::InvalidInput, format!("{option} {reason}"))
        .with_suggestion(format!("Give {option} an id as other commands print it, such as {EXAMPLE}"))
}

const EXAMPLE: &str = "93d81b1a-0e66-4510-abfd-aa33b26cb82e";

/// Makes a random id.
#[expect(clippy::disallowed_methods, reason = "the only place where the command line makes ids")]
pub fn new_id() -> Uuid {
    Uuid::new_v4()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_uuid_is_accepted() {
        for spelling in [
            "93D81B1A-0E66-4510-ABFD-AA33B26CB82E",
            "{93d81b1a-0e66-4510-abfd-aa33b26cb82e}",
            "urn:uuid:93d81b1a-0e66-4510-abfd-aa33b26cb82e",
            "93d81b1a0e664510abfdaa33b26cb82e",
        ] {
            assert_eq!(parse_uuid("--debate-id", spelling).unwrap().to_string(), EXAMPLE, "{spelling}");
            let full = IdRef::Full(Uuid::parse_str(EXAMPLE).unwrap());
            assert_eq!(parse_ref("--debate-id", spelling).unwrap(), full, "{spelling}");
        }
    }

    #[test]
    fn an_invalid_id_is_refused_and_the_option_named() {
        let failure = parse_uuid("--debate-id", "93d81b1a").unwrap_err();
        assert_eq!(failure.code, "INVALID_INPUT");
        assert!(failure.message.starts_with("--debate-id "), "{}", failure.message);
        for text in [
            "nonsense",
            "",
            "-",
            "93d81b1a-0e66-4510-abfd-aa33b26cb82e0",
            "#",
            "#0",
            "#-1",
            "#5a",
            " 93",
            "-1",
            "9-3",
            "93d81b1a-0-e66",
            "93d81b1a--0",
            "1-",
            "93-d81b1a",
        ] {
            let failure = parse_argument_ref("--target-id", text).unwrap_err();
            assert_eq!(failure.code, "INVALID_INPUT", "{text}");
            assert!(failure.message.starts_with("--target-id "), "{}", failure.message);
        }
        assert!(parse_ref("--debate-id", "#5").is_err(), "a debate has no number");
    }

    #[test]
    fn a_prefix_is_hyphenated_like_an_id() {
        for (text, prefix) in [
            ("9", "9"),
            ("93D81B1A", "93d81b1a"),
            ("93d81b1a0", "93d81b1a-0"),
            ("93d81b1a-0e66-4", "93d81b1a-0e66-4"),
            ("93d81b1a-", "93d81b1a"),
        ] {
            assert_eq!(parse_argument_ref("--argument-id", text).unwrap(), IdRef::Prefix(prefix.to_owned()), "{text}");
        }
        assert_eq!(parse_argument_ref("--argument-id", "#12").unwrap(), IdRef::Seq(12));
    }

    #[test]
    fn a_reference_prints_as_it_was_given() {
        for text in [EXAMPLE, "93d81b1a-0", "#12"] {
            assert_eq!(parse_argument_ref("--argument-id", text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn an_empty_optional_id_is_none() {
        assert_eq!(parse_optional(parse_ref, "--argument-id", None).unwrap(), None);
        assert_eq!(parse_optional(parse_ref, "--argument-id", Some("")).unwrap(), None);
        assert!(parse_optional(parse_ref, "--argument-id", Some(" ")).is_err());
    }
}
