//! Documents: long texts that arguments refer to, with versions that never change.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::{
    hash::Hash,
    id::{DocumentId, RequestId},
    metadata::Metadata,
    text::{Content, Summary},
    time_text::{serialize_optional_time, serialize_time},
};

/// A document without its versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Document {
    /// Assigned by the server
    pub id: DocumentId,
    /// The summary of version 1; it never changes
    pub title: Summary,
    /// The number of its newest version
    pub latest_version: u64,
    /// The summary of its newest version
    pub summary: Summary,
    /// When it was created
    #[serde(serialize_with = "serialize_time")]
    pub created_at: DateTime<Utc>,
    /// When its newest version was stored; it never decreases, even if the clock does
    #[serde(serialize_with = "serialize_time")]
    pub updated_at: DateTime<Utc>,
    /// When it was deleted, or `None`
    #[serde(serialize_with = "serialize_optional_time")]
    pub deleted_at: Option<DateTime<Utc>>,
}

/// A document in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListedDocument {
    /// The document
    #[serde(flatten)]
    pub document: Document,
    /// The size of its newest version's content, in UTF-8 bytes
    pub content_bytes: u64,
}

/// What a client sends for one version of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentText {
    /// A short description
    pub summary: Summary,
    /// The long text
    pub content: Content,
    /// Any JSON object that the client wants to store with it
    pub metadata: Metadata,
    /// The hash of the content
    pub sha256: Hash,
    /// The hash of the metadata; none in versions that were made before it was kept
    pub metadata_sha256: Option<Hash>,
}

impl DocumentText {
    /// A text with the hashes of its content and metadata.
    pub fn new(summary: Summary, content: Content, metadata: Metadata) -> Self {
        Self {
            sha256: Hash::of_content(content.as_str()),
            metadata_sha256: Some(Hash::of_content(metadata.as_str())),
            summary,
            content,
            metadata,
        }
    }

    /// Whether a client sent the same; a client that repeats a request may write the same metadata in another way.
    pub fn is_same(&self, other: &Self) -> bool {
        (&self.summary, &self.content) == (&other.summary, &other.content) && self.metadata.is_same(&other.metadata)
    }
}

/// One version of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentVersion {
    /// The document that it belongs to
    pub document_id: DocumentId,
    /// Its number: 1, 2, 3… without gaps
    pub version: u64,
    /// Summary, content, metadata and hash; shared because they may be long
    pub text: Arc<DocumentText>,
    /// When the server stored it
    pub created_at: DateTime<Utc>,
}

/// One version of a document without content and metadata, for lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VersionEntry {
    /// The document that it belongs to
    pub document_id: DocumentId,
    /// Its number
    pub version: u64,
    /// A short description
    pub summary: Summary,
    /// The hash of the content
    pub sha256: Hash,
    /// The hash of the metadata; none in versions that were made before it was kept
    pub metadata_sha256: Option<Hash>,
    /// When the server stored it
    #[serde(serialize_with = "serialize_time")]
    pub created_at: DateTime<Utc>,
}

/// A document to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDocument {
    /// The first version
    pub text: Arc<DocumentText>,
    /// Identifies the request when it is repeated
    pub request_id: Option<RequestId>,
}

/// A version to be added to a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewVersion {
    /// The document to add it to
    pub document_id: DocumentId,
    /// The new version
    pub text: Arc<DocumentText>,
    /// Identifies the request when it is repeated
    pub request_id: Option<RequestId>,
}

/// Why a document or a version cannot be read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// No document has this id.
    #[error("there is no document {0}")]
    NotFound(DocumentId),
    /// The document was deleted: its versions can be read, but none can be added.
    #[error("the document {0} was deleted: no version can be added to it")]
    Deleted(DocumentId),
    /// The document has no version with this number.
    #[error("the document {id} has no version {version}: its versions are 1 to {latest}")]
    VersionNotFound {
        /// The document
        id: DocumentId,
        /// The version that was asked for
        version: u64,
        /// The newest version
        latest: u64,
    },
}

impl Document {
    /// Creates a document with its first version.
    pub fn create(id: DocumentId, text: Arc<DocumentText>, now: DateTime<Utc>) -> (Self, DocumentVersion) {
        let document = Self {
            id,
            title: text.summary.clone(),
            latest_version: 1,
            summary: text.summary.clone(),
            created_at: now,
            updated_at: now,
            deleted_at: None,
        };
        (document, DocumentVersion { document_id: id, version: 1, text, created_at: now })
    }

    /// Adds a version. Returns the changed document and the version; an error changes nothing.
    pub fn submit(
        &self,
        text: Arc<DocumentText>,
        now: DateTime<Utc>,
    ) -> Result<(Self, DocumentVersion), DocumentError> {
        if self.deleted_at.is_some() {
            return Err(DocumentError::Deleted(self.id));
        }
        let document = Self {
            latest_version: self.latest_version + 1,
            summary: text.summary.clone(),
            updated_at: now.max(self.updated_at),
            ..self.clone()
        };
        let version = DocumentVersion { document_id: self.id, version: document.latest_version, text, created_at: now };
        Ok((document, version))
    }

    /// The document with `deleted_at` set to `now`, unless it was deleted before.
    pub fn delete(&self, now: DateTime<Utc>) -> Self {
        Self { deleted_at: self.deleted_at.or(Some(now)), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::domain::Limits;

    fn text(summary: &str) -> Arc<DocumentText> {
        Arc::new(DocumentText::new(
            Summary::parse(summary.into()).unwrap(),
            Content::parse(String::new(), Limits::default().document()).unwrap(),
            Metadata::default(),
        ))
    }

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(second, 0).unwrap()
    }

    #[derive(Debug, Clone)]
    enum Operation {
        Submit,
        Delete,
    }

    proptest! {
        /// Versions have no gaps, the document has the summary of the newest one and the title of the first one,
        /// `updated_at` never decreases, and a deleted document does not change.
        #[test]
        fn any_sequence_of_submits_and_deletes_keeps_a_document_consistent(operations in prop::collection::vec(
            (prop_oneof![4 => Just(Operation::Submit), 1 => Just(Operation::Delete)], 0_i64..100), 0..40,
        )) {
            let id = DocumentId(Uuid::from_u128(1));
            let (mut document, first) = Document::create(id, text("v1"), at(50));
            prop_assert_eq!((first.version, first.document_id), (1, id));
            prop_assert_eq!(&document.title, &first.text.summary);
            for (operation, second) in operations {
                let before = document.clone();
                match operation {
                    Operation::Submit => {
                        let summary = format!("v{}", before.latest_version + 1);
                        match document.submit(text(&summary), at(second)) {
                            Ok((after, version)) => {
                                prop_assert_eq!(before.deleted_at, None);
                                prop_assert_eq!(version.version, before.latest_version + 1);
                                prop_assert_eq!(after.latest_version, version.version);
                                prop_assert_eq!(&after.summary, &version.text.summary);
                                prop_assert_eq!(&after.title, &first.text.summary);
                                prop_assert!(after.updated_at >= before.updated_at);
                                document = after;
                            }
                            Err(error) => {
                                prop_assert_eq!(error, DocumentError::Deleted(id));
                                prop_assert!(before.deleted_at.is_some());
                            }
                        }
                    }
                    Operation::Delete => {
                        document = document.delete(at(second));
                        prop_assert_eq!(document.deleted_at, before.deleted_at.or(Some(at(second))));
                        prop_assert_eq!(document.latest_version, before.latest_version);
                    }
                }
            }
        }
    }
}
