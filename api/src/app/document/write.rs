//! The use cases that write documents.

use crate::{
    app::{App, CorrelationId, Error, audit},
    domain::{Document, DocumentId, NewDocument, NewVersion},
    store::{DocumentDeleted, DocumentWrite, DocumentWritten},
};

impl App {
    /// Creates a document with its first version.
    pub async fn document_create(&self, new: NewDocument) -> Result<DocumentWritten, Error> {
        Ok(self.store.write_document(DocumentWrite::Create(new)).await?)
    }

    /// Adds a version to a document.
    pub async fn document_submit(&self, new: NewVersion) -> Result<DocumentWritten, Error> {
        Ok(self.store.write_document(DocumentWrite::Submit(new)).await?)
    }

    /// Deletes a document: it is no longer listed and takes no more versions, but can still be read. Deleting it again
    /// changes nothing.
    pub async fn document_delete(&self, id: DocumentId, request: &CorrelationId) -> Result<Document, Error> {
        let (store, logged) = (self.store.clone(), request.clone());
        self.audited(request, async move {
            let DocumentDeleted { document, replayed } = store.delete_document(id).await?;
            if !replayed {
                audit::document_deleted(id, &logged);
            }
            Ok(document)
        })
        .await
    }
}
