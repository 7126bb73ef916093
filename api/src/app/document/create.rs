//! `document_create`: somebody stores a long text to refer to.

use super::Kept;
use crate::{
    app::{App, Error},
    domain::NewDocument,
    store::DocumentWrite,
};

impl App {
    /// Creates a document with its first version.
    pub async fn document_create(&self, new: NewDocument) -> Result<Kept, Error> {
        self.keep(DocumentWrite::Create(new)).await
    }
}
