//! Converts rows to documents and versions and back. An impossible row is an error that names table, column and row.

use std::{fmt::Display, sync::Arc};

use entity::{document, document_version};
use sea_orm::{FromQueryResult, prelude::Uuid};

use super::batch_statements::RequestRow;
use crate::{
    domain::{
        CitedVersion, Content, Document, DocumentId, DocumentText, DocumentVersion, Hash, InvalidRequestId, Metadata,
        RequestId, Summary, VersionEntry, folded,
    },
    store::{
        error::{InconsistentRow, RowName},
        fault::WithId,
        time::from_micros,
    },
};

pub(in crate::store) const DOCUMENTS: &str = "documents";
pub(in crate::store) const VERSIONS: &str = "document_versions";

pub(in crate::store) fn document(row: document::Model) -> Result<Document, InconsistentRow> {
    let bad = |column, reason: &dyn Display| InconsistentRow::new(DOCUMENTS, column, RowName::Document(row.id), reason);
    for (column, text) in [("title", &row.title), ("summary", &row.summary)] {
        if text.len() > Summary::RULE.max_bytes() {
            return Err(bad(column, &"is longer than a summary may be"));
        }
    }
    let deleted_at = match row.deleted_at {
        Some(micros) => Some(from_micros(micros).ok_or_else(|| bad("deleted_at", &"is not a valid time"))?),
        None => None,
    };
    Ok(Document {
        id: DocumentId(row.id),
        title: Summary::from_store(row.title),
        latest_version: number(row.latest_version).ok_or_else(|| bad("latest_version", &"is not a positive number"))?,
        created_at: from_micros(row.created_at).ok_or_else(|| bad("created_at", &"is not a valid time"))?,
        updated_at: from_micros(row.updated_at).ok_or_else(|| bad("updated_at", &"is not a valid time"))?,
        deleted_at,
        summary: Summary::from_store(row.summary),
    })
}

/// The document of a row that may not be decodable.
pub(super) fn read_document(row: WithId<document::Model>) -> Result<Document, InconsistentRow> {
    document(row.decoded(DOCUMENTS, RowName::Document)?)
}

pub(super) fn document_row(document: &Document, request_id: Option<&RequestId>) -> document::Model {
    document::Model {
        id: document.id.0,
        title: document.title.as_str().to_owned(),
        title_folded: folded(document.title.as_str()),
        latest_version: document.latest_version.cast_signed(),
        summary: document.summary.as_str().to_owned(),
        summary_folded: folded(document.summary.as_str()),
        client_request_id: request_id.map(|id| id.as_str().to_owned()),
        created_at: document.created_at.timestamp_micros(),
        updated_at: document.updated_at.timestamp_micros(),
        deleted_at: document.deleted_at.map(|time| time.timestamp_micros()),
    }
}

pub(in crate::store) fn version(row: document_version::Model) -> Result<DocumentVersion, InconsistentRow> {
    let bad = |column, reason: &dyn Display| bad_version(column, row.document_id, row.version, reason);
    Ok(DocumentVersion {
        document_id: DocumentId(row.document_id),
        version: number(row.version).ok_or_else(|| bad("version", &"is not a positive number"))?,
        created_at: from_micros(row.created_at).ok_or_else(|| bad("created_at", &"is not a valid time"))?,
        text: Arc::new(DocumentText {
            sha256: Hash::from_bytes(&row.sha256).ok_or_else(|| bad("sha256", &"is not a hash"))?,
            metadata_sha256: metadata_hash(row.metadata_sha256.as_deref())
                .ok_or_else(|| bad("metadata_sha256", &"is not a hash"))?,
            summary: Summary::from_store(row.summary),
            metadata: Metadata::from_store(row.metadata),
            content: Content::from_store(row.content),
        }),
    })
}

