//! Documents and their versions as they are answered (SPEC section 3).

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use poem_openapi::{
    Object,
    registry::{MetaSchema, MetaSchemaRef},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, value::RawValue};
use uuid::Uuid;

use super::debate::rfc3339;
use crate::{
    app::{History, Kept, VersionOf},
    domain::{Document, DocumentVersion, Metadata, VersionEntry},
};

/// A JSON object of somebody's own, passed on as it was written.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JsonObject(Box<RawValue>);

impl JsonObject {
    /// The JSON itself.
    pub fn text(&self) -> &str {
        self.0.get()
    }
}

impl Type for JsonObject {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "object".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Inline(Box::new(MetaSchema {
            additional_properties: Some(Box::new(MetaSchemaRef::Inline(Box::new(MetaSchema::ANY)))),
            ..MetaSchema::new("object")
        }))
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl ParseFromJSON for JsonObject {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        serde_json::value::to_raw_value(&value.unwrap_or_default()).map(Self).map_err(ParseError::custom)
    }
}

impl ToJSON for JsonObject {
    fn to_json(&self) -> Option<Value> {
        serde_json::from_str(self.text()).ok()
    }
}

impl From<&Metadata> for JsonObject {
    fn from(metadata: &Metadata) -> Self {
        // Whatever is stored was read as JSON before; were it not, it would be told as null.
        Self(RawValue::from_string(metadata.as_str().to_owned()).unwrap_or_default())
    }
}

/// A document without what its versions say.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "Document")]
pub struct DocumentView {
    /// Its name, made by the server
    pub id: Uuid,
    /// The number of its newest version
    pub latest_version: u64,
    /// What its newest version is about
    pub summary: String,
    /// When it was created
    #[serde(serialize_with = "rfc3339")]
    pub created_at: DateTime<Utc>,
    /// When its newest version came
    #[serde(serialize_with = "rfc3339")]
    pub updated_at: DateTime<Utc>,
    /// When it was deleted, or null
    #[serde(serialize_with = "rfc3339_or_null")]
    pub deleted_at: Option<DateTime<Utc>>,
}

fn rfc3339_or_null<S: Serializer>(time: &Option<DateTime<Utc>>, serializer: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => rfc3339(time, serializer),
        None => serializer.serialize_none(),
    }
}

impl From<Document> for DocumentView {
    fn from(document: Document) -> Self {
        Self {
            id: document.id.0,
            latest_version: document.latest_version,
            summary: document.summary.into_string(),
            created_at: document.created_at,
            updated_at: document.updated_at,
            deleted_at: document.deleted_at,
        }
    }
}

/// One version of a document.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "DocumentVersion")]
pub struct VersionView {
    /// The document it belongs to
    pub document_id: Uuid,
    /// Its number: 1, 2, 3… without gaps
    pub version: u64,
    /// What it is about
    pub summary: String,
    /// The text itself, verbatim
    pub content: String,
    /// What is kept with it
    pub metadata: JsonObject,
    /// When the server took it
    #[serde(serialize_with = "rfc3339")]
    pub created_at: DateTime<Utc>,
}

impl From<&DocumentVersion> for VersionView {
    fn from(version: &DocumentVersion) -> Self {
        Self {
            document_id: version.document_id.0,
            version: version.version,
            summary: version.text.summary.as_str().to_owned(),
            content: version.text.content.as_str().to_owned(),
            metadata: (&version.text.metadata).into(),
            created_at: version.created_at,
        }
    }
}

/// One version of a document without its content.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "DocumentVersionEntry")]
pub struct VersionEntryView {
    /// The document it belongs to
    pub document_id: Uuid,
    /// Its number: 1, 2, 3… without gaps
    pub version: u64,
    /// What it is about
    pub summary: String,
    /// When the server took it
    #[serde(serialize_with = "rfc3339")]
    pub created_at: DateTime<Utc>,
}

impl From<VersionEntry> for VersionEntryView {
    fn from(entry: VersionEntry) -> Self {
        Self {
            document_id: entry.document_id.0,
            version: entry.version,
            summary: entry.summary.into_string(),
            created_at: entry.created_at,
        }
    }
}

/// A document with one of its versions.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "DocumentWithVersion")]
pub struct VersionData {
    /// The document
    pub document: DocumentView,
    /// The version that was asked for
    pub version: VersionView,
}

impl From<VersionOf> for VersionData {
    fn from(found: VersionOf) -> Self {
        Self { document: found.document.into(), version: (&*found.version).into() }
    }
}

/// A version that was stored.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "DocumentSubmitted")]
pub struct KeptData {
    /// The document as it is now
    pub document: DocumentView,
    /// The version as it is stored
    pub version: VersionView,
    /// True where the same request had been taken before, and nothing was stored now
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
}

impl From<Kept> for KeptData {
    fn from(kept: Kept) -> Self {
        Self {
            document: kept.document.into(),
            version: (&*kept.version).into(),
            replayed: kept.replayed.then_some(true),
        }
    }
}

/// A page of the list of documents.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "DocumentList")]
pub struct DocumentListData {
    /// Newest `updated_at` first, then newest created; without deleted ones
    pub documents: Vec<DocumentView>,
    /// How many there are in all
    pub total: u64,
}

/// A page of a document's versions.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "DocumentHistory")]
pub struct HistoryData {
    /// The document
    pub document: DocumentView,
    /// Newest first
    pub versions: Vec<VersionEntryView>,
    /// How many there are in all
    pub total: u64,
}

impl From<History> for HistoryData {
    fn from(history: History) -> Self {
        Self {
            total: history.document.latest_version,
            document: history.document.into(),
            versions: history.versions.into_iter().map(Into::into).collect(),
        }
    }
}

/// A document that is deleted.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "DocumentDeleted")]
pub struct DeletedData {
    /// The document
    pub document: DocumentView,
}
