//! `/documents`

use std::sync::Arc;

use poem_openapi::OpenApi;

use super::{Answered, Wrote, found, written};
use crate::{
    app::{App, Kept},
    domain::{DocumentId, NewDocument, NewVersion},
    http::{
        caller::Caller,
        contract::{DeletedData, DocumentBody, DocumentListData, DocumentView, HistoryData, KeptData, VersionData},
        input::Input,
        param::{Count, Number, Optional, Path},
        parse,
    },
};

/// How many of a list come where the caller does not say.
const PAGE: u64 = 50;

/// The number of a version, whether there is one or not.
type VersionNumber = Number<1, { i64::MAX as u64 }>;

pub struct Documents {
    app: Arc<App>,
}

impl Documents {
    pub fn new(app: Arc<App>) -> Self {
        Self { app }
    }
}

#[OpenApi]
impl Documents {
    /// Create a document with its first version
    ///
    /// A `client_request_id` is compared with those of all creations.
    #[oai(path = "/documents", method = "post", operation_id = "document_create")]
    async fn document_create(&self, _caller: Caller, body: Input<DocumentBody>) -> Wrote<KeptData> {
        let (text, request_id) = parse::document(body.0, self.app.limits())?;
        kept(self.app.document_create(NewDocument { text, request_id }).await?)
    }

    /// List documents
    ///
    /// Newest `updated_at` first, then newest created; without deleted ones.
    #[oai(path = "/documents", method = "get", operation_id = "document_list")]
    async fn document_list(
        &self,
        _caller: Caller,
        /// Only documents whose id begins with this or whose latest summary holds it; ASCII letters match in either case
        q: Optional<String>,
        /// How many at most; 50 by default
        limit: Optional<Number<1, 200>>,
        /// How many to leave out before the first
        offset: Optional<Count>,
    ) -> Answered<DocumentListData> {
        let q = q.0.map(parse::q).transpose()?;
        let (limit, offset) = (limit.0.map_or(PAGE, |limit| limit.0), offset.0.map_or(0, |offset| offset.0));
        let (documents, total) = self.app.document_list(q, limit, offset).await?;
        found(DocumentListData { documents: documents.into_iter().map(DocumentView::from).collect(), total })
    }

    /// Add a version to a document
    ///
    /// A `client_request_id` is compared with those of the versions that were added to this document.
    #[oai(path = "/documents/:id/versions", method = "post", operation_id = "document_submit")]
    async fn document_submit(
        &self,
        _caller: Caller,
        /// The document
        id: Path<DocumentId>,
        body: Input<DocumentBody>,
    ) -> Wrote<KeptData> {
        let (text, request_id) = parse::document(body.0, self.app.limits())?;
        kept(self.app.document_submit(NewVersion { document_id: id.0?, text, request_id }).await?)
    }

    /// Get a document with one of its versions
    ///
    /// A deleted document can still be read.
    #[oai(path = "/documents/:id", method = "get", operation_id = "document_get")]
    async fn document_get(
        &self,
        _caller: Caller,
        /// The document
        id: Path<DocumentId>,
        /// Which version; the newest by default
        version: Optional<VersionNumber>,
    ) -> Answered<VersionData> {
        found(self.app.document_get(id.0?, version.0.map(|version| version.0)).await?.into())
    }

    /// List the versions of a document, without their contents
    ///
    /// Newest first.
    #[oai(path = "/documents/:id/versions", method = "get", operation_id = "document_history")]
    async fn document_history(
        &self,
        _caller: Caller,
        /// The document
        id: Path<DocumentId>,
        /// How many at most; 50 by default
        limit: Optional<Number<1, 200>>,
        /// How many to leave out before the first
        offset: Optional<Count>,
    ) -> Answered<HistoryData> {
        let (limit, offset) = (limit.0.map_or(PAGE, |limit| limit.0), offset.0.map_or(0, |offset| offset.0));
        found(self.app.document_history(id.0?, limit, offset).await?.into())
    }

    /// Delete a document
    ///
    /// It is gone from lists and takes no new version; what arguments cite can still be read. Once more changes nothing.
    #[oai(path = "/documents/:id", method = "delete", operation_id = "document_delete")]
    async fn document_delete(
        &self,
        _caller: Caller,
        /// The document
        id: Path<DocumentId>,
    ) -> Answered<DeletedData> {
        found(DeletedData { document: self.app.document_delete(id.0?).await?.into() })
    }
}

fn kept(kept: Kept) -> Wrote<KeptData> {
    written(kept.replayed, kept.into())
}
