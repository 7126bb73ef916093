//! The schemas of types of the domain. Serde reads and writes all JSON, that of these types as the domain says.

use std::{borrow::Cow, iter};

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde_json::Value;

use super::{
    agent::{Agent, RecordAgents},
    citation::{Citation, CitedVersion},
    debate::{AppealOption, ChosenOption, RulingRequest},
    issue::{IssueChange, IssueHistoryEntry},
    plan::Plan,
    record::RecordFormat,
    turn::{Move, Turn},
};
use crate::domain::{self, DebateType, IssueStatus, Role, SearchKind, Side, StateName};

macro_rules! named_schema {
    ($type:ty, $name:expr, $register:expr) => {
        impl Type for $type {
            const IS_REQUIRED: bool = true;
            type RawValueType = Self;
            type RawElementValueType = Self;

            fn name() -> Cow<'static, str> {
                $name.into()
            }

            fn schema_ref() -> MetaSchemaRef {
                MetaSchemaRef::Reference(Self::name().into_owned())
            }

            fn register(registry: &mut Registry) {
                $register(registry);
            }

            fn as_raw_value(&self) -> Option<&Self> {
                Some(self)
            }

            fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
                Box::new(iter::once(self))
            }
        }

        impl ParseFromJSON for $type {
            fn parse_from_json(_value: Option<Value>) -> ParseResult<Self> {
                Err(ParseError::custom("JSON is read by serde"))
            }
        }

        impl ToJSON for $type {
            fn to_json(&self) -> Option<Value> {
                serde_json::to_value(self).ok()
            }
        }
    };
}

/// Enums in requests. Responses have plain strings instead, so that a new variant does not break old clients.
macro_rules! enums {
    ($($name:ident: $description:literal),+ $(,)?) => {$(
        named_schema!($name, stringify!($name), |registry: &mut Registry| {
            registry.create_schema::<$name, _>(stringify!($name).to_owned(), |_| MetaSchema {
                description: Some($description),
                enum_items: $name::ALL.iter().map(|one| one.as_str().into()).collect(),
                ..MetaSchema::new("string")
            });
        });
    )+};
}

/// Values with the types that describe them, of which there are no values.
macro_rules! described_values {
    ($($value:ty: $description:ty),+ $(,)?) => {$(
        named_schema!($value, <$description>::name(), <$description>::register);
    )+};
}

enums! {
    DebateType: "The type of a debate.",
    Role: "A participant of a debate.",
    Side: "One of the two sides that argue.",
    StateName: "The state of a debate.",
    IssueStatus: "Where an issue stands.",
    SearchKind: "The kind of a text that is searched.",
    RecordFormat: "What a record is answered as.",
}

described_values! {
    domain::Agent: Agent,
    domain::AgentsOfRole: RecordAgents,
    domain::AppealOption: AppealOption,
    domain::ChosenOption: ChosenOption,
    domain::Citation: Citation,
    domain::CitedVersion: CitedVersion,
    domain::HistoryEntry: IssueHistoryEntry,
    domain::IssueChange: IssueChange,
    domain::Move: Move,
    domain::Plan: Plan,
    domain::RulingRequest: RulingRequest,
    domain::Turn: Turn,
}
