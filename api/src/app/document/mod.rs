//! The use cases of documents; file, operation id and command have the same name.

mod create;
mod delete;
mod get;
mod history;
mod list;
mod submit;

pub use history::History;

use std::sync::Arc;

use super::{App, Error};
use crate::{
    domain::{Document, DocumentId, DocumentVersion, Missing},
    store::DocumentWrite,
};

/// A document with one of its versions.
#[derive(Debug, Clone)]
pub struct VersionOf {
    /// The document as it is now
    pub document: Document,
    /// The version
    pub version: Arc<DocumentVersion>,
}

/// What became of a write.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The document as it is now
    pub document: Document,
    /// The version that was stored, now or by the same request before
    pub version: Arc<DocumentVersion>,
    /// Whether it had been stored before
    pub replayed: bool,
}

impl App {
    async fn keep(&self, write: DocumentWrite) -> Result<Kept, Error> {
        let written = self.store.write_document(write).await?;
        Ok(Kept { document: written.document, version: written.version, replayed: written.replayed })
    }

    /// The document, deleted or not.
    async fn document(&self, id: DocumentId) -> Result<Document, Error> {
        Ok(self.store.document(id).await?.ok_or(Missing::Document(id))?)
    }
}
