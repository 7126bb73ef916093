//! The schemas of types of the domain. Serde reads and writes all JSON, that of these types as the domain says.
//!
//! Enums are plain strings in responses, so that a new variant does not break old clients.

use std::{borrow::Cow, iter};

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    agent::{Agent, RecordAgents},
    citation::{Citation, CitedVersion},
    debate::{AppealOption, ChosenOption, RulingRequest},
    document::{Document, DocumentVersionEntry, ListedDocument},
    issue::{IssueChange, IssueFields, IssueHistoryEntry},
    plan::Plan,
    record::{RecordDecision, RecordFormat, RecordPlan, RecordRuling},
    turn::{Move, Turn},
    wait::WaitingRole,
};
use crate::domain::{self, DebateType, IssueStatus, Role, SearchKind, Side, StateName};

macro_rules! has_schema {
    ($type:ty, $name:expr, $schema_ref:expr, $register:expr) => {
        impl Type for $type {
            const IS_REQUIRED: bool = true;
            type RawValueType = Self;
            type RawElementValueType = Self;

            fn name() -> Cow<'static, str> {
                Cow::from($name)
            }

            fn schema_ref() -> MetaSchemaRef {
                $schema_ref
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

/// Types that have the schema of another one: of a plain string, or of a type that describes them.
macro_rules! described_by {
    ($($type:ty: $schema:ty),+ $(,)?) => {$(
        has_schema!($type, <$schema>::name(), <$schema>::schema_ref(), <$schema>::register);
    )+};
}

/// An enum in a request, whose schema lists the values.
#[derive(Debug, Clone, Copy, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Listed<T>(pub T);

macro_rules! listed {
    ($($name:ident: $description:literal),+ $(,)?) => {$(
        has_schema!(
            Listed<$name>,
            stringify!($name),
            MetaSchemaRef::Reference(stringify!($name).to_owned()),
            |registry: &mut Registry| registry.create_schema::<Self, _>(stringify!($name).to_owned(), |_| MetaSchema {
                description: Some($description),
                enum_items: $name::ALL.iter().map(|one| one.as_str().into()).collect(),
                ..MetaSchema::new("string")
            })
        );
    )+};
}

listed! {
    DebateType: "The type of a debate.",
    Role: "A participant of a debate.",
    Side: "One of the two sides that argue.",
    StateName: "The state of a debate.",
    IssueStatus: "Where an issue stands.",
    SearchKind: "The kind of a text that is searched.",
    RecordFormat: "What a record is answered as.",
}

described_by! {
    domain::Action: String,
    domain::Agent: Agent,
    domain::AgentsOfRole: RecordAgents,
    domain::AppealOption: AppealOption,
    domain::ArgumentType: String,
    domain::ChangeField: String,
    domain::ChangeName: String,
    domain::ChosenOption: ChosenOption,
    domain::Citation: Citation,
    domain::CitedVersion: CitedVersion,
    domain::ClosingRuling: RecordDecision,
    DebateType: String,
    domain::Document: Document,
    domain::HistoryEntry: IssueHistoryEntry,
    domain::Issue: IssueFields,
    domain::IssueChange: IssueChange,
    IssueStatus: String,
    domain::ListedDocument: ListedDocument,
    domain::Move: Move,
    domain::Outcome: String,
    domain::Plan: Plan,
    domain::RecordedPlan: RecordPlan,
    domain::RecordedRuling: RecordRuling,
    Role: String,
    domain::RulingRequest: RulingRequest,
    SearchKind: String,
    domain::SeatHolder: String,
    domain::Severity: String,
    StateName: String,
    domain::Turn: Turn,
    domain::VersionEntry: DocumentVersionEntry,
    domain::Waiting: WaitingRole,
}
