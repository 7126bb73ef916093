//! `/documents`

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;

use super::{ReadResult, WriteResult, ok, search_text, written};
use crate::{
    app::{App, CorrelationId, DocumentListQuery},
    domain::{DebateId, DocumentId},
    http::{
        auth::Authenticated,
        contract::{DocumentDeleted, DocumentHistory, DocumentList, DocumentSubmitted, DocumentWithVersion},
        params::{Count, DEFAULT_LIMIT, Limit, Number, Optional, Path},
        request_bodies::{self, DocumentSubmit, JsonBody},
    },
};

/// The number of a version.
type VersionNumber = Number<1, { i64::MAX as u64 }>;

pub struct Documents {
    pub app: Arc<App>,
}

#[OpenApi]
impl Documents {
    /// Create a document with its first version
    ///
    /// Arguments cite a version as `doc_id=<id> v<number>` instead of repeating its text. A `client_request_id` must be unique
    /// among the requests that create documents.
    #[oai(path = "/documents", method = "post", operation_id = "document_create")]
    async fn document_create(
        &self,
        _auth: Authenticated,
        body: JsonBody<DocumentSubmit>,
    ) -> WriteResult<DocumentSubmitted> {
        let new = request_bodies::new_document(body.value, self.app.limits())?;
        let result = self.app.document_create(new).await?;
        written(result.replayed, result)
    }

    /// List documents
    ///
    /// Ordered by `updated_at`, then `created_at`, newest first; without deleted documents. With `debate_id`, those that the
    /// arguments of a debate cite as `doc_id=<id> v<number>`.
    #[oai(path = "/documents", method = "get", operation_id = "document_list")]
    async fn document_list(
        &self,
        _auth: Authenticated,
        /// Only documents whose id starts with this text or whose title or latest summary contains it; letters
        /// match in either case
        q: Optional<String>,
        /// Only documents that this debate cites; a debate that does not exist is `DEBATE_NOT_FOUND`
        debate_id: Optional<DebateId>,
        /// The maximum number of documents; 50 by default
        limit: Optional<Limit>,
        /// How many documents to skip; 0 by default
        offset: Optional<Count>,
    ) -> ReadResult<DocumentList> {
        let query = DocumentListQuery {
            q: q.0.map(search_text).transpose()?,
            debate_id: debate_id.0,
            limit: limit.or(DEFAULT_LIMIT),
            offset: offset.or(0),
        };
        ok(self.app.document_list(query).await?)
    }

    /// Add a version to a document
    ///
    /// Versions never change. A document that is deleted takes none: `DOCUMENT_NOT_FOUND`. A `client_request_id` must be unique
    /// among the requests that add versions to this document.
    #[oai(path = "/documents/:id/versions", method = "post", operation_id = "document_submit")]
    async fn document_submit(
        &self,
        _auth: Authenticated,
        /// The document's id
        id: Path<DocumentId>,
        body: JsonBody<DocumentSubmit>,
    ) -> WriteResult<DocumentSubmitted> {
        let new = request_bodies::new_version(body.value, id.0, self.app.limits())?;
        let result = self.app.document_submit(new).await?;
        written(result.replayed, result)
    }

    /// Get a document with one of its versions
    ///
    /// Deleted documents can be read too.
    #[oai(path = "/documents/:id", method = "get", operation_id = "document_get")]
    async fn document_get(
        &self,
        _auth: Authenticated,
        /// The document's id
        id: Path<DocumentId>,
        /// The number of the version; the newest by default
        version: Optional<VersionNumber>,
    ) -> ReadResult<DocumentWithVersion> {
        ok(self.app.document_get(id.0?, version.0.map(|version| version.0)).await?)
    }

    /// List the versions of a document, without their contents
    ///
    /// Newest first.
    #[oai(path = "/documents/:id/versions", method = "get", operation_id = "document_history")]
    async fn document_history(
        &self,
        _auth: Authenticated,
        /// The document's id
        id: Path<DocumentId>,
        /// The maximum number of versions; 50 by default
        limit: Optional<Limit>,
        /// How many versions to skip; 0 by default
        offset: Optional<Count>,
    ) -> ReadResult<DocumentHistory> {
        let (limit, offset) = (limit.or(DEFAULT_LIMIT), offset.or(0));
        ok(self.app.document_history(id.0?, limit, offset).await?)
    }

    /// Delete a document
    ///
    /// The document is no longer listed and takes no more versions, but can still be read. Deleting it again changes
    /// nothing.
    #[oai(path = "/documents/:id", method = "delete", operation_id = "document_delete")]
    async fn document_delete(
        &self,
        _auth: Authenticated,
        request: Data<&CorrelationId>,
        /// The document's id
        id: Path<DocumentId>,
    ) -> ReadResult<DocumentDeleted> {
        ok(DocumentDeleted { document: self.app.document_delete(id.0?, request.0).await? })
    }
}
