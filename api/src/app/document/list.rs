//! `document_list`: a page of the list of documents.

use crate::{
    app::{App, Error},
    domain::{DebateId, ListedDocument},
    store::Page,
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

impl App {
    /// Reads a page of the documents that the query asks for, ordered by `updated_at`, then `created_at`, newest first; without deleted ones.
    pub async fn document_list(&self, query: DocumentListQuery) -> Result<Page<ListedDocument>, Error> {
        let DocumentListQuery { q, debate_id, limit, offset } = query;
        if let Some(id) = debate_id
            && self.store.debate(id).await?.is_none()
        {
            return Err(Error::DebateNotFound(id));
        }
        Ok(self.store.documents(q.as_deref(), debate_id, limit, offset).await?)
    }
}
