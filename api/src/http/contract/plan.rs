//! The plan of a debate in responses.

use poem_openapi::Object;
use uuid::Uuid;

/// The plan of a debate: the document that the proposer's arguments cite first.
#[derive(Object)]
pub struct Plan {
    /// The id of the document
    document_id: Uuid,
    /// The version that is the plan now: the highest that the newest argument of the proposer cites that cites the document
    version: u64,
    /// SHA-256 over the bytes of the content of `version`, in hexadecimal, as `sha256sum` prints it
    sha256: String,
    /// The version with which the debate began: the highest that the first argument of the proposer cites that cites the
    /// document
    first_version: u64,
    /// The highest version that any argument up to and including the opponent's newest CLAIM cites, or null
    seen_version: Option<u64>,
    /// Whether any argument up to and including the opponent's newest CLAIM cites `version`. Otherwise the opponent cannot have
    /// agreed to it, even if `seen_version` is higher
    seen: bool,
}
