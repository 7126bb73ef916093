//! The plan of a debate in responses.

use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use crate::domain;

/// The plan of a debate: the document that the proposer's arguments cite first.
#[derive(Debug, Clone, Object, Serialize)]
pub struct Plan {
    /// The id of the document
    pub document_id: Uuid,
    /// The version that is the plan now: the highest that the newest argument of the proposer cites that cites the document
    pub version: u64,
    /// SHA-256 over the bytes of the content of `version`, in hexadecimal, as `sha256sum` prints it
    pub sha256: String,
    /// The version with which the debate began: the highest that the first argument of the proposer cites that cites the
    /// document
    pub first_version: u64,
    /// The highest version that any argument up to and including the opponent's newest CLAIM cites, or null
    pub seen_version: Option<u64>,
    /// Whether any argument up to and including the opponent's newest CLAIM cites `version`. Otherwise the opponent cannot have
    /// agreed to it, even if `seen_version` is higher
    pub seen: bool,
}

impl From<domain::Plan> for Plan {
    fn from(domain::Plan { citation, first_version, seen_version, seen }: domain::Plan) -> Self {
        Self {
            document_id: citation.document_id.0,
            version: citation.version,
            sha256: citation.sha256.to_string(),
            first_version,
            seen_version,
            seen,
        }
    }
}
