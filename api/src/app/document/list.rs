//! `document_list`: a page of the list of documents.

use crate::{
    app::{App, Error},
    domain::{DebateId, ListedDocument},
    store::{Fault, Listed},
};

/// Which documents to list.
#[derive(Debug, Clone)]
pub struct DocumentListQuery {
    /// Only documents whose id starts with this text or whose title or latest summary contains it
    pub q: Option<String>,
    /// Only documents that this debate cites
    pub debate_id: Option<DebateId>,
    /// The most documents on a page
    pub limit: u64,
    /// How many documents to skip
    pub offset: u64,
}

/// A page of the list of documents.
#[derive(Debug, Clone)]
pub struct DocumentList {
    /// Ordered by `updated_at`, then `created_at`, newest first
    pub documents: Vec<ListedDocument>,
    /// How many documents match on all pages
    pub total: u64,
    /// What is left out of the page, as it cannot be read
    pub faults: Vec<Fault>,
}

impl App {
    /// Reads a page of the documents that the query asks for; without deleted ones.
    pub async fn document_list(&self, query: DocumentListQuery) -> Result<DocumentList, Error> {
        let DocumentListQuery { q, debate_id, limit, offset } = query;
        if let Some(id) = debate_id
            && self.store.debate(id).await?.is_none()
        {
            return Err(Error::DebateNotFound(id));
        }
        let (Listed { rows: documents, faults }, total) =
            self.store.documents(q.as_deref(), debate_id, limit, offset).await?;
        Ok(DocumentList { documents, total, faults })
    }
}
