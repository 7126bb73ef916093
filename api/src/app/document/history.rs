//! `document_history`: the versions of a document, without their contents.

use crate::{
    app::{App, Error},
    domain::{Document, DocumentId, VersionEntry},
    store::Page,
};

/// A page of the versions of a document.
#[derive(Debug, Clone)]
pub struct DocumentHistory {
    /// The document
    pub document: Document,
    /// Newest first
    pub versions: Page<VersionEntry>,
}

impl App {
    /// Reads a page of the versions of a document, newest first. Deleted documents can be read too.
    pub async fn document_history(&self, id: DocumentId, limit: u64, offset: u64) -> Result<DocumentHistory, Error> {
        let document = self.document(id).await?;
        let versions = self.store.version_entries(&document, limit, offset).await?;
        Ok(DocumentHistory { document, versions })
    }
}
