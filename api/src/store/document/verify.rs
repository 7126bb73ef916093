//! Checks that each document follows from its versions.

use entity::{document, document_version};
use futures_util::TryStreamExt;
use sea_orm::{
    ColumnTrait, DatabaseConnection, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    prelude::Uuid, sea_query::Query,
};

use super::rows::{self, DOCUMENTS, VERSIONS, bad_version, version_name};
use crate::{
    domain::{Hash, Metadata},
    store::{
        Location, Verified,
        backend::begin_read,
        error::{InconsistentRow, StoreError},
    },
};

/// The number of ids that are read at a time.
const PAGE_SIZE: u64 = 256;

/// Checks each document with all its versions, up to the first inconsistency.
pub(in crate::store) async fn verify(
    location: &Location,
    connection: &DatabaseConnection,
    verified: &mut Verified,
) -> Result<(), StoreError> {
    let orphan = document_version::Entity::find()
        .filter(
            document_version::Column::DocumentId
                .not_in_subquery(Query::select().column(document::Column::Id).from(document::Entity).to_owned()),
        )
        .one(connection)
        .await?;
    if let Some(row) = orphan {
        return Err(bad_version("document_id", row.document_id, row.version, &"names no document").into());
    }
    let mut after = None;
    loop {
        let ids: Vec<Uuid> = document::Entity::find()
            .select_only()
            .column(document::Column::Id)
            .filter(after.map_or_else(|| document::Column::Id.is_not_null(), |id: Uuid| document::Column::Id.gt(id)))
            .order_by_asc(document::Column::Id)
            .limit(PAGE_SIZE)
            .into_tuple()
            .all(connection)
            .await?;
        let Some(last) = ids.last() else { return Ok(()) };
        after = Some(*last);
        for id in ids {
            let snapshot = begin_read(location, connection).await?;
            verified.versions += verify_document(&snapshot, id).await?;
            verified.documents += 1;
            snapshot.rollback().await?;
        }
    }
}

/// Returns the number of versions.
async fn verify_document(snapshot: &DatabaseTransaction, id: Uuid) -> Result<u64, StoreError> {
    let row = document::Entity::find_by_id(id).one(snapshot).await;
    let Some(row) = row.map_err(|error| InconsistentRow::unreadable(DOCUMENTS, id, error))? else { return Ok(0) };
    let name = format!("{id} v{}", row.latest_version);
    let bad = |column, reason: &str| InconsistentRow::new(DOCUMENTS, column, &name, reason);
    if row.summary_folded != row.summary.to_ascii_lowercase() {
        return Err(bad("summary_folded", "is not the summary in lower case").into());
    }
    if row.title_folded != row.title.to_ascii_lowercase() {
        return Err(bad("title_folded", "is not the title in lower case").into());
    }
    let document = rows::document(row)?;
    let mut versions = document_version::Entity::find()
        .filter(document_version::Column::DocumentId.eq(id))
        .order_by_asc(document_version::Column::Version)
        .stream(snapshot)
        .await?;
    let mut newest = None;
    loop {
        let expected = newest.as_ref().map_or(1, |(number, _)| number + 1);
        let unreadable = |error| InconsistentRow::unreadable(VERSIONS, version_name(id, expected), error);
        let Some(row) = versions.try_next().await.map_err(unreadable)? else { break };
        let version = rows::version(row)?;
        let bad = |column, reason: &str| bad_version(column, id, version.version.cast_signed(), &reason);
        if version.version != expected {
            return Err(bad("version", &format!("follows a gap: {expected} is missing")).into());
        }
        if version.version == 1 && version.text.summary != document.title {
            let name = format!("{id} v1");
            return Err(InconsistentRow::new(DOCUMENTS, "title", name, "is not the summary of version 1").into());
        }
        if Metadata::parse(version.text.metadata.as_str()).is_err() {
            return Err(bad("metadata", "is not valid metadata").into());
        }
        if Hash::of_content(version.text.content.as_str()) != version.text.sha256 {
            return Err(bad("sha256", "is not the SHA-256 of the content").into());
        }
        newest = Some((version.version, version.text.summary.clone()));
    }
    drop(versions);
    let (latest, summary) = newest.ok_or_else(|| bad("latest_version", "counts versions that are missing"))?;
    if document.latest_version != latest {
        return Err(bad(
            "latest_version",
            &format!("is {}, while the versions end at {latest}", document.latest_version),
        )
        .into());
    }
    if document.summary != summary {
        return Err(bad("summary", "is not that of the newest version").into());
    }
    Ok(latest)
}
