//! The domain's enums in responses.

use std::{borrow::Cow, iter, str::FromStr};

use poem_openapi::{
    registry::MetaSchemaRef,
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// An enum whose schema is a plain string, so that a new variant does not break old clients.
#[derive(Debug, Clone, Copy)]
pub struct PlainString<T>(pub T);

impl<T> From<T> for PlainString<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: AsRef<str>> Serialize for PlainString<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_ref())
    }
}

impl<T: Send + Sync> Type for PlainString<T> {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        String::name()
    }

    fn schema_ref() -> MetaSchemaRef {
        String::schema_ref()
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(iter::once(self))
    }
}

impl<T: FromStr + Send + Sync> ParseFromJSON for PlainString<T> {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        let text = String::parse_from_json(value).map_err(ParseError::propagate)?;
        text.parse().map(Self).map_err(|_| ParseError::custom("unknown value"))
    }
}

impl<T: AsRef<str> + Send + Sync> ToJSON for PlainString<T> {
    fn to_json(&self) -> Option<Value> {
        Some(self.0.as_ref().into())
    }
}
