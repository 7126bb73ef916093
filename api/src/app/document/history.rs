//! `document_history`: the versions of a document, without their contents.

use crate::{
    app::{App, Error},
    domain::{Document, DocumentId, VersionEntry},
    store::{Fault, Listed},
};

/// A page of the versions of a document.
#[derive(Debug, Clone)]
pub struct DocumentHistory {
    /// The document; its `latest_version` is the number of versions on all pages
    pub document: Document,
    /// Newest first
    pub versions: Vec<VersionEntry>,
    /// What is left out of the page, as it cannot be read
    pub faults: Vec<Fault>,
}

impl App {
    /// Reads a page of the versions of a document, newest first. Deleted documents can be read too.
    pub async fn document_history(&self, id: DocumentId, limit: u64, offset: u64) -> Result<DocumentHistory, Error> {
        let document = self.document(id).await?;
        let Listed { rows: versions, faults } = self.store.version_entries(&document, limit, offset).await?;
        Ok(DocumentHistory { document, versions, faults })
    }
}