pub(super) fn version_row(version: &DocumentVersion, request_id: Option<&RequestId>) -> document_version::Model {
    document_version::Model {
        document_id: version.document_id.0,
        version: version.version.cast_signed(),
        summary: version.text.summary.as_str().to_owned(),
        client_request_id: request_id.map(|id| id.as_str().to_owned()),
        created_at: version.created_at.timestamp_micros(),
        sha256: version.text.sha256.as_bytes().to_owned(),
        metadata_sha256: version.text.metadata_sha256.map(|hash| hash.as_bytes().to_owned()),
        metadata: version.text.metadata.as_str().to_owned(),
        content: version.text.content.as_str().to_owned(),
    }
}

/// The columns of a version for lists, without those that may be long.
#[derive(FromQueryResult)]
pub(super) struct EntryRow {
    document_id: Uuid,
    version: i64,
    summary: String,
    created_at: i64,
    sha256: Vec<u8>,
    metadata_sha256: Option<Vec<u8>>,
}

impl EntryRow {
    pub const COLUMNS: [document_version::Column; 6] = [
        document_version::Column::DocumentId,
        document_version::Column::Version,
        document_version::Column::Summary,
        document_version::Column::CreatedAt,
        document_version::Column::Sha256,
        document_version::Column::MetadataSha256,
    ];
}

pub(super) fn entry(row: EntryRow) -> Result<VersionEntry, InconsistentRow> {
    let bad = |column, reason: &dyn Display| bad_version(column, row.document_id, row.version, reason);
    if row.summary.len() > Summary::RULE.max_bytes() {
        return Err(bad("summary", &"is longer than a summary may be"));
    }
    Ok(VersionEntry {
        document_id: DocumentId(row.document_id),
        version: number(row.version).ok_or_else(|| bad("version", &"is not a positive number"))?,
        created_at: from_micros(row.created_at).ok_or_else(|| bad("created_at", &"is not a valid time"))?,
        sha256: Hash::from_bytes(&row.sha256).ok_or_else(|| bad("sha256", &"is not a hash"))?,
        metadata_sha256: metadata_hash(row.metadata_sha256.as_deref())
            .ok_or_else(|| bad("metadata_sha256", &"is not a hash"))?,
        summary: Summary::from_store(row.summary),
    })
}

pub(in crate::store) fn bad_version(
    column: &'static str,
    document: Uuid,
    version: i64,
    reason: &dyn Display,
) -> InconsistentRow {
    InconsistentRow::new(VERSIONS, column, RowName::Version(document, version), reason)
}

/// The id of the request that created the document, if it had one.
pub(super) fn creation_request(row: &document::Model) -> Result<Option<RequestId>, InconsistentRow> {
    let bad = |error: InvalidRequestId| {
        InconsistentRow::new(DOCUMENTS, "client_request_id", RowName::Document(row.id), error)
    };
    row.client_request_id.as_deref().map(|id| id.parse().map_err(bad)).transpose()
}

/// The id of the request that added the version.
pub(super) fn submission_request(row: &RequestRow) -> Result<RequestId, InconsistentRow> {
    let bad = |error: InvalidRequestId| bad_version("client_request_id", row.document_id, row.version, &error);
    row.client_request_id.parse().map_err(bad)
}

/// The error for a version whose row cannot be decoded.
pub(super) fn undecodable_version(cited: CitedVersion, error: &sea_orm::DbErr) -> InconsistentRow {
    let name = RowName::Version(cited.document_id.0, cited.version.cast_signed());
    InconsistentRow::undecodable(VERSIONS, name, error)
}

/// The error for a version that is missing although the document counts it.
pub(super) fn missing_version(document: &Document, version: u64) -> InconsistentRow {
    let reason = format!("counts version {version}, which is missing");
    InconsistentRow::new(DOCUMENTS, "latest_version", RowName::Document(document.id.0), reason)
}

/// The hash of metadata, which may be missing; none if what is stored is no hash.
fn metadata_hash(stored: Option<&[u8]>) -> Option<Option<Hash>> {
    stored.map_or(Some(None), |bytes| Hash::from_bytes(bytes).map(Some))
}

pub(super) fn number(stored: i64) -> Option<u64> {
    u64::try_from(stored).ok().filter(|number| *number > 0)
}
