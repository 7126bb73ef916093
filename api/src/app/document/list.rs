//! `document_list`: a page of the list of documents.

use crate::{
    app::{App, Error},
    domain::Document,
};

/// A page of the list of documents.
#[derive(Debug, Clone)]
pub struct DocumentList {
    /// Ordered by `updated_at`, then `created_at`, newest first
    pub documents: Vec<Document>,
    /// How many documents match on all pages
    pub total: u64,
}

impl App {
    /// Reads a page of the documents whose id starts with `q` or whose title or summary contains it; without deleted ones.
    pub async fn document_list(&self, q: Option<String>, limit: u64, offset: u64) -> Result<DocumentList, Error> {
        let (documents, total) = self.store.documents(q.as_deref(), limit, offset).await?;
        Ok(DocumentList { documents, total })
    }
}
