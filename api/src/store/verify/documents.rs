//! Checks that each document follows from its versions.

use chrono::{DateTime, Utc};
use entity::{document, document_version};
use futures_util::TryStreamExt;
use sea_orm::{
    ColumnTrait, DatabaseConnection, DatabaseTransaction, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect, prelude::Uuid, sea_query::Query,
};

use crate::{
    domain::{Document, DocumentVersion, Hash, Metadata, Summary, folded},
    store::{
        backend::begin_read,
        decoded::Decoded,
        document::rows::{self, DOCUMENTS, VERSIONS, bad_version},
        error::{InconsistentRow, RowName, StoreError},
        verify::{
            counts::{Verified, ids_after},
            debates::orphan,
        },
    },
};

#[derive(FromQueryResult)]
struct OrphanedVersion {
    document_id: Uuid,
    version: i64,
}

/// Checks each document with all its versions, and adds what is wrong to `faults`.
pub(super) async fn verify(
    connection: &DatabaseConnection,
    verified: &mut Verified,
    faults: &mut Vec<InconsistentRow>,
    progress: &mut impl FnMut(&Verified),
) -> Result<(), StoreError> {
    let mut ids = ids_after::<document::Entity>(connection, DOCUMENTS, document::Column::Id, None, faults).await?;
    while let Some(last) = ids.last().copied() {
        for id in ids {
            let snapshot = begin_read(connection).await?;
            if let Some(versions) = check(&snapshot, id, faults).await? {
                verified.versions += versions;
                verified.documents += 1;
            }
            snapshot.rollback().await?;
        }
        progress(verified);
        ids = ids_after::<document::Entity>(connection, DOCUMENTS, document::Column::Id, Some(last), faults).await?;
    }
    let orphans: Vec<Decoded<OrphanedVersion>> = document_version::Entity::find()
        .select_only()
        .columns([document_version::Column::DocumentId, document_version::Column::Version])
        .filter(
            document_version::Column::DocumentId
                .not_in_subquery(Query::select().column(document::Column::Id).from(document::Entity).to_owned()),
        )
        .into_model()
        .all(connection)
        .await?;
    let name = |OrphanedVersion { document_id, version }| RowName::Version(document_id, version);
    faults.extend(orphans.into_iter().map(|row| orphan(VERSIONS, "document_id", row, name, "names no document")));
    Ok(())
}

/// Checks a document and returns the number of its versions; none if there is no such document.
async fn check(
    snapshot: &DatabaseTransaction,
    id: Uuid,
    faults: &mut Vec<InconsistentRow>,
) -> Result<Option<u64>, StoreError> {
    let row = document::Entity::find_by_id(id).into_model::<Decoded<document::Model>>().one(snapshot).await?;
    let Some(Decoded(row)) = row else { return Ok(None) };
    let document = checked_row(id, row, faults);
    let mut versions = document_version::Entity::find()
        .filter(document_version::Column::DocumentId.eq(id))
        .order_by_asc(document_version::Column::Version)
        .into_model::<Decoded<document_version::Model>>()
        .stream(snapshot)
        .await?;
    let (mut checked, mut number) =
        (Versions { id, faults, first: None, newest: None, has_metadata_hashes: false, updated_at: None }, 0);
    while let Some(Decoded(row)) = versions.try_next().await? {
        number += 1;
        checked.add(row);
    }
    drop(versions);
    if let Some(document) = document {
        checked.check_document(&document);
    }
    Ok(Some(number))
}

/// The document of a row, if it can be one.
fn checked_row(
    id: Uuid,
    row: Result<document::Model, sea_orm::DbErr>,
    faults: &mut Vec<InconsistentRow>,
) -> Option<Document> {
    let document = row.map_err(|error| InconsistentRow::undecodable(DOCUMENTS, RowName::Document(id), &error));
    let document = document.and_then(|row| {
        let name = || RowName::Version(id, row.latest_version);
        if row.summary_folded != folded(&row.summary) {
            let reason = "is not the summary in lower case";
            faults.push(InconsistentRow::new(DOCUMENTS, "summary_folded", name(), reason));
        }
        if row.title_folded != folded(&row.title) {
            faults.push(InconsistentRow::new(
                DOCUMENTS,
                "title_folded",
                name(),
                "is not the title with its case folded",
            ));
        }
        rows::document(row)
    });
    document.map_err(|fault| faults.push(fault)).ok()
}

/// The versions of a document so far.
struct Versions<'v> {
    id: Uuid,
    faults: &'v mut Vec<InconsistentRow>,
    /// Version 1
    first: Option<(Summary, DateTime<Utc>)>,
    newest: Option<(u64, Summary)>,
    has_metadata_hashes: bool,
    /// What the document's has to be
    updated_at: Option<DateTime<Utc>>,
}

impl Versions<'_> {
    /// Checks the next version.
    fn add(&mut self, row: Result<document_version::Model, sea_orm::DbErr>) {
        let expected = self.newest.as_ref().map_or(1, |(number, _)| number + 1);
        let name = RowName::Version(self.id, expected.cast_signed());
        let version = row.map_err(|error| InconsistentRow::undecodable(VERSIONS, name, &error)).and_then(rows::version);
        match version {
            Ok(version) => self.check(expected, version),
            Err(fault) => self.faults.push(fault),
        }
    }

    fn check(&mut self, expected: u64, version: DocumentVersion) {
        let DocumentVersion { version: number, text, created_at, .. } = version;
        let mut bad =
            |column, reason: &str| self.faults.push(bad_version(column, self.id, number.cast_signed(), &reason));
        if number != expected {
            bad("version", &format!("follows a gap: {expected} is missing"));
        }
        if Metadata::parse(text.metadata.as_str()).is_err() {
            bad("metadata", "is not valid metadata");
        }
        if Hash::of_content(text.content.as_str()) != text.sha256 {
            bad("sha256", "is not the SHA-256 of the content");
        }
        match text.metadata_sha256 {
            Some(hash) if hash != Hash::of_content(text.metadata.as_str()) => {
                bad("metadata_sha256", "is not the SHA-256 of the metadata");
            }
            // All versions have one that were made after the first that has one.
            None if self.has_metadata_hashes => bad("metadata_sha256", "is missing"),
            Some(_) => self.has_metadata_hashes = true,
            None => {}
        }
        if number == 1 {
            self.first = Some((text.summary.clone(), created_at));
        }
        self.updated_at = Some(self.updated_at.map_or(created_at, |time| time.max(created_at)));
        self.newest = Some((number, text.summary.clone()));
    }

    /// Compares the document with what its versions lead to.
    fn check_document(self, document: &Document) {
        let name = || RowName::Version(self.id, document.latest_version.cast_signed());
        let mut bad = |column, reason: &str| self.faults.push(InconsistentRow::new(DOCUMENTS, column, name(), reason));
        let Some((latest, summary)) = self.newest else {
            return bad("latest_version", "counts versions that are missing");
        };
        if document.latest_version != latest {
            bad("latest_version", &format!("is {}, while the versions end at {latest}", document.latest_version));
        }
        if document.summary != summary {
            bad("summary", "is not that of the newest version");
        }
        if let Some((title, created_at)) = self.first {
            if document.title != title {
                bad("title", "is not the summary of version 1");
            }
            if document.created_at != created_at {
                bad("created_at", "is not the time of version 1");
            }
        }
        if self.updated_at.is_some_and(|time| time != document.updated_at) {
            bad("updated_at", "is not the time of the newest version");
        }
    }
}
