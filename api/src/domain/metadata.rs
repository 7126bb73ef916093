//! Metadata of documents: a JSON object, kept as it was written (SPEC section 3).

use std::{collections::HashSet, fmt};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_path_to_error::Track;

use super::text::{TextFault, TextRule, Unit, check_characters};

/// What a version of a document carries besides its content: a JSON object, verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata(String);

/// Why something is no [`Metadata`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetadataFault {
    /// Its text is over the limit.
    Size(TextFault),
    /// It is something else than an object.
    NotAnObject,
    /// Something in it is not taken.
    Inside {
        /// Where, as in `authors[0].name`; empty where it is the whole
        path: String,
        /// What is wrong
        reason: String,
    },
}

impl Metadata {
    /// The rule for its text.
    pub const RULE: TextRule = TextRule { limit: 65_536, unit: Unit::Bytes, may_be_empty: false };

    /// How many objects and lists may stand within each other. It leaves an answer room to wrap them in what readers
    /// of JSON commonly take, which is 128.
    const MOST_LEVELS: usize = 100;

    /// Takes `json` where it is an object within [`Metadata::RULE`] that names no key twice and whose texts hold no
    /// character that no text may hold.
    pub fn parse(json: &str) -> Result<Self, MetadataFault> {
        Self::RULE.check_size(json).map_err(MetadataFault::Size)?;
        if !json.trim_ascii_start().starts_with('{') {
            return Err(MetadataFault::NotAnObject);
        }
        let (mut track, mut reader) = (Track::new(), serde_json::Deserializer::from_str(json));
        let checked = Value { levels_left: Self::MOST_LEVELS }
            .deserialize(serde_path_to_error::Deserializer::new(&mut reader, &mut track));
        match checked.and_then(|()| reader.end()) {
            Ok(()) => Ok(Self(json.to_owned())),
            Err(error) => Err(MetadataFault::Inside { path: place(&track.path()), reason: error.to_string() }),
        }
    }

    /// Metadata that was checked when it was stored.
    pub(crate) fn from_store(json: String) -> Self {
        Self(json)
    }

    /// The JSON itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A place within metadata, as far as it is worth telling: keys may be long, and many.
fn place(path: &serde_path_to_error::Path) -> String {
    const MOST_TOLD: usize = 100;
    if path.iter().next().is_none() {
        return String::new();
    }
    let path = path.to_string();
    match path.char_indices().nth(MOST_TOLD) {
        Some((end, _)) => format!("{}…", &path[..end]),
        None => path,
    }
}

impl Default for Metadata {
    /// No metadata.
    fn default() -> Self {
        Self("{}".to_owned())
    }
}

/// Any JSON value: looked at, not kept.
#[derive(Clone, Copy)]
struct Value {
    levels_left: usize,
}

impl Value {
    fn inside<E: Error>(self) -> Result<Self, E> {
        match self.levels_left.checked_sub(1) {
            Some(levels_left) => Ok(Self { levels_left }),
            None => Err(E::custom(format_args!("is nested deeper than {} levels", Metadata::MOST_LEVELS))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Value {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        check_characters(text).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let inside = self.inside()?;
        while items.next_element_seed(inside)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let inside = self.inside()?;
        let mut known = HashSet::new();
        while let Some(key) = fields.next_key::<String>()? {
            check_characters(&key).map_err(|fault| A::Error::custom(format_args!("a key {fault}")))?;
            fields.next_value_seed(inside)?;
            if let Some(doubled) = known.replace(key) {
                // Readers disagree on which of the two counts.
                return Err(A::Error::custom(format_args!("the key {doubled:?} is there twice")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(json: &str) -> MetadataFault {
        Metadata::parse(json).unwrap_err()
    }

    fn nested(levels: usize) -> String {
        format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels))
    }

    #[test]
    fn an_object_is_kept_as_it_was_written() {
        for json in [
            "{}",
            r#" { "z" : 1.50 , "a" : [ null , true ] } "#,
            r#"{"n":123456789012345678901234567890,"e":1e2,"t":"\u0041\ud83d\ude00 ệ"}"#,
        ] {
            assert_eq!(Metadata::parse(json).unwrap().as_str(), json);
        }
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for json in ["", "[]", "null", "1", "\"{}\"", "true"] {
            assert_eq!(fault(json), MetadataFault::NotAnObject, "{json}");
        }
    }

    #[test]
    fn a_fault_inside_is_told_with_its_place() {
        for (json, place, what) in [
            (r#"{"a":[{"b":"x\u0007"}]}"#, "a[0].b", "U+0007 at position 1"),
            (r#"{"a":{"\u001b":1}}"#, "a", "U+001B at position 0"),
            (r#"{"a":1,"b":2,"a":3}"#, "", r#""a" is there twice"#),
            (r#"{"a":{"b":1,"\u0062":2}}"#, "a", r#""b" is there twice"#),
            (r#"{"a":"\ud800"}"#, "a", "hex escape"),
            (r#"{"a":1e999}"#, "a", "out of range"),
            (r#"{"a":1"#, "", "EOF"),
            (r#"{"a":1} {}"#, "", "trailing"),
        ] {
            let MetadataFault::Inside { path, reason } = fault(json) else { panic!("{json}") };
            assert!(reason.contains(what), "{json}: {reason}");
            assert!(path.starts_with(place), "{json}: {path}");
        }
    }

    #[test]
    fn the_limit_counts_the_bytes_of_the_text() {
        let json = |bytes: usize| format!(r#"{{"a":"{}"}}"#, "x".repeat(bytes - 8));
        assert!(Metadata::parse(&json(65_536)).is_ok());
        let too_large = TextFault::TooLarge { limit: 65_536, actual: 65_537, unit: Unit::Bytes };
        assert_eq!(fault(&json(65_537)), MetadataFault::Size(too_large));
    }

    #[test]
    fn nesting_has_an_end() {
        assert!(Metadata::parse(&nested(100)).is_ok());
        for levels in [101, 127, 128, 10_000] {
            let MetadataFault::Inside { path, reason } = fault(&nested(levels)) else { panic!("{levels}") };
            assert!(reason.contains("deeper than 100 levels"), "{levels}: {reason}");
            assert!(path.starts_with("a.a.a") && path.chars().count() == 101, "{levels}: {path}");
        }
    }
}
