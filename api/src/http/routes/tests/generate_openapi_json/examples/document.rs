//! The examples of `/documents`.

use std::sync::Arc;

use serde_json::json;

use super::{Example, PLAN, PLAN_TEXTS, Result, body, example_debate::time_of};
use crate::{
    app::{DocumentHistory, DocumentWithVersion, DocumentWritten, Error, Page},
    domain::{Document, DocumentError, DocumentId, DocumentVersion, Limits, ListedDocument, Unit, VersionEntry},
    http::{
        contract::{self, DocumentDeleted, DocumentSubmitted},
        error_response::Rejection,
        params::{Number, Parameter},
        request_bodies,
    },
};

/// The examples, in the order in which their operations are called.
pub(super) fn examples() -> Result<Vec<Example>> {
    let id: DocumentId = PLAN.parse()?;
    let limits = Limits::default();
    let request = json!({
        "summary": "Delete abandoned drafts",
        "content": PLAN_TEXTS[0],
        "metadata": { "branch": "delete-drafts" },
        "client_request_id": "plan-1",
    });
    let new = request_bodies::new_document(body(&request)?, &limits)?;
    let (document, first) = Document::create(id, new.text, time_of(0));
    let too_large = Error::TooLarge {
        field: "content".to_owned(),
        limit: limits.max_document_bytes,
        actual: limits.max_document_bytes + 1,
        unit: Unit::Bytes,
    };
    let created = written("document_create", request, &document, first.clone())?.refused(too_large)?;

    let request = json!({
        "summary": "The job deletes 500 drafts at a time",
        "content": PLAN_TEXTS[1],
        "client_request_id": "plan-2",
    });
    let new = request_bodies::new_version(body(&request)?, Ok(id), &limits)?;
    let (document, second) = document.submit(new.text, time_of(2))?;
    let submitted = written("document_submit", request, &document, second.clone())?
        .refused(Error::from(DocumentError::Deleted(id)))?;

    let Err(not_a_limit) = Number::<1, 200>::parse("all") else { return Err("a limit is a number".into()) };
    let listed = ListedDocument { document: document.clone(), content_bytes: PLAN_TEXTS[1].len() as u64 };
    let list = Page { rows: vec![listed], total: 1, faults: Vec::new() };
    let listed = Example::read("document_list")
        .answered("200", "found", contract::DocumentList::from(list))?
        .refused(Error::invalid("limit", not_a_limit))?;

    let no_version = DocumentError::VersionNotFound { id, version: 7, latest: document.latest_version };
    let got = DocumentWithVersion { document: document.clone(), version: Arc::new(second.clone()) };
    let got = Example::read("document_get")
        .answered("200", "found", contract::DocumentWithVersion::from(got))?
        .refused(Error::from(no_version))?;

    let history = DocumentHistory {
        document: document.clone(),
        versions: Page { rows: vec![entry(second), entry(first)], total: 2, faults: Vec::new() },
    };
    let history = Example::read("document_history")
        .answered("200", "found", contract::DocumentHistory::from(history))?
        .refused(Error::from(DocumentError::NotFound(id)))?;

    let deleted = DocumentDeleted { document: document.delete(time_of(12)) };
    let deleted = Example::read("document_delete")
        .answered("200", "deleted", deleted)?
        .refused(Rejection::AuthFailed("this server requires a token"))?;
    Ok(vec![created, submitted, listed, got, history, deleted])
}

/// The example of a write that stored a version.
fn written(
    operation_id: &'static str,
    request: serde_json::Value,
    document: &Document,
    version: DocumentVersion,
) -> Result<Example> {
    let version = Arc::new(version);
    let written = |replayed| DocumentWritten { document: document.clone(), version: version.clone(), replayed };
    Example::write(operation_id, request).answered("201", "stored", DocumentSubmitted::from(written(false)))?.answered(
        "200",
        "replayed",
        DocumentSubmitted::from(written(true)),
    )
}

fn entry(version: DocumentVersion) -> VersionEntry {
    VersionEntry {
        document_id: version.document_id,
        version: version.version,
        summary: version.text.summary.clone(),
        sha256: version.text.sha256,
        metadata_sha256: version.text.metadata_sha256,
        created_at: version.created_at,
    }
}
