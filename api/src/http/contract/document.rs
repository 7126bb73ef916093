//! Documents and their versions in responses.

use chrono::{DateTime, Utc};
use poem_openapi::{Object, types::Any};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_with::skip_serializing_none;
use uuid::Uuid;

use super::faults::{Fault, faults};
use crate::{
    app,
    domain::{self, serialize_time},
};

/// Any JSON object, kept verbatim.
pub type JsonObject = Any<Box<RawValue>>;

/// A document without its versions.
#[derive(Object)]
pub struct Document {
    /// The document's id, a UUID assigned by the server
    id: Uuid,
    /// The title: the summary of version 1, which never changes
    title: String,
    /// The number of the newest version
    latest_version: u64,
    /// The summary of the newest version
    summary: String,
    /// When the document was created
    created_at: DateTime<Utc>,
    /// When the newest version was stored
    updated_at: DateTime<Utc>,
    /// When the document was deleted, or null
    deleted_at: Option<DateTime<Utc>>,
}

/// One version of a document.
#[derive(Debug, Clone, Object, Serialize)]
pub struct DocumentVersion {
    /// The id of the document that the version belongs to
    pub document_id: Uuid,
    /// The number of the version: 1, 2, 3… without gaps
    pub version: u64,
    /// A short description of the version
    pub summary: String,
    /// The text, verbatim
    pub content: String,
    /// SHA-256 over the bytes of the content, in hexadecimal, as `sha256sum` prints it
    pub sha256: String,
    /// SHA-256 over the bytes of the metadata, in hexadecimal; null if the version was made before this was kept
    pub metadata_sha256: Option<String>,
    /// The JSON object that the client stored with the version
    pub metadata: JsonObject,
    /// When the server stored the version
    #[serde(serialize_with = "serialize_time")]
    pub created_at: DateTime<Utc>,
}

impl From<&domain::DocumentVersion> for DocumentVersion {
    fn from(version: &domain::DocumentVersion) -> Self {
        Self {
            document_id: version.document_id.0,
            version: version.version,
            summary: version.text.summary.as_str().to_owned(),
            content: version.text.content.as_str().to_owned(),
            sha256: version.text.sha256.to_string(),
            metadata_sha256: version.text.metadata_sha256.map(|hash| hash.to_string()),
            // Stored metadata was parsed as JSON before; if it is not JSON nevertheless, null is returned.
            metadata: Any(RawValue::from_string(version.text.metadata.as_str().to_owned()).unwrap_or_default()),
            created_at: version.created_at,
        }
    }
}

/// One version of a document without content and metadata.
#[derive(Object)]
pub struct DocumentVersionEntry {
    /// The id of the document that the version belongs to
    document_id: Uuid,
    /// The number of the version: 1, 2, 3… without gaps
    version: u64,
    /// A short description of the version
    summary: String,
    /// SHA-256 over the bytes of the content, in hexadecimal, as `sha256sum` prints it
    sha256: String,
    /// SHA-256 over the bytes of the metadata, in hexadecimal; null if the version was made before this was kept
    metadata_sha256: Option<String>,
    /// When the server stored the version
    created_at: DateTime<Utc>,
}

/// A document with one of its versions.
#[derive(Debug, Clone, Object, Serialize)]
pub struct DocumentWithVersion {
    /// The document
    pub document: domain::Document,
    /// The requested version
    pub version: DocumentVersion,
}

impl From<app::DocumentWithVersion> for DocumentWithVersion {
    fn from(found: app::DocumentWithVersion) -> Self {
        Self { document: found.document, version: (&*found.version).into() }
    }
}

/// A version that was stored.
#[derive(Debug, Clone, Object, Serialize)]
pub struct DocumentSubmitted {
    /// The document as it is now
    pub document: domain::Document,
    /// The version as it is stored
    pub version: DocumentVersion,
    /// True if the same request was stored before and nothing was stored now
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
}

impl From<app::DocumentWritten> for DocumentSubmitted {
    fn from(written: app::DocumentWritten) -> Self {
        Self {
            document: written.document,
            version: (&*written.version).into(),
            replayed: written.replayed.then_some(true),
        }
    }
}

/// A document in a list.
#[derive(Object)]
pub struct ListedDocument {
    #[oai(flatten)]
    document: domain::Document,
    /// The size of the newest version's content, in UTF-8 bytes
    // Optional for clients, since older servers do not tell it.
    content_bytes: Option<u64>,
}

/// A page of the list of documents.
#[skip_serializing_none]
#[derive(Debug, Clone, Object, Serialize)]
pub struct DocumentList {
    /// The documents, ordered by `updated_at`, then `created_at`, newest first; without deleted ones
    pub documents: Vec<domain::ListedDocument>,
    /// How many documents match the query on all pages, without the `faults` of this page, which `offset` counts
    pub total: u64,
    /// What is left out because it cannot be read, at most 100; absent if nothing is. Whoever runs the server can find all of it with
    /// `aweave-server verify`
    pub faults: Option<Vec<Fault>>,
}

impl From<app::Page<domain::ListedDocument>> for DocumentList {
    fn from(page: app::Page<domain::ListedDocument>) -> Self {
        Self { documents: page.rows, total: page.total, faults: faults(page.faults) }
    }
}

/// A page of the versions of a document.
#[skip_serializing_none]
#[derive(Debug, Clone, Object, Serialize)]
pub struct DocumentHistory {
    /// The document
    pub document: domain::Document,
    /// The versions, newest first
    pub versions: Vec<domain::VersionEntry>,
    /// How many versions the document has
    pub total: u64,
    /// What is left out because it cannot be read, at most 100; absent if nothing is. Whoever runs the server can find all of it with
    /// `aweave-server verify`
    pub faults: Option<Vec<Fault>>,
}

impl From<app::DocumentHistory> for DocumentHistory {
    fn from(app::DocumentHistory { document, versions: page }: app::DocumentHistory) -> Self {
        Self { document, versions: page.rows, total: page.total, faults: faults(page.faults) }
    }
}

/// A deleted document.
#[derive(Debug, Clone, Object, Serialize)]
pub struct DocumentDeleted {
    /// The document
    pub document: domain::Document,
}
