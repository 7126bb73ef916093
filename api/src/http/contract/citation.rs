//! What arguments cite, in responses.

use poem_openapi::Object;
use uuid::Uuid;

/// A version of a document that an argument cites, with the hash of its content.
#[derive(Object)]
pub struct Citation {
    /// The document's id
    document_id: Uuid,
    /// The number of the version
    version: u64,
    /// SHA-256 over the bytes of the version's content, in hexadecimal, as `sha256sum` prints it
    sha256: String,
}

/// A version of a document that an argument cites.
#[derive(Object)]
pub struct CitedVersion {
    /// The document's id
    document_id: Uuid,
    /// The number of the version
    version: u64,
}
