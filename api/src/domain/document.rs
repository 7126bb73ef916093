//! Documents: long texts that arguments refer to, in versions that never change (SPEC section 3).

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::{
    id::{DocumentId, RequestId},
    metadata::Metadata,
    text::{Content, Summary},
};

/// A document without what its versions say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its name
    pub id: DocumentId,
    /// The number of its newest version
    pub latest_version: u64,
    /// What its newest version is about
    pub summary: Summary,
    /// When it was created
    pub created_at: DateTime<Utc>,
    /// When its newest version came; never before an earlier one
    pub updated_at: DateTime<Utc>,
    /// When it was deleted, if it was
    pub deleted_at: Option<DateTime<Utc>>,
}

/// What one version of a document says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// What it is about
    pub summary: Summary,
    /// The long text itself
    pub content: Content,
    /// Whatever its writer wants to keep with it
    pub metadata: Metadata,
}

/// One version of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentVersion {
    /// The document
    pub document_id: DocumentId,
    /// Its number: 1, 2, 3… without gaps
    pub version: u64,
    /// What it says; shared, as it may be long
    pub text: Arc<Text>,
    /// When the server took it
    pub created_at: DateTime<Utc>,
}

/// One version of a document without its content, as it stands in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionEntry {
    /// The document
    pub document_id: DocumentId,
    /// Its number
    pub version: u64,
    /// What it is about
    pub summary: Summary,
    /// When the server took it
    pub created_at: DateTime<Utc>,
}

/// A document that somebody wants to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDocument {
    /// What its first version says
    pub text: Arc<Text>,
    /// What the write may be repeated by
    pub request_id: Option<RequestId>,
}

/// A version that somebody wants to add to a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewVersion {
    /// The document that it is meant for
    pub document_id: DocumentId,
    /// What it says
    pub text: Arc<Text>,
    /// What the write may be repeated by
    pub request_id: Option<RequestId>,
}

/// What of a document is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// There never was such a document.
    #[error("there is no document {0}")]
    Document(DocumentId),
    /// It was deleted: its versions can be read, but no more are taken.
    #[error("the document {0} was deleted: it takes no new version")]
    Deleted(DocumentId),
    /// It has no such version.
    #[error("the document {id} has no version {version}: its versions are 1 to {latest}")]
    Version {
        /// The document
        id: DocumentId,
        /// The version that was asked for
        version: u64,
        /// The newest that there is
        latest: u64,
    },
}

impl Document {
    /// The document `id`, created at `now` with its first version.
    pub fn create(id: DocumentId, text: Arc<Text>, now: DateTime<Utc>) -> (Self, DocumentVersion) {
        let document = Self {
            id,
            latest_version: 1,
            summary: text.summary.clone(),
            created_at: now,
            updated_at: now,
            deleted_at: None,
        };
        (document, DocumentVersion { document_id: id, version: 1, text, created_at: now })
    }

    /// Adds a version at `now`: the document afterwards and the version. A refusal changes nothing.
    pub fn submit(&self, text: Arc<Text>, now: DateTime<Utc>) -> Result<(Self, DocumentVersion), Missing> {
        if self.deleted_at.is_some() {
            return Err(Missing::Deleted(self.id));
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

    /// The document deleted at `now`, or when it was before.
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

    fn text(summary: &str) -> Arc<Text> {
        Arc::new(Text {
            summary: Summary::parse(summary.into()).unwrap(),
            content: Content::parse(String::new(), Limits::default().document()).unwrap(),
            metadata: Metadata::default(),
        })
    }

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(second, 0).unwrap()
    }

    #[derive(Debug, Clone)]
    enum Move {
        Submit,
        Delete,
    }

    proptest! {
        /// Whatever happens to a document: versions have no gaps, the newest one tells the summary, the last change
        /// does not run backwards, and once deleted it stays as it is.
        #[test]
        fn a_document_counts_its_versions(moves in prop::collection::vec(
            (prop_oneof![4 => Just(Move::Submit), 1 => Just(Move::Delete)], 0_i64..100), 0..40,
        )) {
            let id = DocumentId(Uuid::from_u128(1));
            let (mut document, first) = Document::create(id, text("v1"), at(50));
            prop_assert_eq!((first.version, first.document_id), (1, id));
            for (step, second) in moves {
                let before = document.clone();
                match step {
                    Move::Submit => {
                        let summary = format!("v{}", before.latest_version + 1);
                        match document.submit(text(&summary), at(second)) {
                            Ok((after, version)) => {
                                prop_assert_eq!(before.deleted_at, None);
                                prop_assert_eq!(version.version, before.latest_version + 1);
                                prop_assert_eq!(after.latest_version, version.version);
                                prop_assert_eq!(&after.summary, &version.text.summary);
                                prop_assert!(after.updated_at >= before.updated_at);
                                document = after;
                            }
                            Err(missing) => {
                                prop_assert_eq!(missing, Missing::Deleted(id));
                                prop_assert!(before.deleted_at.is_some());
                            }
                        }
                    }
                    Move::Delete => {
                        document = document.delete(at(second));
                        prop_assert_eq!(document.deleted_at, before.deleted_at.or(Some(at(second))));
                        prop_assert_eq!(document.latest_version, before.latest_version);
                    }
                }
            }
        }
    }
}
