//! The hashes of versions that arguments cite.

use std::collections::{BTreeSet, HashMap};

use sea_orm::{ConnectionTrait, FromQueryResult, prelude::Uuid};

use super::rows::{VERSIONS, bad_version, number};
use crate::{
    domain::{CitedVersion, DocumentId, Hash},
    store::{
        backend::select_by_pairs,
        decoded::Decoded,
        error::{InconsistentRow, RowName, StoreError},
        fault::Fault,
        padded_ids::MAX_IDS,
    },
};

/// The hash of each version that exists.
pub(in crate::store) type VersionHashes = HashMap<CitedVersion, Hash>;

/// A version with its hash.
#[derive(FromQueryResult)]
struct HashRow {
    document_id: Uuid,
    version: i64,
    sha256: Vec<u8>,
}

/// The hashes of these versions; those that do not exist are left out. Versions of deleted documents exist.
///
/// No statement if there are none, one if they are at most [`MAX_IDS`].
pub(in crate::store) async fn hashes(
    connection: &impl ConnectionTrait,
    versions: BTreeSet<CitedVersion>,
) -> Result<VersionHashes, StoreError> {
    let mut hashes = HashMap::new();
    let versions: Vec<_> = versions.into_iter().collect();
    for versions in versions.chunks(MAX_IDS) {
        for Decoded(row) in find_hashes(connection, versions).await? {
            let decoded = row.map_err(|error| {
                InconsistentRow::undecodable(VERSIONS, RowName::Other("that is cited".to_owned()), &error)
            });
            match decoded.and_then(version_hash) {
                Ok((version, hash)) => drop(hashes.insert(version, hash)),
                // It hides no other: what cites it is told that there is no such version.
                Err(fault) => drop(Fault::left_out(&fault)),
            }
        }
    }
    Ok(hashes)
}

/// The hashes of these versions. Some may come twice.
async fn find_hashes(
    connection: &impl ConnectionTrait,
    versions: &[CitedVersion],
) -> Result<Vec<Decoded<HashRow>>, sea_orm::DbErr> {
    let sql = "SELECT versions.document_id, versions.version, versions.sha256 \
               FROM (VALUES {}) AS cited JOIN document_versions AS versions \
               ON versions.document_id = cited.column1 AND versions.version = cited.column2";
    let pair = |cited: &CitedVersion| (cited.document_id.0, i64::try_from(cited.version).unwrap_or(i64::MAX));
    let pairs = versions.iter().map(pair).collect();
    Decoded::find_by_statement(select_by_pairs(connection, sql, pairs)).all(connection).await
}

fn version_hash(row: HashRow) -> Result<(CitedVersion, Hash), InconsistentRow> {
    let bad = |column, reason| bad_version(column, row.document_id, row.version, reason);
    let version = number(row.version).ok_or_else(|| bad("version", &"is not a positive number"))?;
    let hash = Hash::from_bytes(&row.sha256).ok_or_else(|| bad("sha256", &"is not a hash"))?;
    Ok((CitedVersion { document_id: DocumentId(row.document_id), version }, hash))
}
