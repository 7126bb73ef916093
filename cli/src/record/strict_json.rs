//! JSON that every program reads alike: without repeated names, of which programs take different ones, and with whole numbers
//! only, each written in its one way, since some programs round others and some do not.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

/// Parses one JSON value.
///
/// # Errors
/// If the text is not JSON, if an object has a name twice, or if a number is not whole, is written otherwise than as its
/// digits, or is too large for a double.
pub fn parse(text: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice::<Strict>(text).map(|strict| strict.0)
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

/// Whether a double holds this number and no other one.
fn is_exact(value: u64) -> bool {
    value < 1 << 53
}

fn not_exact<E: Error>() -> E {
    E::custom("a number is not whole, not written as its digits alone, or too large")
}

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        is_exact(value.unsigned_abs()).then(|| value.into()).ok_or_else(not_exact)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        is_exact(value).then(|| value.into()).ok_or_else(not_exact)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Value, E> {
        Err(not_exact())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((name, Strict(value))) = entries.next_entry::<String, Strict>()? {
            if map.contains_key(&name) {
                return Err(A::Error::custom(format_args!("the name {name:?} is there twice")));
            }
            map.insert(name, value);
        }
        Ok(map.into())
    }
}
