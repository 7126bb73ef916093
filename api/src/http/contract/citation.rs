//! What arguments cite, in responses.

use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use crate::domain;

/// A version of a document that an argument cites, with the hash of its content.
#[derive(Debug, Clone, Object, Serialize)]
pub struct Citation {
    /// The document's id
    pub document_id: Uuid,
    /// The number of the version
    pub version: u64,
    /// SHA-256 over the bytes of the version's content, in hexadecimal, as `sha256sum` prints it
    pub sha256: String,
}

/// A version of a document that an argument cites.
#[derive(Debug, Clone, Object, Serialize)]
pub struct CitedVersion {
    /// The document's id
    pub document_id: Uuid,
    /// The number of the version
    pub version: u64,
}

impl From<&domain::Citation> for Citation {
    fn from(citation: &domain::Citation) -> Self {
        Self { document_id: citation.document_id.0, version: citation.version, sha256: citation.sha256.to_string() }
    }
}

impl From<&domain::CitedVersion> for CitedVersion {
    fn from(cited: &domain::CitedVersion) -> Self {
        Self { document_id: cited.document_id.0, version: cited.version }
    }
}
