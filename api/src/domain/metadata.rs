//! Metadata of documents: a JSON object that is stored verbatim.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_path_to_error::Track;

use super::text::{TextError, TextRule, Unit, check_characters};

/// The metadata of a version of a document: a JSON object, verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata(String);

/// Why metadata is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetadataError {
    /// The JSON is too long.
    Size(TextError),
    /// The JSON is not an object.
    NotAnObject,
    /// Something inside the object is not accepted.
    Inside {
        /// The path to it, such as `authors[0].name`; empty for the whole object
        path: String,
        /// What is wrong with it
        reason: String,
    },
}

impl Metadata {
    /// The length limit of the JSON.
    pub const RULE: TextRule = TextRule { limit: 65_536, unit: Unit::Bytes, may_be_empty: false };

    /// How deep objects and arrays may be nested. Many JSON parsers accept 128 levels, and a response adds a few.
    const MAX_DEPTH: usize = 100;

    /// Accepts a JSON object within [`Metadata::RULE`], without duplicate keys and without control characters in strings.
    pub fn parse(json: &str) -> Result<Self, MetadataError> {
        Self::RULE.check_size(json).map_err(MetadataError::Size)?;
        if !json.trim_ascii_start().starts_with('{') {
            return Err(MetadataError::NotAnObject);
        }
        let (mut track, mut reader) = (Track::new(), serde_json::Deserializer::from_str(json));
        let checked = AnyValue { levels_left: Self::MAX_DEPTH }
            .deserialize(serde_path_to_error::Deserializer::new(&mut reader, &mut track));
        match checked.and_then(|()| reader.end()) {
            Ok(()) => Ok(Self(json.to_owned())),
            Err(error) => Err(MetadataError::Inside { path: shortened(&track.path()), reason: error.to_string() }),
        }
    }

    /// Metadata from the database, which was checked when it was stored.
    pub(crate) fn from_store(json: String) -> Self {
        Self(json)
    }

    /// Whether it is the same value, however each is written.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        is_same_json(&self.0, &other.0)
    }

    /// The JSON.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether two JSON texts are the same value. Numbers are compared as they are written, since not all have a type that holds them.
fn is_same_json(one: &str, other: &str) -> bool {
    type Fields<'a> = HashMap<String, &'a RawValue>;
    fn parsed<'a, T: Deserialize<'a>>(one: &'a str, other: &'a str) -> Option<(T, T)> {
        serde_json::from_str(one).ok().zip(serde_json::from_str(other).ok())
    }
    let is_same = |one: &RawValue, other: &RawValue| is_same_json(one.get(), other.get());
    if let Some((one, other)) = parsed::<Fields<'_>>(one, other) {
        one.len() == other.len()
            && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| is_same(value, other)))
    } else if let Some((one, other)) = parsed::<Vec<&RawValue>>(one, other) {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
    } else if let Some((one, other)) = parsed::<String>(one, other) {
        one == other
    } else {
        one.trim() == other.trim()
    }
}

/// The path as text, shortened because keys may be long and many.
fn shortened(path: &serde_path_to_error::Path) -> String {
    const MAX_CHARACTERS: usize = 100;
    if path.iter().next().is_none() {
        return String::new();
    }
    let path = path.to_string();
    match path.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &path[..end]),
        None => path,
    }
}

impl Default for Metadata {
    /// The empty object.
    fn default() -> Self {
        Self("{}".to_owned())
    }
}

/// Checks any JSON value without storing it.
#[derive(Clone, Copy)]
struct AnyValue {
    levels_left: usize,
}

impl AnyValue {
    fn nested<E: Error>(self) -> Result<Self, E> {
        match self.levels_left.checked_sub(1) {
            Some(levels_left) => Ok(Self { levels_left }),
            None => Err(E::custom(format_args!("is nested deeper than {} levels", Metadata::MAX_DEPTH))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for AnyValue {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyValue {
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
        let nested = self.nested()?;
        while items.next_element_seed(nested)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let nested = self.nested()?;
        let mut keys = HashSet::new();
        while let Some(key) = fields.next_key::<String>()? {
            check_characters(&key).map_err(|error| A::Error::custom(format_args!("a key {error}")))?;
            fields.next_value_seed(nested)?;
            if let Some(duplicate) = keys.replace(key) {
                // JSON parsers disagree on which of the two counts.
                return Err(A::Error::custom(format_args!("the key {duplicate:?} occurs twice")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(json: &str) -> MetadataError {
        Metadata::parse(json).unwrap_err()
    }

    fn nested(levels: usize) -> String {
        format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels))
    }

    #[test]
    fn an_object_is_stored_as_it_was_sent() {
        for json in [
            "{}",
            r#" { "z" : 1.50 , "a" : [ null , true ] } "#,
            r#"{"n":123456789012345678901234567890,"e":1e2,"t":"\u0041\ud83d\ude00 ệ"}"#,
        ] {
            assert_eq!(Metadata::parse(json).unwrap().as_str(), json);
        }
    }

    #[test]
    fn only_objects_are_accepted() {
        for json in ["", "[]", "null", "1", "\"{}\"", "true"] {
            assert_eq!(error(json), MetadataError::NotAnObject, "{json}");
        }
    }

    #[test]
    fn an_error_inside_the_object_has_its_path() {
        for (json, start, what) in [
            (r#"{"a":[{"b":"x\u0007"}]}"#, "a[0].b", "U+0007 at position 1"),
            (r#"{"a":{"\u001b":1}}"#, "a", "U+001B at position 0"),
            (r#"{"a":1,"b":2,"a":3}"#, "", r#""a" occurs twice"#),
            (r#"{"a":{"b":1,"\u0062":2}}"#, "a", r#""b" occurs twice"#),
            (r#"{"a":"\ud800"}"#, "a", "hex escape"),
            (r#"{"a":1e999}"#, "a", "out of range"),
            (r#"{"a":1"#, "", "EOF"),
            (r#"{"a":1} {}"#, "", "trailing"),
        ] {
            let MetadataError::Inside { path, reason } = error(json) else { panic!("{json}") };
            assert!(reason.contains(what), "{json}: {reason}");
            assert!(path.starts_with(start), "{json}: {path}");
        }
    }

    #[test]
    fn the_length_limit_is_in_bytes() {
        let json = |bytes: usize| format!(r#"{{"a":"{}"}}"#, "x".repeat(bytes - 8));
        assert!(Metadata::parse(&json(65_536)).is_ok());
        let too_large = TextError::TooLarge { limit: 65_536, actual: 65_537, unit: Unit::Bytes };
        assert_eq!(error(&json(65_537)), MetadataError::Size(too_large));
    }

    #[test]
    fn nesting_is_limited() {
        assert!(Metadata::parse(&nested(100)).is_ok());
        for levels in [101, 127, 128, 10_000] {
            let MetadataError::Inside { path, reason } = error(&nested(levels)) else { panic!("{levels}") };
            assert!(reason.contains("deeper than 100 levels"), "{levels}: {reason}");
            assert!(path.starts_with("a.a.a") && path.chars().count() == 101, "{levels}: {path}");
        }
    }
}
