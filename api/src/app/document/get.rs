//! `document_get`: a document with one of its versions.

use std::sync::Arc;

use crate::{
    app::{App, Error},
    domain::{Document, DocumentError, DocumentId, DocumentVersion},
};

/// A document with one of its versions.
#[derive(Debug, Clone)]
pub struct DocumentWithVersion {
    /// The document
    pub document: Document,
    /// The version
    pub version: Arc<DocumentVersion>,
}

impl App {
    /// Reads a document with the given version, or with its newest one. Deleted documents can be read too.
    pub async fn document_get(&self, id: DocumentId, version: Option<u64>) -> Result<DocumentWithVersion, Error> {
        let document = self.document(id).await?;
        let latest = document.latest_version;
        let version = version.unwrap_or(latest);
        if version == 0 || version > latest {
            return Err(DocumentError::VersionNotFound { id, version, latest }.into());
        }
        let version = self.store.document_version(&document, version).await?.into();
        Ok(DocumentWithVersion { document, version })
    }

    /// Reads a document, deleted or not.
    pub(super) async fn document(&self, id: DocumentId) -> Result<Document, Error> {
        Ok(self.store.document(id).await?.ok_or(DocumentError::NotFound(id))?)
    }
}
