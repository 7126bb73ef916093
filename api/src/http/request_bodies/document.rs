//! The body of a document's version.

use std::sync::Arc;

use poem_openapi::{Object, types::Any};
use serde::Deserialize;

use super::{HasLimits, content, optional_request_id, plan::NoPlan};
use crate::{
    app::Error,
    domain::{DocumentId, DocumentText, Limits, Metadata, NewDocument, NewVersion, Summary, TextRule},
    http::contract::JsonObject,
};

/// A version of a document to be stored.
#[derive(Debug, Object, Deserialize)]
pub struct DocumentSubmit {
    /// A short description, 0 to 500 characters
    pub summary: String,
    /// The text, 0 to 1,048,576 bytes of UTF-8 by default; `GET /info` has the limit
    pub content: String,
    /// Any JSON object to store with the version, at most 65,536 bytes; empty if absent
    pub metadata: Option<JsonObject>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: Option<String>,
    #[oai(skip)]
    #[serde(default)]
    pub plan: NoPlan,
}

impl HasLimits for DocumentSubmit {
    fn rules(limits: &Limits) -> Vec<(&'static str, TextRule)> {
        vec![("summary", Summary::RULE), ("content", limits.document()), ("metadata", Metadata::RULE)]
    }

    fn max_field_bytes(limits: &Limits) -> usize {
        limits.max_document_bytes.max(Metadata::RULE.limit)
    }
}

pub fn new_document(body: DocumentSubmit, limits: &Limits) -> Result<NewDocument, Error> {
    let request_id = body.client_request_id.clone();
    let text = document_text(body, limits)?;
    Ok(NewDocument { text, request_id: optional_request_id(request_id.as_deref())? })
}

pub fn new_version(
    body: DocumentSubmit,
    document_id: Result<DocumentId, Error>,
    limits: &Limits,
) -> Result<NewVersion, Error> {
    let NewDocument { text, request_id } = new_document(body, limits)?;
    Ok(NewVersion { document_id: document_id?, text, request_id })
}

fn document_text(body: DocumentSubmit, limits: &Limits) -> Result<Arc<DocumentText>, Error> {
    let NoPlan = body.plan;
    let too_large = |field: &'static str| move |error| Error::text(field, error);
    let metadata = body.metadata.as_ref().map(|Any(json)| json.get());
    // The lengths of all fields are checked before anything else.
    Summary::RULE.check_size(&body.summary).map_err(too_large("summary"))?;
    limits.document().check_size(&body.content).map_err(too_large("content"))?;
    Metadata::RULE.check_size(metadata.unwrap_or_default()).map_err(too_large("metadata"))?;
    let metadata = metadata.map(Metadata::parse).transpose().map_err(|error| Error::metadata("metadata", error))?;
    Ok(Arc::new(DocumentText::new(
        Summary::parse(body.summary).map_err(|error| Error::text("summary", error))?,
        content("content", body.content, limits.document())?,
        metadata.unwrap_or_default(),
    )))
}
