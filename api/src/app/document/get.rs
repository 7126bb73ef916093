//! `document_get`: a document with one of its versions.

use super::VersionOf;
use crate::{
    app::{App, Error},
    domain::{DocumentId, Missing},
};

impl App {
    /// The document with the version asked for, or with its newest one. A deleted document can still be read.
    pub async fn document_get(&self, id: DocumentId, version: Option<u64>) -> Result<VersionOf, Error> {
        let document = self.document(id).await?;
        let latest = document.latest_version;
        let version = version.unwrap_or(latest);
        if version == 0 || version > latest {
            return Err(Missing::Version { id, version, latest }.into());
        }
        let version = self.store.document_version(&document, version).await?.into();
        Ok(VersionOf { document, version })
    }
}
