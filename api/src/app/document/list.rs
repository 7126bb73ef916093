//! `document_list`: a page of all documents.

use crate::{
    app::{App, Error},
    domain::Document,
};

impl App {
    /// The documents whose id begins with `q` or whose summary holds it, newest `updated_at` first, then newest created,
    /// and how many there are in all. Deleted ones are left out.
    pub async fn document_list(
        &self,
        q: Option<String>,
        limit: u64,
        offset: u64,
    ) -> Result<(Vec<Document>, u64), Error> {
        Ok(self.store.documents(q.as_deref(), limit, offset).await?)
    }
}
