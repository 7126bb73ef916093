//! `document_delete`: a document goes from the lists.

use crate::{
    app::{App, Error},
    domain::{Document, DocumentId},
};

impl App {
    /// Deletes a document; once more changes nothing. It is gone from lists and takes no new version, and what arguments
    /// refer to can still be read.
    pub async fn document_delete(&self, id: DocumentId) -> Result<Document, Error> {
        Ok(self.store.delete_document(id).await?)
    }
}
