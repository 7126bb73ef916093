//! `document_history`: the versions of a document, without their contents.

use crate::{
    app::{App, Error},
    domain::{Document, DocumentId, VersionEntry},
};

/// A page of a document's versions.
#[derive(Debug, Clone)]
pub struct History {
    /// The document, whose `latest_version` is how many there are in all
    pub document: Document,
    /// Newest first
    pub versions: Vec<VersionEntry>,
}

impl App {
    /// The `limit` newest versions but for the `offset` newest. A deleted document's can still be read.
    pub async fn document_history(&self, id: DocumentId, limit: u64, offset: u64) -> Result<History, Error> {
        let document = self.document(id).await?;
        let versions = self.store.version_entries(&document, limit, offset).await?;
        Ok(History { document, versions })
    }
}
