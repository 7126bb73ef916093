//! The schemas of the domain's enums in requests. Responses have plain strings instead, so that a new variant does not break
//! old clients.

use std::borrow::Cow;

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde_json::Value;

use super::record::RecordFormat;
use crate::domain::{DebateType, IssueStatus, Role, SearchKind, Side, StateName};

macro_rules! contract_enum {
    ($($name:ident: $description:literal),+ $(,)?) => {$(
        impl Type for $name {
            const IS_REQUIRED: bool = true;
            type RawValueType = Self;
            type RawElementValueType = Self;

            fn name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn schema_ref() -> MetaSchemaRef {
                MetaSchemaRef::Reference(Self::name().into_owned())
            }

            fn register(registry: &mut Registry) {
                registry.create_schema::<Self, _>(Self::name().into_owned(), |_| MetaSchema {
                    description: Some($description),
                    enum_items: Self::ALL.iter().map(|one| one.as_str().into()).collect(),
                    ..MetaSchema::new("string")
                });
            }

            fn as_raw_value(&self) -> Option<&Self> {
                Some(self)
            }

            fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
                Box::new(std::iter::once(self))
            }
        }

        impl ParseFromJSON for $name {
            fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
                serde_json::from_value(value.unwrap_or_default()).map_err(ParseError::custom)
            }
        }

        impl ToJSON for $name {
            fn to_json(&self) -> Option<Value> {
                Some(self.as_str().into())
            }
        }
    )+};
}

contract_enum! {
    DebateType: "The type of a debate.",
    Role: "A participant of a debate.",
    Side: "One of the two sides that argue.",
    StateName: "The state of a debate.",
    IssueStatus: "Where an issue stands.",
    SearchKind: "The kind of a text that is searched.",
    RecordFormat: "What a record is answered as.",
}
