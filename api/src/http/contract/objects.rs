//! Objects in request bodies: serde would accept arrays of the fields' values, too.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};

struct AsObject<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for AsObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = AsObject<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<AsObject<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields)).map(AsObject)
    }
}

/// Accepts null or an object.
pub fn object<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.map(|AsObject(object)| object))
}

/// Accepts null or a list with objects as items.
pub fn objects<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let given = Option::<Vec<AsObject<T>>>::deserialize(deserializer)?;
    Ok(given.map(|items| items.into_iter().map(|AsObject(item)| item).collect()))
}
