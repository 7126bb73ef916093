//! `document_submit`: a document gets a further version.

use super::Kept;
use crate::{
    app::{App, Error},
    domain::NewVersion,
    store::DocumentWrite,
};

impl App {
    /// Adds a version.
    pub async fn document_submit(&self, new: NewVersion) -> Result<Kept, Error> {
        self.keep(DocumentWrite::Submit(new)).await
    }
}
