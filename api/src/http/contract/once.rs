//! Parameters of the path and the query.

use std::{borrow::Cow, str::FromStr};

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::{ParseError, ParseFromParameter, ParseResult, Type},
};

use crate::domain::ArgumentId;

/// A query parameter that may be given once only: with two, nobody could say which one counts.
#[derive(Debug)]
pub struct Once<T>(pub T);

impl<T: Type> Type for Once<T> {
    const IS_REQUIRED: bool = T::IS_REQUIRED;
    type RawValueType = T::RawValueType;
    type RawElementValueType = T::RawElementValueType;

    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn schema_ref() -> MetaSchemaRef {
        T::schema_ref()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn as_raw_value(&self) -> Option<&Self::RawValueType> {
        self.0.as_raw_value()
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self::RawElementValueType> + 'a> {
        self.0.raw_element_iter()
    }
}

impl<T: ParseFromParameter> ParseFromParameter for Once<T> {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        T::parse_from_parameter(value).map(Self).map_err(ParseError::propagate)
    }

    fn parse_from_parameters<I: IntoIterator<Item = A>, A: AsRef<str>>(values: I) -> ParseResult<Self> {
        let mut values = values.into_iter();
        match (values.next(), values.next()) {
            (Some(value), None) => Self::parse_from_parameter(value.as_ref()),
            (Some(_), Some(_)) => Err(ParseError::custom("it is given more than once")),
            (None, _) => Err(ParseError::custom("it is required")),
        }
    }
}

macro_rules! uuid_parameter {
    ($name:ident $(<$generic:ident: $bound:path>)?) => {
        impl$(<$generic: $bound + Send + Sync>)? Type for $name$(<$generic>)? {
            const IS_REQUIRED: bool = true;
            type RawValueType = Self;
            type RawElementValueType = Self;

            fn name() -> Cow<'static, str> {
                "string_uuid".into()
            }

            fn schema_ref() -> MetaSchemaRef {
                MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", "uuid")))
            }

            fn as_raw_value(&self) -> Option<&Self> {
                Some(self)
            }

            fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
                Box::new(std::iter::once(self))
            }
        }
    };
}

/// The id in a path, in any spelling of a UUID.
#[derive(Debug)]
pub struct PathId<T>(pub T);

uuid_parameter!(PathId<T: FromStr>);

impl<T: FromStr<Err: std::fmt::Display> + Send + Sync> ParseFromParameter for PathId<T> {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        match value.parse() {
            Ok(id) => Ok(Self(id)),
            Err(error) => Err(ParseError::custom(format!("{value:?} is not a UUID: {error}"))),
        }
    }
}

/// The last argument that a waiter has seen; empty where it has seen none.
#[derive(Debug)]
pub struct LastSeen(pub Option<ArgumentId>);

uuid_parameter!(LastSeen);

impl ParseFromParameter for LastSeen {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        if value.is_empty() {
            return Ok(Self(None));
        }
        match value.parse() {
            Ok(id) => Ok(Self(Some(id))),
            Err(error) => Err(ParseError::custom(format!("{value:?} is not a UUID: {error}"))),
        }
    }
}
