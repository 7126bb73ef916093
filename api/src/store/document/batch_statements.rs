//! The SQL of a batch of writes to documents.

use entity::{document, document_version};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, QueryFilter,
    QueryOrder, QuerySelect, Value,
};
use uuid::Uuid;

use crate::store::{
    backend::{placeholders, select_by_pairs},
    decoded::Decoded,
    fault::WithId,
    guarded_statement::GuardedStatement,
    padded_ids::padded,
};

/// The rows of these documents, and of those that these requests created, locked until the transaction ends.
pub(super) async fn lock_documents(
    transaction: &DatabaseTransaction,
    ids: Vec<Uuid>,
    creation_requests: Vec<String>,
) -> Result<Vec<WithId<document::Model>>, DbErr> {
    let by_id = (!ids.is_empty()).then(|| document::Column::Id.is_in(padded(ids)));
    let by_request =
        (!creation_requests.is_empty()).then(|| document::Column::ClientRequestId.is_in(padded(creation_requests)));
    if by_id.is_none() && by_request.is_none() {
        return Ok(Vec::new());
    }
    document::Entity::find()
        .filter(Condition::any().add_option(by_id).add_option(by_request))
        // All servers lock documents in this order, so that they cannot deadlock.
        .order_by_asc(document::Column::Id)
        .lock_exclusive()
        .into_model()
        .all(transaction)
        .await
}

/// The versions that these requests stored earlier, each identified by document and request id. Some may come twice.
pub(super) async fn find_by_request_ids(
    transaction: &DatabaseTransaction,
    requests: Vec<(Uuid, String)>,
) -> Result<Vec<RequestRow>, DbErr> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "SELECT versions.document_id, versions.version, versions.client_request_id \
               FROM (VALUES {}) AS requests JOIN document_versions AS versions \
               ON versions.document_id = requests.column1 AND versions.client_request_id = requests.column2";
    RequestRow::find_by_statement(select_by_pairs(transaction, sql, requests)).all(transaction).await
}

/// A version and the request that stored it, without its content, which may be long.
#[derive(FromQueryResult)]
pub(super) struct RequestRow {
    pub document_id: Uuid,
    pub version: i64,
    pub client_request_id: String,
}

/// One version with its content.
pub(super) async fn find_version(
    transaction: &DatabaseTransaction,
    document: Uuid,
    version: i64,
) -> Result<Option<Decoded<document_version::Model>>, DbErr> {
    document_version::Entity::find_by_id((document, version)).into_model().one(transaction).await
}

/// Updates documents, each only if its `latest_version` is still the one given with it.
pub(super) fn update_documents(
    connection: &impl ConnectionTrait,
    documents: Vec<(document::Model, i64)>,
) -> Option<GuardedStatement> {
    if documents.is_empty() {
        return None;
    }
    let expected_rows = documents.len() as u64;
    let documents = padded(documents);
    let sql = format!(
        "UPDATE documents SET latest_version = changed.column1, summary = changed.column2, \
         summary_folded = changed.column3, updated_at = changed.column4, deleted_at = changed.column5 \
         FROM (VALUES {}) AS changed WHERE documents.id = changed.column6 AND documents.latest_version = changed.column7",
        placeholders(connection, documents.len(), 7)
    );
    let values: Vec<Value> = documents
        .into_iter()
        .flat_map(|(row, from_version)| -> [Value; 7] {
            [
                row.latest_version.into(),
                row.summary.into(),
                row.summary_folded.into(),
                row.updated_at.into(),
                row.deleted_at.into(),
                row.id.into(),
                from_version.into(),
            ]
        })
        .collect();
    Some(GuardedStatement::expecting(connection, sql, values, expected_rows))
}
